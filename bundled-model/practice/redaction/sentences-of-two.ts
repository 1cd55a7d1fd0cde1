// Sentences with two things to hide.
import { readTexts } from '../../corpus/index.js';
import data from './sentences-of-two.json' with { type: 'json' };

export const { PAIRS } = readTexts(data);
