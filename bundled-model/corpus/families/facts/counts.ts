// How many of one thing are in another: units, legs, sides.
import { readTexts } from '../../texts.js';
import data from './counts.json' with { type: 'json' };
import type { Fact, Topic } from './topic.js';

const texts = readTexts(data);

/** Entries such as "a week: 7 days". */
function parseCounts(entries: readonly string[]): Fact[] {
  return entries.map(entry => {
    const [, owner, right, part] = /^(.+): (\d+) (.+)$/.exec(entry)!;
    return { owner: owner!, right: right!, part: part! };
  });
}

export const counts: Topic = { ...texts.counts, facts: parseCounts(texts.counts.facts) };
export const parts: Topic = { ...texts.parts, facts: parseCounts(texts.parts.facts) };
