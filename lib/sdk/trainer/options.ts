// What a trainer is told: the options of `createTrainer`, and what its callbacks are given.
import type {
  AdapterRef,
  Artifact,
  ChatCompletion,
  ChatCompletionChunk,
  InferenceRequest,
  JobConfigInput,
  JobEvent,
} from '../../contract/index.js';

/** Where rows come from. A path is relative to the project's folder. */
export type DatasetInput =
  | { type: 'file'; path: string }
  | { type: 'rows'; rows: readonly object[] }
  | { type: 'huggingface'; name: string; split?: string; subset?: string }
  | { type: 'blob'; url: string; token?: string };

export interface LoraOptions {
  /** Rank; 16 unless given. */
  r?: number;
  /** Scaling is `alpha / r`; 32 unless given. */
  alpha?: number;
  dropout?: number;
  targetModules?: NonNullable<JobConfigInput['targetModules']>;
}

export interface TrainerOptions {
  /** Shown in lists; 1 to 100 characters. */
  name: string;
  /** The cloud's base model unless given. */
  model?: string;
  dataset: DatasetInput;
  /** Rows to evaluate on; or take a part of `dataset` by `evalFraction`. */
  evalDataset?: DatasetInput;
  evalFraction?: number;
  lora?: LoraOptions;
  /** The longest row, in tokens. */
  maxLength?: number;
  /**
   * What becomes of a longer row: `truncate`, unless given, cuts off its end, and leaves it out where that leaves nothing
   * to learn; `skip` leaves it out; `error` fails the job and names the row.
   */
  tooLong?: NonNullable<JobConfigInput['tooLong']>;
  /** Steps of the optimizer; as many as `epochs` take unless given. */
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
   * The adapter is saved every so many steps, 50 unless given, and at the end. Each of these checkpoints is kept with its
   * job, to chat with or to publish. What a run needs to go on from one is kept of the last three and of the best.
   */
  saveSteps?: number;
  evalSteps?: number;
  /** Whether only what the assistant says is learned; yes unless said. */
  trainOnResponsesOnly?: boolean;
  seed?: number;
  /** One step only, to see that everything fits; nothing is kept. */
  dryRun?: boolean;
  callbacks?: TrainerCallbacks;
  /** Cancels the job; `wait()` then rejects with the signal's reason. */
  abortSignal?: AbortSignal;
}

type EventOf<Type extends JobEvent['type']> = Extract<JobEvent, { type: Type }>;

/** A conversation to be answered by the adapter at hand. */
export type InferInput = Omit<InferenceRequest, 'baseModel' | 'adapter' | 'stream'>;

export interface Infer {
  (input: InferInput & { stream: true }): AsyncGenerator<ChatCompletionChunk>;
  (input: InferInput & { stream?: false }): Promise<ChatCompletion>;
}

export interface CheckpointContext extends EventOf<'checkpoint.saved'> {
  adapter: AdapterRef;
  /** Chats with the adapter that was just saved. */
  infer: Infer;
  /** Ends the training here. */
  cancel(): Promise<void>;
}

export interface CompletedContext extends EventOf<'training.completed'> {
  adapter: AdapterRef;
  infer: Infer;
}

/** Each is awaited before the next event is taken. What one throws rejects `wait()`; the job goes on. */
export interface TrainerCallbacks {
  onStarted?(event: EventOf<'training.started'>): unknown;
  onLog?(event: EventOf<'training.log'>): unknown;
  onCheckpoint?(context: CheckpointContext): unknown;
  onCompleted?(context: CompletedContext): unknown;
  onFailed?(event: EventOf<'training.failed'>): unknown;
}

/** How a training ended. */
export type TrainerResult = { jobId: string } & (
  | { status: 'completed'; artifacts: Artifact[]; metrics: Record<string, unknown> }
  | { status: 'failed'; error: string }
  | { status: 'cancelled' }
);
