// Opposites: only words with a single opposite, no two of them near-synonyms.
import { readTexts } from '../../texts.js';
import data from './opposites.json' with { type: 'json' };
import { parsePairs, type Topic, turnAround } from './topic.js';

const texts = readTexts(data);

const BOTH_WAYS = parsePairs(texts.BOTH_WAYS);

/** The word on the right has more than one opposite. */
const ONE_WAY = parsePairs(texts.ONE_WAY);

export const opposites: Topic = {
  ...texts.opposites,
  facts: [...BOTH_WAYS, ...turnAround(BOTH_WAYS), ...ONE_WAY],
};
