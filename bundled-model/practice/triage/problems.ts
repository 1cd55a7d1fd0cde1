// Problems. Only the topic determines the desk; most sentences fit several desks.
import { readTexts } from '../../corpus/index.js';
import data from './problems.json' with { type: 'json' };
import type { Desk } from './topics.js';

const texts = readTexts(data);

export const { ANY_PROBLEM } = texts;

export const PROBLEMS: Record<Desk, readonly string[]> = texts.PROBLEMS;
