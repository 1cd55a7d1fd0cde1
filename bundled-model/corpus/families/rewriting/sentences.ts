// Sentences to expand or contract, to join with a word, or to report.
import { readTexts } from '../../texts.js';
import data from './sentences.json' with { type: 'json' };

export const {
  /** `in full | drawn together` */
  CONTRACTIONS,
  IN_FULL,
  DRAWN_TOGETHER,
  /** Short statements to join or report. */
  FACTS,
  JOIN,
  REPORT,
} = readTexts(data);
