// What a run minimizes: the mean loss of all labels, or, of pairs of answers, how little the chosen one is preferred.
import { countLabels, type Example, type Pass, toPass } from './packing.js';
import { type RowLoss, sumByRow } from './row-losses/index.js';

/** Measured beside the loss, by name. */
export type Metrics = Readonly<Record<string, number>>;

type Lines = readonly (readonly Example[])[];

export interface Objective {
  /** For the rows of a step. */
  prepare(examples: readonly Example[], signal?: AbortSignal): Promise<StepObjective>;
  close(): Promise<void>;
}

interface StepObjective {
  toPass(lines: Lines): Pass;
  /** The losses of a pass's rows, from those of its labels. */
  read(lines: Lines, labelLosses: Float32Array): RowLoss[];
  /** Of all passes that were read. */
  metrics(): Metrics | null;
}

/** Learns rows as they are. */
export const supervised: Objective = {
  async prepare(examples) {
    const labels = examples.reduce((sum, example) => sum + countLabels(example), 0);
    return { toPass: lines => toPass(lines, 1 / labels), read: sumByRow, metrics: () => null };
  },
  async close() {},
};
