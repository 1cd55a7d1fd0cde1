// Sentences to be written in full or drawn together, joined by a word, or reported.
import { readTexts } from '../../texts.js';
import data from './sentences.json' with { type: 'json' };

export const {
  /** `in full | drawn together` */
  CONTRACTIONS,
  IN_FULL,
  DRAWN_TOGETHER,
  /** Short statements to be joined or reported. */
  FACTS,
  JOIN,
  REPORT,
} = readTexts(data);
