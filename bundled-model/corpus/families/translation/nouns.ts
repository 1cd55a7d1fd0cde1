// Nouns of four languages: the English one and its plural, what it is, then French, Spanish and German, each with an
// article that shows the gender, and its plural; a dash where no plural is used. A word stands for one thing only.
import { readTexts } from '../../texts.js';
import data from './nouns.json' with { type: 'json' };

export const {
  /** `english | plural | tags | french | plural | spanish | plural | german | plural` */
  NOUN_ROWS,
} = readTexts(data);
