// Word problems: the story, a bar, and the answer as a sentence.
import { readTexts } from '../../texts.js';
import type { Operation } from './problems.js';
import data from './stories.json' with { type: 'json' };

const texts = readTexts(data);

export const { COMPARISONS, THINGS } = texts;

export const STORIES: Readonly<Record<Operation, readonly string[]>> = texts.STORIES;
