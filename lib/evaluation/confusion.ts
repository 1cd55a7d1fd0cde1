// Which label was answered for which: the matrix, and the F1 of each label.
import { readLabel } from './score-answer.js';
import { normalizeText } from './texts.js';

export interface Confusion {
  readonly labels: readonly string[];
  /** A row for each expected label, a column for each answered one; the last column counts all other answers. */
  readonly counts: readonly (readonly number[])[];
}

export interface LabelledRow {
  readonly expected: string;
  readonly answer: string | null;
}

/** Rows whose expected answer is no label of the task are left out: they cannot be right. */
export function countConfusion(labels: readonly string[], rows: readonly LabelledRow[]): Confusion {
  const counts = labels.map(() => new Array<number>(labels.length + 1).fill(0));
  for (const [expected, answered] of placeLabels(labels, rows)) counts[expected]![answered]!++;
  return { labels, counts };
}

/** Of each row, the indices of both labels. */
export function placeLabels(
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

/** The mean F1 of the labels that were expected or answered. */
export function macroF1(confusion: Confusion): number {
  const known = labelF1(confusion).filter(f1 => f1 !== null);
  return known.length === 0 ? 0 : known.reduce((total, f1) => total + f1, 0) / known.length;
}
