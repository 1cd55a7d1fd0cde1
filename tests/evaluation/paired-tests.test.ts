import { describe, expect, it } from 'vitest';
import { compareScores, findableDifference } from '../../lib/evaluation/index.js';
import { midP, tangoInterval, testDifferences } from '../../lib/evaluation/paired-tests.js';
import { simulate } from '../bench/gate/simulate.js';

const accuracy = { name: 'accuracy', kind: 'share' } as const;

/** Of `rows`, so many that only the candidate has right, and so many that only the other one has. */
function pairsOf(better: number, worse: number, rows: number): (readonly [number, number])[] {
  return Array.from({ length: rows }, (_, row) => {
    if (row < better) return [1, 0];
    return row < better + worse ? [0, 1] : [1, 1];
  });
}

describe('a comparison of right and wrong answers', () => {
  it('has the p and the interval of the published example of 21 patients', () => {
    // Fagerland, Lydersen and Laake 2014: 7 and 1 changed; mid-p 0.039, Tango -0.517 to -0.026.
    expect(midP(1, 7)).toBeCloseTo(0.039, 3);
    const { low, high } = tangoInterval(1, 7, 21);
    expect([low, high]).toEqual([expect.closeTo(-0.517, 3), expect.closeTo(-0.026, 3)]);
    const found = compareScores(accuracy, pairsOf(1, 7, 21));
    expect(found).toMatchObject({ verdict: 'worse', rows: 21, changed: { better: 1, worse: 7, same: 13 } });
    expect(found.difference).toBeCloseTo(-6 / 21, 10);
  });

  it('adds up both tails of many changes', () => {
    // Of the binomial distribution with 2,000 even chances, whose first term is less than a number can be.
    expect(midP(950, 1050)).toBeCloseTo(0.0253, 3);
    expect(midP(1000, 1000)).toBe(1);
    expect(midP(0, 0)).toBe(1);
  });

  it('finds nothing in four changes, even if all go one way', () => {
    const found = compareScores(accuracy, pairsOf(0, 4, 200));
    expect(found.verdict).toBe('no_difference_found');
    expect(found.high).toBeGreaterThanOrEqual(0);
  });

  it('knows little of candidates that agree on a few rows, and more on many', () => {
    const few = compareScores(accuracy, pairsOf(0, 0, 10));
    const many = compareScores(accuracy, pairsOf(0, 0, 1000));
    expect(few.high).toBeGreaterThan(0.2);
    expect(many.high).toBeLessThan(0.005);
    expect([few.verdict, many.verdict]).toEqual(['no_difference_found', 'no_difference_found']);
  });

  it('says the same with its interval as with its p, whatever has changed', () => {
    for (let better = 0; better <= 30; better++)
      for (let worse = 0; worse <= 30; worse++) {
        const { low, high, p } = compareScores(accuracy, pairsOf(better, worse, 60));
        expect(low > 0 || high < 0).toBe(p < 0.05);
      }
  });

  it('compares nothing without rows', () => {
    expect(compareScores(accuracy, [])).toMatchObject({ verdict: 'no_difference_found', rows: 0, p: 1 });
  });
});

describe('a comparison of graded scores', () => {
  it('is as exact as the binomial test where all changes are of one size', () => {
    const halves = pairsOf(1, 7, 21).map(([one, other]) => (one - other) / 2);
    const { low, high, p } = testDifferences(halves);
    expect(p).toBeCloseTo(0.039, 3);
    expect([low, high]).toEqual([expect.closeTo(-0.517 / 2, 3), expect.closeTo(-0.026 / 2, 3)]);
  });

  it('finds a steady gain, and none in changes that cancel out', () => {
    const gains = Array.from({ length: 40 }, (_, row) => 0.05 + (row % 5) / 100);
    expect(testDifferences(gains).p).toBeLessThan(0.001);
    expect(testDifferences(gains).low).toBeGreaterThan(0.06);
    const swings = gains.map((gain, row) => (row % 2 ? gain : -gain));
    expect(testDifferences(swings).p).toBeGreaterThan(0.5);
  });

  it('says the same with its interval as with its p, and the same each time', () => {
    for (let shift = 0; shift < 30; shift++) {
      const differences = Array.from({ length: 25 }, (_, row) => Math.sin(row * 7.3) / 3 + shift / 80);
      const { low, high, p } = testDifferences(differences);
      expect(low > 0 || high < 0).toBe(p < 0.05);
      expect(testDifferences(differences)).toEqual({ low, high, p });
    }
  });

  it('takes no notice of what floating point adds to a difference', () => {
    const reward = { name: 'reward', kind: 'reward' } as const;
    const from = (start: number) =>
      compareScores(reward, [
        [start, start + 0.1],
        [start + 0.1, start + 0.1 + 0.1],
      ]);
    expect(from(0.2)).toMatchObject({ verdict: 'no_difference_found', p: 0.25 });
    expect(from(0.2).low).toBeCloseTo(from(0).low, 9);
    expect(from(0.2).high).toBeCloseTo(from(0).high, 9);
    const equal = compareScores(reward, Array(20).fill([0.1 + 0.2, 0.3]));
    expect(equal).toMatchObject({ p: 1, difference: 0, changed: { same: 20 } });
  });

  it('has an interval where one of many changes is hardly another one', () => {
    const { low, high, p } = testDifferences([...Array(5000).fill(0.1), 0.1 + 3e-7]);
    expect(p).toBeLessThan(0.001);
    expect([low, high]).toEqual([expect.closeTo(0.1, 3), expect.closeTo(0.1, 3)]);
  });

  it('calls a smaller distance better', () => {
    const pairs = Array.from({ length: 50 }, (_, row) => [1 + (row % 3), 3 + (row % 4)] as const);
    const found = compareScores({ name: 'distance.amount', kind: 'distance' }, pairs);
    expect(found).toMatchObject({ verdict: 'better', changed: { worse: 0 } });
    expect(found.difference).toBeLessThan(0);
  });
});

describe('what comparisons find in 1,000 simulated ones', () => {
  it('raises at most 65 false alarms between equal models at 200 rows', () => {
    for (const changed of [0.05, 0.2, 0.4]) {
      const { better, worse } = simulate({ rows: 200, changed, loss: 0 }, 1000);
      expect(better + worse).toBeLessThanOrEqual(65);
      expect(better + worse).toBeGreaterThan(20);
    }
  });

  it('does so for graded scores as well', () => {
    const { better, worse } = simulate({ rows: 200, changed: 0.2, loss: 0, graded: true }, 300);
    expect(better + worse).toBeLessThanOrEqual(20);
    expect(better + worse).toBeGreaterThan(3);
  });

  it('finds a loss of 10 points with 20 % of the answers changed in at least 85 %', () => {
    expect(simulate({ rows: 200, changed: 0.2, loss: 0.1 }, 1000)).toMatchObject({
      better: 0,
      worse: expect.toSatisfy((found: number) => found >= 850),
    });
  });

  it('finds the difference that it says so many rows can tell in about 85 %', () => {
    for (const rows of [50, 100, 200]) {
      const loss = findableDifference(0.2, rows);
      const { worse } = simulate({ rows, changed: 0.2, loss }, 500);
      expect(worse / 500).toBeGreaterThan(0.8);
      expect(worse / 500).toBeLessThan(0.95);
    }
  });
});
