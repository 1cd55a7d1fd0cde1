// Where it runs, what it can see, what it stores, and its purpose: to be fine-tuned.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './place.json' with { type: 'json' };

const texts = readTexts(data);

export const PLACE: readonly Intent[] = Object.values(texts.PLACE);
export const PURPOSE: readonly Intent[] = Object.values(texts.PURPOSE);
