import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SIMILARITIES, type Similarity } from '../../lib/contract/index.js';
import { commonLength, measureSimilarity } from '../../lib/grading/similarity.js';
import { createRandom } from '../support/random.js';

interface Measured {
  input: string;
  reference: string;
  scores: Record<Similarity, number>;
}

/** What rapidfuzz, sacrebleu, nltk and rouge-score say. */
const measured = JSON.parse(
  readFileSync(new URL('../golden/graders/similarities.json', import.meta.url), 'utf8'),
) as Measured[];

describe('text similarity', () => {
  it.each(SIMILARITIES)('%s equals its Python reference', metric => {
    // Without letters of ASCII, rouge-score has no words, and this one does.
    const isComparable = ({ input }: Measured) =>
      !metric.startsWith('rouge') || /^[\x20-\x7f\n]*[a-z][\x20-\x7f\n]*$/i.test(input);
    const compared = measured.filter(isComparable);
    expect(compared.length).toBeGreaterThan(12);
    for (const { input, reference, scores } of compared)
      expect(measureSimilarity(metric, input, reference), `${input} | ${reference}`).toBeCloseTo(
        scores[metric],
        9,
      );
  });

  it('compares words of any script', () => {
    expect(measureSimilarity('rouge_1', 'こんにちは', 'こんばんは')).toBeCloseTo(0.6);
    expect(measureSimilarity('rouge_l', 'naïve café', 'café naïve')).toBe(0.5);
  });

  it('refuses texts that would take too long, by name of the limit', () => {
    const long = 'x'.repeat(32_769);
    expect(() => measureSimilarity('fuzzy_match', long, 'x')).toThrow('up to 32,768 characters');
  });
});

describe('the longest common subsequence', () => {
  it('equals the one that a table gives, across words of bits', () => {
    const random = createRandom(7);
    for (let round = 0; round < 200; round++) {
      const list = (longest: number) =>
        Array.from({ length: Math.floor(random.next() * longest) }, () => Math.floor(random.next() * 4));
      const [a, b] = [list(100), list(150)];
      expect(commonLength(a, b)).toBe(byTable(a, b));
    }
  });
});

function byTable(a: readonly number[], b: readonly number[]): number {
  let above = new Array<number>(b.length + 1).fill(0);
  for (const item of a) {
    const row = [0];
    for (const [i, other] of b.entries())
      row.push(item === other ? above[i]! + 1 : Math.max(row[i]!, above[i + 1]!));
    above = row;
  }
  return above.at(-1)!;
}
