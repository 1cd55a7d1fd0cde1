// Sentences with two things that must not be read.
import { readTexts } from '../../corpus/index.js';
import data from './sentences-of-two.json' with { type: 'json' };

export const { PAIRS } = readTexts(data);
