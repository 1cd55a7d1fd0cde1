// What a run minimizes: the mean loss of all labels, or the preference loss of pairs of answers.
import { countLabels, type Example, type Pass, toPass } from './packing.js';

/** Measured in addition to the loss, by name. */
export type Metrics = Readonly<Record<string, number>>;

type Lines = readonly (readonly Example[])[];

export interface Objective {
  /** For the rows of a step. */
  prepare(examples: readonly Example[], step: StepControl): Promise<StepObjective>;
  close(): Promise<void>;
}

/** A step, before its passes. */
export interface StepControl {
  signal?: AbortSignal | undefined;
  /** Its number in the run, from 1, and its place in the order of rows, from 0. */
  step: number;
  position: number;
  /** Brings the parameters here, if they are on a GPU. */
  pull(): Promise<void>;
}

export interface StepObjective {
  /** What is learned, if it is not the rows themselves. */
  examples?: readonly Example[];
  toPass(lines: Lines): Pass;
  /** The losses of a pass's rows, from those of its labels. `divergences`: of labels from what a teacher expects, if it is learned. */
  read(lines: Lines, labelLosses: Float32Array, divergences?: Float32Array): RowLoss[];
  /** Totals of all passes so far. */
  metrics(): Metrics | null;
  /** How long parts of its preparation took, by the names under which they are measured. */
  seconds?: Metrics;
}

/** Supervised fine-tuning. */
export const supervised: Objective = {
  async prepare(examples) {
    const labels = examples.reduce((sum, example) => sum + countLabels(example), 0);
    return { toPass: lines => toPass(lines, 1 / labels), read: sumByRow, metrics: () => null };
  },
  async close() {},
};

/** A row's contribution to a step. */
export interface RowLoss {
  /** Its index among all rows of the data set. */
  row: number;
  /** How many tokens were learned from it. */
  labels: number;
  /** Their mean loss. */
  loss: number;
}

/**
 * From the losses of a pass's labels to the mean loss of each of its rows. `labelLosses` has the labels in the order in
 * which `toPass` writes them. Skips examples that do not belong to a row.
 */
export function sumByRow(lines: readonly (readonly Example[])[], labelLosses: ArrayLike<number>): RowLoss[] {
  const losses: RowLoss[] = [];
  let at = 0;
  for (const example of lines.flat()) {
    const labels = countLabels(example);
    let sum = 0;
    for (const end = at + labels; at < end; at++) sum += labelLosses[at]!;
    if (example.row !== undefined && labels > 0)
      losses.push({ row: example.row, labels, loss: sum / labels });
  }
  return losses;
}
