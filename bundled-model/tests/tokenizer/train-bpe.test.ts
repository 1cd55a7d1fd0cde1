import { describe, expect, it } from 'vitest';
import { byteCharacters } from '../../../lib/engine/text/vocabulary.js';
import { createRandom } from '../../../tests/support/random.js';
import { trainBpe } from '../../tokenizer/index.js';
import { wordPattern } from '../../tokenizer/split-words.js';
import { sampleModel, sampleTexts } from './sample-model.js';

const firstBytes = 8;

/** A plain reference implementation that recounts everything for every merge. */
function learnPlainly(texts: readonly string[], count: number): [string, string][] {
  const order = new Map(byteCharacters.map((character, byte) => [character, byte]));
  const words = texts
    .flatMap(text => text.match(new RegExp(wordPattern, 'gu')) ?? [])
    .map(word => Array.from(Buffer.from(word), byte => byteCharacters[byte]!));
  const merges: [string, string][] = [];
  while (merges.length < count) {
    const counts = new Map<string, number>();
    for (const word of words) {
      for (let at = 1; at < word.length; at++) {
        const pair = `${word[at - 1]} ${word[at]}`;
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
      }
    }
    const ranked = [...counts].map(([pair, count]) => ({ pair: pair.split(' ') as [string, string], count }));
    const age = (token: string) => order.get(token)!;
    ranked.sort(
      (x, y) => y.count - x.count || age(x.pair[0]) - age(y.pair[0]) || age(x.pair[1]) - age(y.pair[1]),
    );
    const [left, right] = ranked[0]!.pair;
    merges.push([left, right]);
    order.set(left + right, 256 + merges.length);
    for (const word of words) {
      for (let at = 1; at < word.length; at++) {
        if (word[at - 1] === left && word[at] === right) word.splice(at - 1, 2, left + right);
      }
    }
  }
  return merges;
}

/** Words with few different letters, so that pairs overlap and repeat. */
function makeBabble(seed: number): string[] {
  const random = createRandom(seed);
  const letter = () => 'aaabbcé'[Math.floor(random.next() * 7)]!;
  const word = () => Array.from({ length: 1 + Math.floor(random.next() * 9) }, letter).join('');
  return Array.from({ length: 150 }, () => `${word()} ${word()}, ${word()}!`);
}

describe('training', () => {
  it('merges the same pairs as a full recount', () => {
    expect(sampleModel.merges).toEqual(learnPlainly(sampleTexts, 340 - 264));
  });

  it.each([1, 2, 3, 4])('merges the same pairs where they overlap, in random text %i', seed => {
    const texts = makeBabble(seed);
    const { merges, tokens } = trainBpe(texts, { vocabulary: 364 });
    expect(merges).toEqual(learnPlainly(texts, 100));
    expect(new Set(tokens).size).toBe(364);
  });

  it('gives the same result for any order of the texts', () => {
    expect(trainBpe([...sampleTexts].reverse(), { vocabulary: 340 })).toEqual(sampleModel);
  });

  it('starts a larger vocabulary with the smaller one', () => {
    const small = trainBpe(sampleTexts, { vocabulary: 300 });
    expect(sampleModel.tokens.slice(0, 300)).toEqual(small.tokens);
  });

  it('learns nothing from special tokens, nor across them', () => {
    const marked = sampleTexts.map(text => `<|im_start|>${text}<|im_end|><|reserved_4|>`);
    expect(trainBpe(marked, { vocabulary: 340 })).toEqual(sampleModel);
    const { merges } = trainBpe(['ab<|im_end|>ab<|im_end|>ab'], { vocabulary: 265 });
    expect(merges).toEqual([['a', 'b']]);
  });
});

describe('a vocabulary', () => {
  it('has the requested size, and each token once', () => {
    expect(sampleModel.tokens).toHaveLength(340);
    expect(new Set(sampleModel.tokens).size).toBe(340);
  });

  it('starts with the special tokens, however many are reserved', () => {
    const { tokens, specials } = trainBpe(sampleTexts, { vocabulary: 300, reserved: 1 });
    expect(specials).toEqual(['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<|reserved_0|>']);
    expect(tokens.slice(0, 4)).toEqual(specials);
    expect(tokens).toHaveLength(300);
    expect(sampleModel.specials.at(-1)).toBe('<|reserved_4|>');
  });

  it('has every byte', () => {
    expect(sampleModel.tokens.slice(firstBytes, firstBytes + 256)).toEqual(byteCharacters);
  });

  it('has both sides of each merge before their result', () => {
    const age = new Map(sampleModel.tokens.map((token, id) => [token, id]));
    for (const [left, right] of sampleModel.merges) {
      const made = age.get(left + right)!;
      expect(age.get(left)).toBeLessThan(made);
      expect(age.get(right)).toBeLessThan(made);
    }
    expect(sampleModel.merges).toHaveLength(340 - firstBytes - 256);
  });

  it('has no token that merges a digit with anything', () => {
    const texts = ['1207 1207 1207 x12 x12 12 12 7.5 7.5'];
    const learned = trainBpe(texts, { vocabulary: 265 }).tokens.slice(firstBytes + 256);
    expect(learned).toEqual(['Ġx']);
  });

  it('cannot be smaller than the bytes and special tokens', () => {
    const message = 'A vocabulary has a whole number of tokens, 264 or more.';
    expect(() => trainBpe(sampleTexts, { vocabulary: 263 })).toThrow(message);
    expect(() => trainBpe(sampleTexts, { vocabulary: Number.NaN })).toThrow(message);
    expect(trainBpe([], { vocabulary: 264 }).merges).toEqual([]);
  });

  it('cannot be larger than the texts allow', () => {
    expect(() => trainBpe(['abc abc'], { vocabulary: 4096 })).toThrow(
      'These texts give only 266 tokens: ask for no more than that.',
    );
  });
});
