// How one is asked to take something out of a text.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** One sign for all. */
  ONE_SIGN,
  /** A sign for each kind. */
  MANY_SIGNS,
  MANY_SIGNS_IN_LINES,
  BY_INITIALS,
  BY_NUMBER,
  /** Certain values, named in the prompt. */
  BY_VALUE,
} = readTexts(data);
