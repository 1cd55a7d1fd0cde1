// Its name, what it is, its size, who made it and what from.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './identity.json' with { type: 'json' };

export const IDENTITY: readonly Intent[] = Object.values(readTexts(data));
