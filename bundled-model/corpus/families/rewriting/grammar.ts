// Sentences whose tense, form or subject is changed: verbs with their forms, subjects, and what may follow.
import { readTexts } from '../../texts.js';
import data from './grammar.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** Base form, past, past participle, -ing; the third person is formed by rule. */
  VERB_ROWS,
  /** What follows the verb. */
  OBJECTS,
} = texts;

export type Change =
  | 'past'
  | 'present'
  | 'future'
  | 'running'
  | 'negative'
  | 'question'
  | 'passive'
  | 'person';

export const CHANGES: Readonly<Record<Change, readonly string[]>> = texts.CHANGES;
