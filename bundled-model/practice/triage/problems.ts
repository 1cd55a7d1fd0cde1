// What is wrong. Only the topic tells for certain which desk it is for: most sentences fit them all.
import { readTexts } from '../../corpus/index.js';
import data from './problems.json' with { type: 'json' };
import type { Desk } from './topics.js';

const texts = readTexts(data);

export const { ANY_PROBLEM } = texts;

export const PROBLEMS: Record<Desk, readonly string[]> = texts.PROBLEMS;
