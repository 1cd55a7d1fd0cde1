// How an output format is asked for.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** The format stands in the sentence, at its end. */
  IN_LINE,
  /** The format stands below. */
  IN_LINES,
  /** In words, where cells stand in a row with the same sign between them. */
  IN_WORDS,
  /** By examples alone. */
  BY_EXAMPLE,
  /** One example. */
  EXAMPLES,
  MISSING_NOTES,
  TOPIC_NOTES,
  FLAG_NOTES,
  CAPITAL_NOTES,
} = readTexts(data);
