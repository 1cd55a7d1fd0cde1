// How people ask to remove something from a text.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** One sign for everything. */
  ONE_SIGN,
  /** A sign for each kind. */
  MANY_SIGNS,
  MANY_SIGNS_IN_LINES,
  BY_INITIALS,
  BY_NUMBER,
  /** Specific values, named in the prompt. */
  BY_VALUE,
} = readTexts(data);
