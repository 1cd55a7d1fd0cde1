// Which group a word is in. No word fits two groups.
import { readTexts } from '../../texts.js';
import data from './groups.json' with { type: 'json' };
import type { Fact, Topic } from './topic.js';

const texts = readTexts(data);

export const GROUPS: Readonly<Record<string, readonly string[]>> = texts.GROUPS;

export const groupNames = Object.keys(GROUPS);

export const groups: Topic = {
  ...texts.groups,
  facts: groupNames.flatMap(right => GROUPS[right]!.map((thing): Fact => ({ thing, right }))),
};
