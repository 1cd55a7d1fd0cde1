// Sentences that say nothing about anybody.
import { readTexts } from '../../../texts.js';
import data from './fillers.json' with { type: 'json' };

export const { FILLERS } = readTexts(data);
