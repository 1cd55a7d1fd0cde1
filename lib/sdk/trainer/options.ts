// The options of `createTrainer` and the arguments of its callbacks.
import type {
  AdapterRef,
  Artifact,
  ChatCompletion,
  ChatCompletionChunk,
  ChosenOptions,
  ColumnMap,
  dpoOptions,
  Grader,
  grpoOptions,
  InferenceRequest,
  JobEvent,
  loraOptions,
  RewardedAnswer,
  RewardGroup,
  SampleInput,
  trainingOptions,
} from '../../contract/index.js';
import type { Task } from '../../task/index.js';
import type { DistilledData } from '../distil/options.js';

interface Mapped {
  /** Maps the columns that training knows to yours: `{ prompt: 'question', completion: 'answer' }`. */
  columns?: ColumnMap;
  map?: MapRow;
}

/**
 * Converts each original row to a training row, or returns null to skip it. Runs in your process, which also
 * downloads data sets from the Hub and from URLs; the results are uploaded.
 */
// biome-ignore lint/suspicious/noExplicitAny: the columns of a data set are whatever its author chose.
export type MapRow = (row: Record<string, any>) => MappedRow | Promise<MappedRow>;

type MappedRow = object | null | undefined;

/** Where rows come from: also from a teacher, with `distil`. Paths are relative to the project folder. */
export type DatasetInput =
  | ({ type: 'file'; path: string } & Mapped)
  | { type: 'rows'; rows: readonly object[] }
  | ({ type: 'huggingface'; name: string; split?: string; subset?: string } & Mapped)
  | ({ type: 'blob'; url: string; token?: string } & Mapped)
  | DistilledData;

export interface LoraOptions extends ChosenOptions<typeof loraOptions> {}

/**
 * Learns which of two answers is preferred (direct preference optimization), from rows with a prompt, a
 * `chosen` and a `rejected` answer. The reference is what the run starts from: the base model, or the adapter in `from`.
 */
export interface DpoMethod extends ChosenOptions<typeof dpoOptions> {
  type: 'dpo';
}

/**
 * Learns from rewards (GRPO): the model answers each prompt several times, and answers become likelier that got higher rewards than
 * the others. Rows are prompts: `messages` that end with a user's message; other columns are there for the reward. The
 * reference is what the run starts from.
 */
export interface GrpoMethod extends ChosenOptions<typeof grpoOptions> {
  type: 'grpo';
  /**
   * Your function, which `wait()` and `svc start` call in this process for each answer, in parallel; or one of OpenAI's graders,
   * which the cloud runs. A grader that asks a model may have a `baseURL` and an `apiKey`, as the teacher of `distil`: then this
   * process asks that server, and the cloud gets no key.
   */
  reward: RewardFunction | Grader;
  /** How long your function may take for an answer, in milliseconds. Slower ones leave their answer out. Default: 30 000. */
  rewardTimeoutMs?: number;
}

/** What is known about an answer, besides its text. */
export interface RewardContext {
  /** The row of the data set. */
  // biome-ignore lint/suspicious/noExplicitAny: the columns of a data set are whatever its author chose.
  row: Record<string, any>;
  /** The prompt. */
  messages: RewardGroup['messages'];
  /** As in a chat completion. */
  toolCalls: NonNullable<RewardedAnswer['toolCalls']>;
  step: number;
  /** Aborted once the function has taken too long. */
  signal: AbortSignal;
}

/** A reward, and what it was computed from, by name. Only differences between answers to the same prompt count. */
export type Reward = number | { reward: number; parts?: Record<string, number> };

/** Rewards an answer. If it throws, or takes too long, the answer is left out. */
export type RewardFunction = (answer: string, context: RewardContext) => Reward | Promise<Reward>;

/** Names an adapter to continue from. */
export type StartFrom = string | { job: string; step?: number } | AdapterRef;

export interface TrainerOptions extends Omit<ChosenOptions<typeof trainingOptions>, 'method'> {
  /** What to learn from the rows. Default: `sft`, their answers as they are. */
  method?: { type: 'sft' } | DpoMethod | GrpoMethod;
  /** Shown in lists. 1 to 100 characters. */
  name: string;
  /**
   * A typed task, from `defineTask`: the rows of the data sets are `{ input, output }`, and are checked before training. The job,
   * and endpoints that serve its adapters, show it.
   */
  task?: Task;
  /** Labels to find runs by, without commas. Up to 20. */
  tags?: readonly string[];
  /** Default: the cloud's base model. */
  model?: string;
  dataset: DatasetInput;
  /** Rows to evaluate on. Alternatively, set `evalFraction` to hold out part of `dataset`. */
  evalDataset?: DatasetInput;
  /**
   * The adapter of another run to continue from, instead of a new one: `latest`, the newest completed job; `latest:NAME`, the newest
   * with that name; a job's ID, or its start; an endpoint's slug; `{ job, step }`, a checkpoint; or an adapter from a callback. The
   * run has its rank, alpha and modules, so `lora` may leave them out. With the methods `dpo` and `grpo`, it is also what answers are
   * compared with.
   */
  from?: StartFrom;
  lora?: LoraOptions;
  /**
   * Up to 20 conversations that the base model, each checkpoint and the final adapter answer at temperature
   * 0, to show what was learned: `[{ messages: [{ role: 'user', content: 'My parcel is broken.' }] }]`. Only
   * a job with samples has `sample.generated` in its event stream.
   */
  samples?: readonly SampleInput[];
  /**
   * Your own scores, measured by this program at each checkpoint and for the final adapter, one after
   * another, while training continues: `{ accuracy: async ({ infer }) => … }` returns a number. They are
   * charted along with the loss. If one throws or does not return a finite number, that is reported, and
   * everything else continues. Only a job with evals has `score.recorded` in its event stream.
   */
  evals?: Readonly<Record<string, Eval>>;
  /**
   * The score that decides which adapter is best, also for endpoints that follow it; the highest wins unless
   * `higher` is false. Default: the lowest evaluation loss wins, or the highest held-out reward of a run that
   * learns from rewards.
   */
  bestBy?: string | { score: string; higher?: boolean };
  callbacks?: TrainerCallbacks;
  /** Cancels the job on abort; `wait()` then rejects with the signal's reason. */
  abortSignal?: AbortSignal;
}

/** The options that are settings themselves, not groups of settings. */
export type SettingOption =
  | 'model'
  | 'from'
  | 'bestBy'
  | Exclude<keyof typeof trainingOptions, 'method' | 'resources'>;

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

/** The argument of an eval: an adapter of the run. */
export interface EvalContext {
  /** The step at which the adapter was saved. */
  step: number;
  adapter: AdapterRef;
  /** Chats with the adapter. */
  infer: Infer;
}

/** Scores an adapter. Called again if the cloud was away in between. */
export type Eval = (context: EvalContext) => number | Promise<number>;

/** Each callback is awaited before the next event. If one throws, `wait()` rejects and the job continues. */
export interface TrainerCallbacks {
  onStarted?(event: EventOf<'training.started'>): unknown;
  onLog?(event: EventOf<'training.log'>): unknown;
  onCheckpoint?(context: CheckpointContext): unknown;
  /** Not called after a dry run, which leaves no adapter. */
  onCompleted?(context: CompletedContext): unknown;
  onFailed?(event: EventOf<'training.failed'>): unknown;
}

/** The outcome of a training run. */
export type TrainerResult = { jobId: string } & (
  | { status: 'completed'; artifacts: Artifact[]; metrics: Record<string, unknown> }
  | { status: 'failed'; error: string }
  | { status: 'cancelled' }
);
