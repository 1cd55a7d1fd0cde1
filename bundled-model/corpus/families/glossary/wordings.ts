// How a glossary is given. `{glossary}` begins with a space or, when it is of several lines, with a line break.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  TERMS,
  WORD_BY_WORD,
  CODES,
  ENCODE,
  INSTEAD,
  /** For one rule; several are put next to each other. */
  RULES,
  BY_RULES,
} = readTexts(data);
