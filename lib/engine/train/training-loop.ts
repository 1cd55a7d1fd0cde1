// The inputs, events and controls of a training loop, independent of what it trains. Types only.
import type { WeightPrecision } from '../int8/index.js';
import type { Learned } from './adam-w.js';
import type { Evaluator } from './evaluate.js';
import type { Metrics, Objective } from './objective.js';
import type { RequestedOptions } from './options.js';
import type { Example } from './packing.js';
import type { Score } from './rewards/objective.js';
import type { BackgroundReader, LongRows, Preparing } from './row-sweep.js';
import type { StepRunner } from './runners.js';
import type { ParameterState } from './state.js';

export interface TrainingLoop<S extends ParameterState = ParameterState> {
  plan: { totalSteps: number; stepsPerEpoch: number };
  /** The rows of a step; steps count from 0. */
  examplesOf(step: number): Example[];
  objective: Objective;
  options: RequestedOptions;
  state: S;
  /** Fills the state of a new run. */
  initialize(state: S): void;
  /** The folder with the optimizer of another run, which goes on in a new run; null for a fresh one. */
  optimizerFrom?: string | null;
  /** Identifies the order of rows. */
  order?: string;
  /** Of what is learned, which has the same state. */
  createRunner(learned: Learned): Promise<StepRunner>;
  evaluator: Evaluator | null;
  /** Writes what is trained, such as an adapter, in a form that is useful without the run. */
  save(folder: string): Promise<void>;
  /** Reads what `save` wrote; the function it returns puts it into the state. */
  load(folder: string): Promise<() => void>;
  /** Whether pruned checkpoints keep what was trained and lose only what a resumed run needs. */
  keepsTrained: boolean;
  /** Whether the end also saves the state that another run goes on from. */
  keepsFinalState: boolean;
  /** Tokens to learn in one epoch; null until all rows have been read. */
  trainTokens: number | null;
  /** Set while some rows have not been read yet. */
  reader: BackgroundReader | null;
  tooLong: LongRows | null;
  /** Whether the run reads all rows before it ends, even if its steps do not need them. */
  readsAllRows: boolean;
  /** Rows in the data set, visits of rows in the run, and the first row that is not recorded, if the losses of rows are. */
  recordedRows?: { rows: number; visits: number; upTo?: number | undefined };
  /** The precision of frozen weights. */
  weights?: WeightPrecision;
  /** Identifies everything that determines the results. Checkpoints with another fingerprint are an error. */
  fingerprint: string;
  /** Another one that its checkpoints may have. */
  otherFingerprint?: string;
  folder: string;
  control: RunControl;
}

/** Controls a run from outside. */
export interface RunControl {
  /** Stops between two passes with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Stops after the current step, with a checkpoint to resume from. */
  pause?: AbortSignal | undefined;
  /** The number of this attempt at the run. If the folder's `attempt` file names another, saving fails. */
  attempt?: number | undefined;
  /** Asks for the rewards of a step's answers, for a run that learns from them. */
  score?: Score | undefined;
  /** Called with the fault's code while a save waits for the disk, and with null once it is done. */
  onHeldUp?: ((code: string | null) => void) | undefined;
}

interface SavedCheckpoint {
  type: 'checkpoint';
  step: number;
  folder: string;
}

/** What a training run reports. */
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
      /** Other metrics, by name; those of an evaluation start with `eval`. */
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
