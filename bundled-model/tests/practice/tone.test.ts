import { expect, it } from 'vitest';
import { isKind, tonePairs } from '../../practice/index.js';

const [train, heldOut] = [tonePairs('train', 300, 1), tonePairs('held-out', 60, 1)];

it('every pair has a kind answer and a cold one about the same thing', () => {
  for (const { prompt, chosen, rejected } of [...train, ...heldOut]) {
    expect(isKind(chosen), chosen).toBe(true);
    expect(isKind(rejected), rejected).toBe(false);
    const [thing] = /(?<=\b(?:your|the|a|an) )\w+/.exec(chosen)!;
    expect(prompt).toContain(thing);
    expect(rejected).toContain(thing);
  }
});

it('the same seed gives the same pairs, and the sides share none', () => {
  expect(tonePairs('train', 20, 1)).toEqual(train.slice(0, 20));
  expect(tonePairs('train', 20, 2)).not.toEqual(train.slice(0, 20));
  const prompts = new Set(train.map(({ prompt }) => prompt));
  expect(prompts.size).toBe(300);
  expect(heldOut.filter(({ prompt }) => prompts.has(prompt))).toEqual([]);
});
