// Sentences with several values of one kind.
import { readTexts } from '../../texts.js';
import { type Kind, toKind } from '../texts/kinds.js';
import data from './plurals.json' with { type: 'json' };

const texts = readTexts(data);

export const {
  /** Sentences without values, to put next to these. */
  PLAIN,
} = texts;

export interface Plural {
  kind: Kind;
  words: readonly string[];
  templates: readonly string[];
}

export const PLURALS: readonly Plural[] = texts.PLURALS.map(plural => ({
  ...plural,
  kind: toKind(plural.kind),
}));
