// Sentences as customers write them, around the words of the glossary.
import { readTexts } from '../../corpus/index.js';
import data from './sentences.json' with { type: 'json' };

export const {
  /** What is wrong with which thing. */
  PROBLEMS,
  /** What should be done with it. */
  REQUESTS,
  /** By when. */
  DAYS,
  /** Which order. */
  ORDERS,
  /** For whom. */
  CUSTOMERS,
} = readTexts(data);
