// Tests and intervals of the mean difference between two paired lists of scores. Each interval excludes 0 exactly if its test
// finds a difference, so both always say the same.
import { createRandom } from '../engine/random.js';
import { type Interval, Z_95 } from './intervals.js';

/** The level of the tests. */
export const LEVEL = 0.05;

export interface Tested extends Interval {
  /** How likely a difference at least as large is between equal candidates. */
  readonly p: number;
}

/**
 * For scores of 0 and 1, of which only rows that changed matter. The test is McNemar's with mid-p or, where that is larger,
 * without (with few changes, either may be too small); the interval is Tango's, as wide as the test asks.
 */
export function testChanges(better: number, worse: number, rows: number): Tested {
  if (rows === 0) return { low: -1, high: 1, p: 1 };
  const changed = better + worse;
  const score = changed === 0 ? 1 : normalP(Math.abs(better - worse) / Math.sqrt(changed));
  const p = Math.max(score, midP(better, worse));
  const interval = tangoInterval(better, worse, rows);
  return { ...(p < LEVEL ? interval : withZero(interval)), p };
}

function withZero({ low, high }: Interval): Interval {
  return { low: Math.min(low, 0), high: Math.max(high, 0) };
}

/** Two-sided, of the binomial distribution with even chances; the observed count weighs half. @internal */
export function midP(better: number, worse: number): number {
  if (better === worse) return 1;
  const changed = better + worse;
  const fewer = Math.min(better, worse);
  let logChance = -changed * Math.LN2;
  let total = 0;
  for (let count = 0; count < fewer; count++) {
    total += Math.exp(logChance);
    logChance += Math.log((changed - count) / (count + 1));
  }
  return Math.min(1, 2 * total + Math.exp(logChance));
}

/** Tango's score interval of the difference between paired shares. @internal */
export function tangoInterval(better: number, worse: number, rows: number): Interval {
  const difference = (better - worse) / rows;
  /** Falls as the assumed difference rises. */
  const score = (assumed: number) => {
    const b = -better - worse + (2 * rows - better + worse) * assumed;
    const c = -worse * assumed * (1 - assumed);
    const fewer = (Math.sqrt(Math.max(0, b * b - 8 * rows * c)) - b) / (4 * rows);
    const variance = rows * (2 * fewer + assumed * (1 - assumed));
    return variance <= 0
      ? Math.sign(difference - assumed) * Number.POSITIVE_INFINITY
      : (better - worse - rows * assumed) / Math.sqrt(variance);
  };
  return {
    low: bisect(-1, difference, assumed => score(assumed) > Z_95),
    high: bisect(difference, 1, assumed => score(assumed) > -Z_95),
  };
}

/** Where `isBelow` turns from true to false. */
export function bisect(from: number, to: number, isBelow: (value: number) => boolean): number {
  let [low, high] = [from, to];
  for (let round = 0; round < 60; round++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const FLIPS = 4999;

/** Sizes of changes that differ by less than this share are equal: a score of 0.3 is 0.1 better than 0.2 as 0.4 is than 0.3. */
const NOISE = 1e-6;

/**
 * For graded scores: the sign of each difference is flipped at random, as if the candidates' names were exchanged, and the
 * mean in units of its standard error is compared with the result.
 */
export function testDifferences(differences: readonly number[], seed = 1): Tested {
  const rows = differences.length;
  const changed = Float64Array.from(differences.filter(difference => difference !== 0));
  const same = Math.abs(changed[0] ?? 1);
  const areSame = changed.every(difference => Math.abs(Math.abs(difference) - same) <= NOISE * same);
  const mean = changed.reduce((total, difference) => total + difference, 0) / rows;
  const squares = changed.reduce((total, difference) => total + difference ** 2, 0) / rows;
  const errorOf = (ofMean: number) => Math.sqrt(Math.max(0, squares - ofMean ** 2) / Math.max(1, rows - 1));
  if (areSame || errorOf(mean) === 0) {
    const better = changed.filter(difference => difference > 0).length;
    const { low, high, p } = testChanges(better, changed.length - better, rows);
    return { low: low * same, high: high * same, p };
  }
  const ratioOf = (ofMean: number) => Math.abs(ofMean) / errorOf(ofMean);
  const flipped = flipSigns(changed, seed).map(total => ratioOf(total / rows));
  const ratio = ratioOf(mean);
  const slack = 1e-9 * ratio;
  const atLeast = flipped.filter(other => other >= ratio - slack).length;
  const above = flipped.filter(other => other > ratio + slack).length;
  // The observed one is one of them.
  const p = Math.min(1, (above + (atLeast - above + 1) / 2) / (FLIPS + 1));
  const limit = flipped.sort()[Math.floor((1 - LEVEL) * FLIPS)]!;
  const half = p < LEVEL ? Math.min(limit, ratio - slack) : Math.max(limit, ratio + slack);
  return { low: mean - half * errorOf(mean), high: mean + half * errorOf(mean), p };
}

/** The sums with random signs. */
function flipSigns(values: Float64Array, seed: number): Float64Array {
  const random = createRandom(seed, values.length);
  return Float64Array.from({ length: FLIPS }, () => {
    let total = 0;
    let bits = 0;
    for (let index = 0; index < values.length; index++) {
      if (index % 32 === 0) bits = random.bits();
      total += bits & 1 ? values[index]! : -values[index]!;
      bits >>>= 1;
    }
    return total;
  });
}

/** Both tails of the normal distribution beyond `z`: Abramowitz and Stegun 7.1.26 has an error below 1.5e-7. */
function normalP(z: number): number {
  const x = z / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return series * Math.exp(-x * x);
}
