// How people ask for a count.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  WORDS,
  WORDS_MESSAGES,
  LETTERS,
  LETTERS_MESSAGES,
  ITEMS,
  ITEMS_MESSAGES,
  TIMES,
  TIMES_MESSAGES,
  LETTER_TIMES,
  LETTER_TIMES_MESSAGES,
  STARTING,
  NUMBERS,
  LINES,
  /** One question about several amounts; each slot holds a number and a thing. */
  WHO,
} = readTexts(data);
