// How people ask for a calculation.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** For an expression, such as "12 + 7". */
  CALCULATE,
  CALCULATE_MESSAGES,
  /** For a question that could stand alone. */
  NUMBER_ONLY,
  YES_OR_NO,
  SHORT_SENTENCE,
  PLUS,
  MINUS,
  TIMES,
  PARTS,
  MISSING,
  DOUBLE,
  HALF,
  BIGGER,
  SMALLER,
  IS_MORE,
  IS_LESS,
  NEXT,
} = readTexts(data);
