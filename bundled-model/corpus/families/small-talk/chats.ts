// Hobbies, food, plans and family, and what people ask a program about itself in passing.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './chats.json' with { type: 'json' };

const texts = readTexts(data);

export const LIKES: readonly Intent[] = Object.values(texts.LIKES);
export const EVENTS: readonly Intent[] = Object.values(texts.EVENTS);
