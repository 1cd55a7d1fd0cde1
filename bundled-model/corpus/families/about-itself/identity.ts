// Its name, what it is, how large, who made it and from what.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './identity.json' with { type: 'json' };

export const IDENTITY: readonly Intent[] = Object.values(readTexts(data));
