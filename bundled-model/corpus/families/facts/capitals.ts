// Countries and their capitals, where there is only one and it is undisputed.
import { readTexts } from '../../texts.js';
import data from './capitals.json' with { type: 'json' };
import { parsePairs, type Topic, turnAround } from './topic.js';

const texts = readTexts(data);

const CAPITALS = parsePairs(texts.CAPITALS);
export const capitals: Topic = { ...texts.capitals, facts: CAPITALS };
export const countries: Topic = { ...texts.countries, facts: turnAround(CAPITALS) };
