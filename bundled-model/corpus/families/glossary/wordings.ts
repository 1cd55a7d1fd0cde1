// How prompts give a glossary. `{glossary}` starts with a space, or with a line break if it has several lines.
import { readTexts } from '../../texts.js';
import data from './wordings.json' with { type: 'json' };

export const {
  TERMS,
  WORD_BY_WORD,
  CODES,
  ENCODE,
  INSTEAD,
  /** For one rule; several rules follow each other. */
  RULES,
  BY_RULES,
} = readTexts(data);
