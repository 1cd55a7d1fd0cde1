// Questions about messages and notes, by the kind of value that answers them, and questions that no text here answers.
import { readTexts } from '../../texts.js';
import { byKind, type Kind } from '../texts/kinds.js';
import data from './questions.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** For texts in the first person. */
  WHO_WROTE,
  /** For kinds with different names in each theme. */
  BY_PHRASE,
  /** About a person in the text. */
  UNANSWERED,
  UNKNOWN_NOTES,
  UNKNOWNS,
} = texts;

export const BY_KIND: Partial<Record<Kind, readonly string[]>> = byKind(texts.BY_KIND);

export const NOT_SAID = 'The text does not say.';
