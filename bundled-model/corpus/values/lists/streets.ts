// Parts of street names.
import { readTexts } from '../../texts.js';
import data from './streets.json' with { type: 'json' };

export const {
  STREET_NAMES,
  STREET_KINDS,
  /** Streets whose house number comes last, as in "Lindenweg 12". */
  STREET_STEMS,
  STREET_SUFFIXES,
} = readTexts(data);
