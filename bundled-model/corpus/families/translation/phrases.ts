// Phrases and words that are learned whole. They have no parts to combine, so none are held out.
import { readTexts } from '../../texts.js';
import data from './phrases.json' with { type: 'json' };

export const {
  /** `English | French | Spanish | German` */
  PHRASE_ROWS,
  /** `English | plural | French | Spanish | plural | German | as an adverb` */
  DAY_ROWS,
  /** `English | French | Spanish | German` */
  NUMBER_ROWS,
} = readTexts(data);
