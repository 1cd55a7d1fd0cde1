// How one is asked for a label.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  /** The labels stand in the sentence. */
  IN_LINE,
  /** The labels stand below. */
  IN_LINES,
  /** What to write when the labels are codes for names. */
  CODE_NOTES,
  /** How the answer is to look, by way of a sample. */
  FORM_NOTES,
  CAPITAL_NOTES,
  OTHER_NOTES,
} = readTexts(data);
