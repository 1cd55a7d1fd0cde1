// Metrics of text similarity, from 0 to 1: rapidfuzz's `ratio`, sacrebleu's sentence BLEU, Google BLEU, and ROUGE's F1.
import type { Similarity } from '../contract/index.js';
import { countShared, listF1, wordsOf } from '../evaluation/index.js';
import { GradingError } from './faults.js';

/** Comparing takes the product of both lengths. */
const LONGEST = 32_768;

export function measureSimilarity(metric: Similarity, input: string, reference: string): number {
  if (Math.max(input.length, reference.length) > LONGEST)
    throw new GradingError(
      'other_error',
      `Texts are compared up to ${LONGEST.toLocaleString('en')} characters, and one is longer.`,
    );
  return METRICS[metric](input, reference);
}

const METRICS: Readonly<Record<Similarity, (input: string, reference: string) => number>> = {
  fuzzy_match: (input, reference) => commonShare(Array.from(input), Array.from(reference), 1),
  bleu,
  gleu,
  rouge_1: rouge(1),
  rouge_2: rouge(2),
  rouge_3: rouge(3),
  rouge_4: rouge(4),
  rouge_5: rouge(5),
  rouge_l: (input, reference) => commonShare(wordsOf(input), wordsOf(reference), 0),
};

/** The F1 of the longest common subsequence. */
function commonShare(input: readonly string[], reference: readonly string[], ofNothing: number): number {
  const total = input.length + reference.length;
  return total === 0 ? ofNothing : (2 * commonLength(input, reference)) / total;
}

function rouge(size: number) {
  return (input: string, reference: string) => {
    const [expected, given] = [grams(wordsOf(reference), size), grams(wordsOf(input), size)];
    return expected.length + given.length === 0 ? 0 : listF1(expected, given);
  };
}

/** As texts: tokens have no white space. */
function grams(tokens: readonly string[], size: number): string[] {
  return tokens.slice(size - 1).map((_, i) => tokens.slice(i, i + size).join(' '));
}

const LARGEST_GRAM = 4;
const SIZES = Array.from({ length: LARGEST_GRAM }, (_, i) => i + 1);

interface Overlap {
  shared: number;
  given: number;
  expected: number;
}

function overlap(input: readonly string[], reference: readonly string[], size: number): Overlap {
  const [given, expected] = [grams(input, size), grams(reference, size)];
  return {
    shared: countShared(expected, given),
    given: given.length,
    expected: expected.length,
  };
}

/** With as many sizes of n-grams as the input has; each that matches nothing counts half of the one before. */
function bleu(input: string, reference: string): number {
  const [tokens, expected] = [tokenize(input), tokenize(reference)];
  const counted = SIZES.map(size => overlap(tokens, expected, size)).filter(({ given }) => given > 0);
  if (counted.every(({ shared }) => shared === 0)) return 0;
  let smoothing = 1;
  const logs = counted.map(({ shared, given }) => {
    if (shared > 0) return Math.log(shared / given);
    smoothing *= 2;
    return Math.log(1 / (smoothing * given));
  });
  const brevity = tokens.length < expected.length ? Math.exp(1 - expected.length / tokens.length) : 1;
  return brevity * Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

/** The lower of precision and recall over all n-grams. */
function gleu(input: string, reference: string): number {
  const [tokens, expected] = [tokenize(input), tokenize(reference)];
  const all = SIZES.map(size => overlap(tokens, expected, size));
  const sum = (of: (one: Overlap) => number) => all.reduce((total, one) => total + of(one), 0);
  const most = Math.max(
    sum(({ given }) => given),
    sum(one => one.expected),
  );
  return most === 0 ? 0 : sum(({ shared }) => shared) / most;
}

/** Machine translation's usual tokens (`13a`): punctuation is apart, except within numbers. */
function tokenize(text: string): string[] {
  const spaced = text
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
  const parted = ` ${spaced} `
    .replace(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ');
  return parted.split(/\s+/).filter(token => token !== '');
}

/**
 * The length of the longest common subsequence, 32 places at a time (Hyyrö's bit-parallel algorithm): `a.length * b.length / 32`
 * operations.
 * @internal
 */
export function commonLength<T>(a: readonly T[], b: readonly T[]): number {
  const words = Math.ceil(a.length / 32);
  if (words === 0 || b.length === 0) return 0;
  const places = new Map<T, Uint32Array>();
  for (const [i, item] of a.entries()) {
    const mask = places.get(item) ?? new Uint32Array(words);
    mask[i >>> 5]! |= 1 << (i & 31);
    places.set(item, mask);
  }
  // A zero bit is a place at which the subsequence grew.
  const state = new Uint32Array(words).fill(0xffffffff);
  for (const item of b) {
    const mask = places.get(item);
    if (mask) advance(state, mask);
  }
  let length = 0;
  for (let i = 0; i < a.length; i++) if (((state[i >>> 5]! >>> (i & 31)) & 1) === 0) length++;
  return length;
}

function advance(state: Uint32Array, mask: Uint32Array): void {
  let carry = 0;
  for (let word = 0; word < state.length; word++) {
    const value = state[word]!;
    const matched = (value & mask[word]!) >>> 0;
    const total = value + matched + carry;
    carry = total > 0xffffffff ? 1 : 0;
    state[word] = (total | (value & ~mask[word]!)) >>> 0;
  }
}
