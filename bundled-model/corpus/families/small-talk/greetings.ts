// Hello, how are you, thanks and goodbye.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './greetings.json' with { type: 'json' };

export const GREETINGS: readonly Intent[] = Object.values(readTexts(data));
