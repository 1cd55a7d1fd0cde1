// The options of `createTrainer` and the arguments of its callbacks.
import type {
  AdapterRef,
  Artifact,
  ChatCompletion,
  ChatCompletionChunk,
  ColumnMap,
  InferenceRequest,
  JobConfigInput,
  JobEvent,
  RunResources,
  SampleInput,
} from '../../contract/index.js';

interface Mapped {
  /** For columns that training knows, the columns that stand for them: `{ prompt: 'question', completion: 'answer' }`. */
  columns?: ColumnMap;
  map?: MapRow;
}

/**
 * Makes the row to train on from a row as it is, or null to leave it out. It runs in your process, which also downloads
 * data sets from the Hub and from URLs for it; what it returns is uploaded.
 */
// biome-ignore lint/suspicious/noExplicitAny: the columns of a data set are whatever its author chose.
export type MapRow = (row: Record<string, any>) => MappedRow | Promise<MappedRow>;

type MappedRow = object | null | undefined;

/** Where rows come from. Paths are relative to the project folder. */
export type DatasetInput =
  | ({ type: 'file'; path: string } & Mapped)
  | { type: 'rows'; rows: readonly object[] }
  | ({ type: 'huggingface'; name: string; split?: string; subset?: string } & Mapped)
  | ({ type: 'blob'; url: string; token?: string } & Mapped);

export interface LoraOptions {
  /** Rank. Default: 16. */
  r?: number;
  /** Scaling is `alpha / r`. Default: 32. */
  alpha?: number;
  dropout?: number;
  targetModules?: NonNullable<JobConfigInput['targetModules']>;
}

/**
 * Learns which of two answers is preferred (direct preference optimization), from rows with a prompt, a `chosen` and a
 * `rejected` answer. The base model without the adapter is what it compares with.
 */
export interface DpoMethod {
  type: 'dpo';
  /** How strongly the adapter is held to the base model: the lower, the further it may move. Default: 0.1. */
  beta?: number;
  /** The share of pairs that may be the wrong way round, from 0 to less than 0.5. Default: 0. */
  labelSmoothing?: number;
  /** Adds the usual loss of the chosen answers with this weight, so that they do not become less likely. Default: 0. */
  sftWeight?: number;
}

export interface TrainerOptions {
  /** Shown in lists. 1 to 100 characters. */
  name: string;
  /** To find its runs by. Up to 20. */
  tags?: readonly string[];
  /** Default: the cloud's base model. */
  model?: string;
  dataset: DatasetInput;
  /** Rows to evaluate on. Or set `evalFraction` to hold out part of `dataset`. */
  evalDataset?: DatasetInput;
  /** Rows are chosen by what they say, so that each stays on its side when the data set grows. Equal rows stay together. */
  evalFraction?: number;
  /** What to learn from the rows. Default: `sft`, their answers as they are. */
  method?: { type: 'sft' } | DpoMethod;
  lora?: LoraOptions;
  /** The maximum row length, in tokens. */
  maxLength?: number;
  /**
   * What to do with longer rows. `truncate` (default) cuts off the end, and skips the row if nothing is left to learn;
   * `skip` skips it; `error` fails the job and names the row.
   */
  tooLong?: NonNullable<JobConfigInput['tooLong']>;
  /** Optimizer steps. Default: as many as `epochs` takes. */
  maxSteps?: number;
  epochs?: number;
  learningRate?: number;
  batchSize?: number;
  gradientAccumulationSteps?: number;
  lrScheduler?: NonNullable<JobConfigInput['lrSchedulerType']>;
  warmupSteps?: number;
  weightDecay?: number;
  loggingSteps?: number;
  /**
   * How often to save the adapter, in steps (default: 50). It is also saved at the end. All checkpoints are kept with
   * the job, to chat with or publish. The state to resume training from is kept only for the last three and the best.
   */
  saveSteps?: number;
  evalSteps?: number;
  /** Train only on the assistant's messages. Default: true. */
  trainOnResponsesOnly?: boolean;
  seed?: number;
  /** What it needs on a cluster. Default: one CPU for one worker. Without effect on a cloud that trains on its own machine. */
  resources?: RunResources;
  /** What trains on a cluster: svc's own engine or PyTorch. Default: PyTorch where there is a GPU. */
  engine?: NonNullable<JobConfigInput['engine']>;
  /**
   * Up to 20 conversations that the base model, each checkpoint and the final adapter answer at temperature 0, to see what
   * is learned: `[{ messages: [{ role: 'user', content: 'My parcel is broken.' }] }]`. Only a job with samples has
   * `sample.generated` in its event stream.
   */
  samples?: readonly SampleInput[];
  /**
   * Scores of your own, measured by this program at each checkpoint and of the final adapter, one after the other, while
   * training goes on: `{ accuracy: async ({ infer }) => … }` returns a number. Both faces chart them beside the loss.
   * What throws or returns no finite number is told, and nothing else stops. Only a job with evals has `score.recorded` in
   * its event stream.
   */
  evals?: Readonly<Record<string, Eval>>;
  /**
   * The score that decides which adapter is the best, also for endpoints that follow it; the highest unless `higher` is
   * false. Default: the lowest evaluation loss decides.
   */
  bestBy?: string | { score: string; higher?: boolean };
  /** Runs a single step to check that everything fits. Nothing is kept. */
  dryRun?: boolean;
  callbacks?: TrainerCallbacks;
  /** Cancels the job on abort; `wait()` then rejects with the signal's reason. */
  abortSignal?: AbortSignal;
}

type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

/** A conversation for the adapter to answer. */
export type InferInput = Omit<InferenceRequest, 'baseModel' | 'adapter' | 'stream'>;

export interface Infer {
  (input: InferInput & { stream: true }): AsyncGenerator<ChatCompletionChunk>;
  (input: InferInput & { stream?: false }): Promise<ChatCompletion>;
}

export interface CheckpointContext extends EventOf<'checkpoint.saved'> {
  adapter: AdapterRef;
  /** Chats with the adapter just saved. */
  infer: Infer;
  /** Cancels the job. */
  cancel(): Promise<void>;
}

export interface CompletedContext extends EventOf<'training.completed'> {
  adapter: AdapterRef;
  infer: Infer;
}

/** What an eval is given: an adapter of the run. */
export interface EvalContext {
  /** The step at which the adapter was saved. */
  step: number;
  adapter: AdapterRef;
  /** Chats with the adapter. */
  infer: Infer;
}

/** Scores an adapter. It is called again if the cloud was away in between. */
export type Eval = (context: EvalContext) => number | Promise<number>;

/** Each callback is awaited before the next event. If one throws, `wait()` rejects and the job continues. */
export interface TrainerCallbacks {
  onStarted?(event: EventOf<'training.started'>): unknown;
  onLog?(event: EventOf<'training.log'>): unknown;
  onCheckpoint?(context: CheckpointContext): unknown;
  onCompleted?(context: CompletedContext): unknown;
  onFailed?(event: EventOf<'training.failed'>): unknown;
}

/** The outcome of a training run. */
export type TrainerResult = { jobId: string } & (
  | { status: 'completed'; artifacts: Artifact[]; metrics: Record<string, unknown> }
  | { status: 'failed'; error: string }
  | { status: 'cancelled' }
);
