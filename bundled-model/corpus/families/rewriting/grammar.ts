// Sentences to change in tense, form or subject: verbs with their forms, subjects, and objects.
import { readTexts } from '../../texts.js';
import data from './grammar.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** Base form, past, past participle, -ing form. A rule makes the third person. */
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
