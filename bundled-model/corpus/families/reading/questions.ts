// What is asked about messages and notes, by the kind of value that is the answer; and what no text here answers.
import { readTexts } from '../../texts.js';
import { byKind, type Kind } from '../texts/kinds.js';
import data from './questions.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** Of who wrote something themselves. */
  WHO_WROTE,
  /** For kinds that each theme calls by its own words. */
  BY_PHRASE,
  /** About somebody in the text. */
  UNANSWERED,
  UNKNOWN_NOTES,
  UNKNOWNS,
} = texts;

export const BY_KIND: Partial<Record<Kind, readonly string[]>> = byKind(texts.BY_KIND);

export const NOT_SAID = 'The text does not say.';
