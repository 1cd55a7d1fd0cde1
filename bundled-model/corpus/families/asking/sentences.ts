// Sentence templates of no particular meaning, to copy, count and change.
import { readTexts } from '../../texts.js';
import data from './sentences.json' with { type: 'json' };

export const {
  SENTENCES,
  /** Lower-case words only, no marks: for tasks that take a text word by word. */
  PLAIN_SENTENCES,
} = readTexts(data);
