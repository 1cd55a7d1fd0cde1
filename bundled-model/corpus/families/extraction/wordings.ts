// How one is asked for JSON, for one field, or for all of a kind.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** The keys stand in the sentence. */
  JSON_IN_LINE,
  /** A sample of the object is shown. */
  JSON_BY_SHAPE,
  /** The keys stand below, each on its line. */
  JSON_IN_LINES,
  MISSING_NOTES,
  NUMBER_NOTES,
  STRING_NOTES,
  ONE_FIELD,
  ALL_OF_A_KIND,
} = readTexts(data);
