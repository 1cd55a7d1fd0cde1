// The scores of all rows together, each with its 95 % interval, and which label was answered for which.
import { bootstrapInterval, meanInterval, sum } from './intervals.js';
import { readLabel } from './score-answer.js';
import type { RowScores, ScoreKind, Scorer } from './scorer.js';
import { normalizeText } from './texts.js';

interface Score {
  readonly name: string;
  readonly kind: ScoreKind;
  readonly value: number;
  /** The 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** How many rows it is of. */
  readonly rows: number;
}

export interface ScoredRow extends LabelledRow {
  readonly scores: RowScores;
}

export interface ScoreSummary {
  /** The main one first. Scores that no row has are left out. */
  readonly scores: readonly Score[];
  /** Null unless the task has labels. */
  readonly confusion: Confusion | null;
}

export function summarizeScores(scorer: Scorer, rows: readonly ScoredRow[]): ScoreSummary {
  const scores = scorer.names.flatMap(({ name, kind }): Score[] => {
    const values = rows.flatMap(({ scores: of }) => of[name] ?? []);
    if (values.length === 0) return [];
    const value = sum(values) / values.length;
    return [{ name, kind, value, ...meanInterval(values), rows: values.length }];
  });
  if (scorer.kind === 'reward') return { scores: withSpread(scores, rows), confusion: null };
  if (!scorer.labels) return { scores, confusion: null };
  const confusion = countConfusion(scorer.labels, rows);
  const [main, ...others] = scores;
  return { scores: main ? [main, ...scoreLabels(confusion, scorer.labels, rows), ...others] : [], confusion };
}

/** After the mean reward, how far rewards are from it: their standard deviation, which no single row has. */
function withSpread([main, ...others]: readonly Score[], rows: readonly ScoredRow[]): Score[] {
  if (!main) return [];
  const values = rows.flatMap(({ scores: of }) => of[main.name] ?? []);
  if (values.length < 2) return [main, ...others];
  const deviate = (indices: Iterable<number>) => {
    const drawn = Array.from(indices, index => values[index]!);
    const mean = sum(drawn) / drawn.length;
    return Math.sqrt(sum(drawn.map(value => (value - mean) ** 2)) / (drawn.length - 1));
  };
  const spread: Score = {
    ...{ name: 'rewardSpread', kind: 'reward', value: deviate(values.keys()), rows: values.length },
    ...bootstrapInterval(values.length, deviate),
  };
  return [main, spread, ...others];
}

/** The macro F1, which no single row has. */
function scoreLabels(confusion: Confusion, labels: readonly string[], rows: readonly ScoredRow[]): Score[] {
  const places = placeLabels(labels, rows);
  if (places.length === 0) return [];
  const interval = bootstrapInterval(places.length, resample => {
    const counts = labels.map(() => new Array<number>(labels.length + 1).fill(0));
    for (const index of resample) {
      const [expected, answered] = places[index]!;
      counts[expected]![answered]!++;
    }
    return macroF1({ labels, counts });
  });
  return [{ name: 'macroF1', kind: 'mean', value: macroF1(confusion), ...interval, rows: places.length }];
}

interface Confusion {
  readonly labels: readonly string[];
  /** A row for each expected label, a column for each answered one; the last column counts all other answers. */
  readonly counts: readonly (readonly number[])[];
}

interface LabelledRow {
  readonly expected: string;
  readonly answer: string | null;
}

/** Rows whose expected answer is no label of the task are left out: they cannot be right. */
function countConfusion(labels: readonly string[], rows: readonly LabelledRow[]): Confusion {
  const counts = labels.map(() => new Array<number>(labels.length + 1).fill(0));
  for (const [expected, answered] of placeLabels(labels, rows)) counts[expected]![answered]!++;
  return { labels, counts };
}

/** Of each row, the indices of both labels. */
function placeLabels(
  labels: readonly string[],
  rows: readonly LabelledRow[],
): (readonly [expected: number, answered: number])[] {
  const indices = new Map(labels.map((label, index) => [normalizeText(label), index]));
  return rows.flatMap(({ expected, answer }) => {
    const row = indices.get(readLabel(expected));
    return row === undefined ? [] : [[row, indices.get(readLabel(answer)) ?? labels.length] as const];
  });
}

/** The F1 of each label; null if it was neither expected nor answered. @internal */
export function labelF1({ labels, counts }: Confusion): (number | null)[] {
  return labels.map((_, label) => {
    const expected = counts[label]!.reduce((total, count) => total + count, 0);
    const answered = counts.reduce((total, row) => total + row[label]!, 0);
    return expected + answered === 0 ? null : (2 * counts[label]![label]!) / (expected + answered);
  });
}

/** The mean F1 of the labels that were expected or answered. @internal */
export function macroF1(confusion: Confusion): number {
  const known = labelF1(confusion).filter(f1 => f1 !== null);
  return known.length === 0 ? 0 : known.reduce((total, f1) => total + f1, 0) / known.length;
}
