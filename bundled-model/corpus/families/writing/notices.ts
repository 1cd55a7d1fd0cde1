// Texts for many readers: product texts, reviews, announcements, signs, introductions.
import type { Intent } from '../../intent.js';
import { readTexts } from '../../texts.js';
import data from './notices.json' with { type: 'json' };

const { product, slogan, goodReview, badReview, opening, closed, away, introduction, praise } =
  readTexts(data);

export const NOTICES: readonly Intent[] = [
  product,
  product,
  slogan,
  goodReview,
  badReview,
  opening,
  closed,
  away,
  introduction,
  praise,
];
