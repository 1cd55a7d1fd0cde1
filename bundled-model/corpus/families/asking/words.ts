// Plain words that lists and sentences are made of.
import { readTexts } from '../../texts.js';
import data from './words.json' with { type: 'json' };

export const {
  NOUNS,
  ADJECTIVES,
  /** What can be done to things, in the past tense. */
  VERBS,
} = readTexts(data);
