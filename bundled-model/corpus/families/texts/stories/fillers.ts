// Sentences that are not about anyone.
import { readTexts } from '../../../texts.js';
import data from './fillers.json' with { type: 'json' };

export const { FILLERS } = readTexts(data);
