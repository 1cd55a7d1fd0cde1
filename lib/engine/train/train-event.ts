// What a training run reports. Types only.

import type { WeightPrecision } from '../int8/index.js';
import type { Preparing } from './background-reader.js';
import type { Metrics } from './objective.js';
import type { LongRows } from './row-sweep.js';

interface SavedCheckpoint {
  type: 'checkpoint';
  step: number;
  folder: string;
}

export type TrainEvent =
  | Preparing
  | {
      type: 'started';
      totalSteps: number;
      trainableParameters: number;
      /** Tokens to learn in one epoch; null until all rows have been read. */
      trainTokens: number | null;
      /** The precision of frozen weights. */
      weights?: WeightPrecision;
      tooLong?: LongRows;
      resumedFromStep: number | null;
      /** Steps of later checkpoints that the run could not resume from because they are damaged. */
      damagedCheckpoints: number[];
    }
  | {
      type: 'log';
      step: number;
      loss?: number;
      evalLoss?: number;
      learningRate?: number;
      /** What else was measured, by name; of an evaluation with `eval` before it. */
      metrics?: Metrics;
      epoch: number;
      /** Since the last log. */
      tokens: number;
      /** Since the last log. */
      tokensPerSecond?: number;
    }
  | SavedCheckpoint
  | { type: 'paused'; step: number }
  | {
      type: 'completed';
      step: number;
      folder: string;
      /** All kept checkpoints, including those of earlier attempts. */
      checkpoints: { step: number; folder: string }[];
      metrics: { trainLoss: number | null; evalLoss: number | null; [name: string]: number | null };
    };
