// Forms of words: plural and singular, past tense, comparison. Only words with one undisputed form.
import { readTexts } from '../../texts.js';
import data from './grammar.json' with { type: 'json' };
import { type Fact, parsePairs, type Topic, turnAround } from './topic.js';

const texts = readTexts(data);

const { ADD_S } = texts;

const OTHER_PLURALS = parsePairs(texts.OTHER_PLURALS);

const PLURALS: readonly Fact[] = [
  ...ADD_S.map(thing => ({ thing, right: `${thing}s` })),
  ...OTHER_PLURALS,
  ...OTHER_PLURALS,
];

const PASTS = parsePairs(texts.PASTS);
const COMPARISONS = parsePairs(texts.COMPARISONS);
export const plurals: Topic = { ...texts.plurals, facts: PLURALS };
export const singulars: Topic = { ...texts.singulars, facts: turnAround(PLURALS) };
export const pasts: Topic = { ...texts.pasts, facts: PASTS };
export const comparisons: Topic = { ...texts.comparisons, facts: COMPARISONS };
