// How people ask to sort a list, or for its first or last item.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  WORDS_UP,
  WORDS_DOWN,
  NUMBERS_UP,
  NUMBERS_DOWN,
  REVERSE,
  LONGEST,
  SHORTEST,
  BIGGEST,
  SMALLEST,
  FIRST,
  LAST,
  EARLIEST,
  /** The opposite question, asked about the same lists. */
  LATEST,
} = texts;

export const MESSAGES: Readonly<Record<'up' | 'down' | 'back', readonly string[]>> = texts.MESSAGES;
