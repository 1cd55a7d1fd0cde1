// How people ask for JSON, for one field, or for all values of a kind.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** The keys are in the sentence. */
  JSON_IN_LINE,
  /** The prompt shows a sample object. */
  JSON_BY_SHAPE,
  /** The keys are below, one per line. */
  JSON_IN_LINES,
  MISSING_NOTES,
  NUMBER_NOTES,
  STRING_NOTES,
  ONE_FIELD,
  ALL_OF_A_KIND,
} = readTexts(data);
