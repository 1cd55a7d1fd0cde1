// Nouns in four languages: English with its plural, tags that say what it is, then French, Spanish and German, each
// with an article that shows the gender and with its plural. A dash means that no plural is used. Each word means one
// thing only.
import { readTexts } from '../../texts.js';
import data from './nouns.json' with { type: 'json' };

export const {
  /** `english | plural | tags | french | plural | spanish | plural | german | plural` */
  NOUN_ROWS,
} = readTexts(data);
