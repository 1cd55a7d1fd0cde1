// Plain words for lists and sentences.
import { readTexts } from '../../texts.js';
import data from './words.json' with { type: 'json' };

export const {
  NOUNS,
  ADJECTIVES,
  /** Things you can do to objects, in the past tense. */
  VERBS,
} = readTexts(data);
