// Sentence templates with no particular meaning, to copy, count and change.
import { readTexts } from '../../texts.js';
import data from './sentences.json' with { type: 'json' };

export const {
  SENTENCES,
  /** Only lower-case words, no punctuation: for tasks that work word by word. */
  PLAIN_SENTENCES,
} = readTexts(data);
