// What buyers write about a product for others to read.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './review.json' with { type: 'json' };

const texts = readTexts(data);

export const review = toTheme(texts.review);
