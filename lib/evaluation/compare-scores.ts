// Is it better? Two candidates on the same rows: the difference, what is known of it, and what that number of rows can tell. A gate
// follows from it: an endpoint serves something new only if it does not lose.

import type { ComparedScore, Gate, GateCheck } from '../contract/index.js';
import { sum } from './intervals.js';
import { bisect, LEVEL, testChanges, testDifferences } from './paired-tests.js';
import type { ScoreKind, ScoreName } from './scorer.js';

/** @internal */
export type Verdict = 'better' | 'worse' | 'no_difference_found';

export interface ScoreComparison {
  /** The compared score. */
  readonly score: string;
  readonly kind: ScoreKind;
  /** The rows for which both have the score. */
  readonly rows: number;
  /** The means of both. */
  readonly value: number;
  readonly againstValue: number;
  /** `value` less `againstValue`, with its 95 % interval. A distance is better if it is lower. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly p: number;
  readonly verdict: Verdict;
  /** The smallest difference that a comparison with this many rows and changes finds in 85 % of cases. */
  readonly findable: number;
  /** How many rows have a better, a worse and the same score. */
  readonly changed: { readonly better: number; readonly worse: number; readonly same: number };
}

/** A pair of a row's scores: the candidate's, and that of what it is compared with. */
export type ScorePair = readonly [score: number, against: number];

/** Compares one score of the same rows. */
export function compareScores({ name, kind }: ScoreName, pairs: readonly ScorePair[]): ScoreComparison {
  const rows = pairs.length;
  const differences = pairs.map(differenceOf);
  const rising = differences.filter(difference => difference > 0).length;
  const falling = differences.filter(difference => difference < 0).length;
  const isBinary = pairs.every(pair => pair.every(score => score === 0 || score === 1));
  const { low, high, p } = isBinary ? testChanges(rising, falling, rows) : testDifferences(differences);
  const difference = rows === 0 ? 0 : sum(differences) / rows;
  const isLowerBetter = kind === 'distance';
  const gain = isLowerBetter ? -difference : difference;
  const [better, worse] = isLowerBetter ? [falling, rising] : [rising, falling];
  const squares = sum(differences.map(value => value ** 2));
  const isShare = kind !== 'distance' && (kind !== 'reward' || isBinary);
  return {
    score: name,
    kind,
    rows,
    value: meanOf(pairs.map(([score]) => score)),
    againstValue: meanOf(pairs.map(([, against]) => against)),
    difference,
    low,
    high,
    p,
    verdict: p >= LEVEL ? 'no_difference_found' : gain > 0 ? 'better' : 'worse',
    findable: isShare ? findableDifference(squares / rows, rows) : findableMean(squares / rows, rows),
    changed: { better, worse, same: rows - better - worse },
  };
}

/** None if only floating point makes one, as between 0.1 + 0.2 and 0.3. */
function differenceOf([score, against]: ScorePair): number {
  const difference = score - against;
  return Math.abs(difference) > 1e-12 * Math.abs(score) ? difference : 0;
}

/** The 97.5th and the 85th percentile of the normal distribution. */
const [Z_TEST, Z_POWER] = [1.959963984540054, 1.0364333894937898];

/**
 * For scores from 0 to 1, if the squares of the rows' changes have this mean, which is the share of rows that change if they
 * change by 1. A difference cannot be larger than the share that changes, so with a small share, all changes are assumed to
 * go one way.
 * @internal
 */
export function findableDifference(meanSquare: number, rows: number): number {
  if (rows === 0) return 1;
  return bisect(0, 1, difference => {
    const changes = Math.max(meanSquare, difference);
    const spread = Math.sqrt(Math.max(0, changes - difference ** 2));
    return difference * Math.sqrt(rows) < Z_TEST * Math.sqrt(changes) + Z_POWER * spread;
  });
}

function findableMean(meanSquare: number, rows: number): number {
  return rows === 0 ? 0 : (Z_TEST + Z_POWER) * Math.sqrt(meanSquare / rows);
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

type Outcome = GateCheck['outcome'];

/**
 * Without a margin, it fails if a loss was found. With one, it passes only if the whole interval lies above that loss: too few
 * rows fail.
 */
export function judgeComparison(compared: ComparedScore, margin: number | null): Outcome {
  const holds = margin === null ? compared.verdict !== 'worse' : isWithin(compared, margin);
  return holds ? 'passed' : 'failed';
}

/** Non-inferiority: the whole interval lies above a loss of `by`. */
function isWithin({ kind, low, high }: Pick<ScoreComparison, 'kind' | 'low' | 'high'>, by: number): boolean {
  return (kind === 'distance' ? -high : low) >= -by;
}

/** A check that was made elsewhere, or why it was not made. */
export type OtherCheck = GateCheck & { readonly check: 'tests' | 'general' };

/** An evaluation, before or after the cloud has it. */
interface Comparable {
  readonly data: { readonly rows: number };
  /** How many rows have no answer. */
  readonly failed: number;
  readonly comparison?: { readonly scores: readonly ComparedScore[] } | null | undefined;
}

/** The main score of both; or why there is none that could decide. */
export function findComparison({ comparison, data, failed }: Comparable): ComparedScore | string {
  if (failed === data.rows) return 'No row has an answer.';
  return comparison?.scores[0] ?? 'No row has a score of both.';
}

/** The verdict on an evaluation that compares a candidate with what is served. */
export function buildGate(
  input: Comparable,
  { margin, trial }: Pick<Gate, 'margin' | 'trial'>,
  others: readonly OtherCheck[],
): Gate {
  const compared = findComparison(input);
  const rows: GateCheck =
    typeof compared === 'string'
      ? { check: 'rows', outcome: 'failed', note: compared }
      : { check: 'rows', outcome: judgeComparison(compared, margin) };
  const isOf = (name: GateCheck['check']) => (other: OtherCheck) => other.check === name;
  const checks = [...others.filter(isOf('tests')), rows, ...others.filter(isOf('general'))];
  const passed = checks.every(({ outcome }) => outcome !== 'failed');
  return { passed, movesFollowers: trial === undefined, ...(trial && { trial }), margin, checks };
}
