// Where it runs, what it sees of the world, what it keeps, and what it is there for: to be fine-tuned.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './place.json' with { type: 'json' };

const texts = readTexts(data);

export const PLACE: readonly Intent[] = Object.values(texts.PLACE);
export const PURPOSE: readonly Intent[] = Object.values(texts.PURPOSE);
