// How people ask for a label.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** The labels are in the sentence. */
  IN_LINE,
  /** The labels are below. */
  IN_LINES,
  /** What to write when the labels are codes for names. */
  CODE_NOTES,
  /** A sample that shows what the answer looks like. */
  FORM_NOTES,
  CAPITAL_NOTES,
  OTHER_NOTES,
} = readTexts(data);
