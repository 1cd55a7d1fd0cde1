// How people ask for an output format.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** The format ends the sentence. */
  IN_LINE,
  /** The format comes below. */
  IN_LINES,
  /** In words, for cells in a row with the same sign between them. */
  IN_WORDS,
  /** By examples only. */
  BY_EXAMPLE,
  /** One example. */
  EXAMPLES,
  MISSING_NOTES,
  TOPIC_NOTES,
  FLAG_NOTES,
  CAPITAL_NOTES,
} = readTexts(data);
