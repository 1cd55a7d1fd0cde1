// Product reviews by customers.
import { readTexts } from '../../../texts.js';
import { toTheme } from '../theme.js';
import data from './review.json' with { type: 'json' };

const texts = readTexts(data);

export const review = toTheme(texts.review);
