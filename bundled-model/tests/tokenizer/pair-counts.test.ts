import { expect, it } from 'vitest';
import { PairCounts, type Word } from '../../tokenizer/pair-counts.js';

const [a, b, c, made] = [0, 1, 2, 9];

function merge(symbols: number[], left: number, right: number): number[] {
  const word: Word = { symbols, count: 5 };
  const pairs = new PairCounts([word], 16);
  pairs.merge({ left, right }, made);
  return word.symbols;
}

it.each([
  ['at both ends', [a, b, c, a, b], [made, c, made]],
  ['next to each other', [a, b, a, b], [made, made]],
  ['nowhere', [b, a, c], [b, a, c]],
])('merges a pair %s', (_, symbols, joined) => {
  expect(merge(symbols, a, b)).toEqual(joined);
});

it('merges equal tokens from the left', () => {
  expect(merge([a, a, a, a, a], a, a)).toEqual([made, made, a]);
});

it('takes the most frequent pair, and among equals the one with the oldest tokens', () => {
  const words = [
    { symbols: [c, b], count: 3 },
    { symbols: [b, c], count: 3 },
    { symbols: [b, a], count: 3 },
    { symbols: [c, c], count: 4 },
  ];
  const pairs = new PairCounts(words, 16);
  const taken = [1, 2, 3, 4, 5].map(() => pairs.takeBest());
  expect(taken.map(pair => pair && [pair.left, pair.right])).toEqual([
    [c, c],
    [b, a],
    [b, c],
    [c, b],
    undefined,
  ]);
});

it('updates the counts around a merge', () => {
  const words = [
    { symbols: [a, b, c], count: 2 },
    { symbols: [b, c], count: 3 },
    { symbols: [c, a], count: 4 },
  ];
  const pairs = new PairCounts(words, 16);
  expect(pairs.takeBest()).toMatchObject({ left: b, right: c, count: 5 });
  pairs.merge({ left: b, right: c }, made);
  expect(pairs.takeBest()).toMatchObject({ left: c, right: a, count: 4 });
  expect(pairs.takeBest()).toMatchObject({ left: a, right: made, count: 2 });
  expect(pairs.takeBest()).toBeUndefined();
});

it('takes no pair that occurs only once', () => {
  expect(new PairCounts([{ symbols: [a, b], count: 1 }], 16).takeBest()).toBeUndefined();
});
