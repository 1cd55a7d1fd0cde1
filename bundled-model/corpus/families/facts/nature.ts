// Animals, colors of things, and what things are made from.
import { readTexts } from '../../texts.js';
import data from './nature.json' with { type: 'json' };
import { parsePairs, type Topic } from './topic.js';

const texts = readTexts(data);

export const colours: Topic = { ...texts.colours, facts: parsePairs(texts.colours.facts) };
export const sounds: Topic = { ...texts.sounds, facts: parsePairs(texts.sounds.facts) };
export const homes: Topic = { ...texts.homes, facts: parsePairs(texts.homes.facts) };
export const young: Topic = { ...texts.young, facts: parsePairs(texts.young.facts) };
export const sources: Topic = { ...texts.sources, facts: parsePairs(texts.sources.facts) };
