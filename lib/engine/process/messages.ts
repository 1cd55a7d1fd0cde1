// The messages between the engine's process and its parent, and a model's answers as JSON.
import type {
  JobEvent,
  RewardQuestion,
  RewardResponse,
  RunDevice,
  RunDocument,
} from '../../contract/index.js';
import type { EngineErrorCode, RefusedPart } from '../engine-error.js';
import type { CompleteRequest, EchoPiece, GenerateRequest, Piece, Tool, ToolUse } from '../generate/index.js';
import type { WeightSetting } from '../int8/index.js';
import type { JsonSchema } from '../structure/index.js';
import type { TextFacts } from '../text/index.js';
import type { AnswerSpeeds, Comparison, OperatorFinding, TokenFiles, TrainRequest } from '../train/index.js';

export interface TrainTask {
  jobId: string;
  request: Omit<TrainRequest, 'signal' | 'pause' | 'onHeldUp' | 'score'>;
  /** What to compute on, as reported. If a GPU fails, the CPU takes over. Default: the options' provider. */
  device?: RunDevice | undefined;
  /** Runs one step to check that everything works. */
  dryRun?: boolean;
  /** How many steps a dry run takes, to measure them. It then evaluates nothing, and reports the memory it used. */
  measuredSteps?: number;
}

/**
 * How a run's process ended. `paused`: stopped early, with a checkpoint to resume from. `interrupted`: a disk fault
 * stopped it, and it can be retried.
 */
export type RunOutcome = 'completed' | 'failed' | 'cancelled' | 'paused' | 'interrupted';

/** Why a run failed, where the parent has something to advise. */
export type RunFailureCode = 'other_run' | 'out_of_memory';

/** An event of the contract. A failure comes with its `code`. */
export type EngineEvent = JobEvent & { code?: RunFailureCode | undefined };

/** What a run's process needs to know that reads no data files: the document of the run, and where its own files are. */
export interface RunFile {
  run: RunDocument;
  modelFolder: string;
  rows: TokenFiles;
  /** The adapter of step 0. */
  initialPath: string;
  /** The folder to work in, with the checkpoint to resume from, if any. */
  folder: string;
}

/** Compares the GPU with the CPU. */
export interface ProbeTask {
  /** The base model, in training with which they are compared. */
  modelFolder: string;
  /** The precision of its weights. Only `f16` changes what is measured on the GPU. */
  weights: WeightSetting;
  /** Whether to measure how fast both train it, too, and what else `svc doctor` shows. */
  measures: 'nothing' | 'speed' | 'all';
}

export interface SpeedFinding {
  /** In tokens a second. */
  cpu: number;
  gpu: number;
}

/** The difference is null if it cannot be computed. */
export interface HalfFinding {
  difference: number | null;
  isRight: boolean;
  error?: string;
}

/** What is missing was not reached. Differences are relative to the CPU's values. */
export interface DeviceFindings {
  operators?: OperatorFinding[];
  training?: Comparison;
  /** Training with weights in float16, if they would be used or everything is measured. */
  half?: HalfFinding;
  answering?: Comparison;
  /** With a model that is the same everywhere, and with the base model. */
  usual?: SpeedFinding;
  own?: SpeedFinding;
  /** Of answers of the base model, in their tokens a second. */
  answers?: AnswerSpeeds<SpeedFinding>;
  /** In bytes. */
  largestBuffer?: number;
}

export interface ServeTask {
  /** The base model's folder, in Hugging Face layout. */
  modelFolder: string;
  threads?: number | undefined;
  /** Default: the CPU, which also takes over if a GPU fails. */
  device?: RunDevice | undefined;
  /** `f32` by default. */
  weights?: WeightSetting | undefined;
  /** Keeps rounded weights, and the choice for `auto`. Required for both. */
  roundedFolder?: string | undefined;
  /** How many requests run at once, and how many more may wait. */
  maxBatch?: number;
  queueLimit?: number;
  /** How many adapters stay in memory; 16 by default. */
  maxAdapters?: number;
  /** Bytes for weights and caches together; by default a share of the machine's memory. */
  memory?: number | undefined;
  /** Prompts that take longer than this to write are refused. */
  promptLimitMs?: number;
  /** The least time that a model run may take before it counts as hung; 20 s by default. */
  runLimitMs?: number;
}

export interface Message {
  role: string;
  [field: string]: unknown;
}

/** The next turn of a conversation, by the base model or with the adapter in a folder. */
export interface ChatTask extends Omit<GenerateRequest, 'promptIds' | 'adapter' | 'shape' | 'thought'> {
  messages: readonly Message[];
  /** For the chat template, such as `enable_thinking`. */
  variables?: Readonly<Record<string, unknown>> | undefined;
  tools?: ToolUse | undefined;
  /** The answer is a JSON value with this schema. */
  json?: JsonSchema | undefined;
  /** The answer is one of these texts. */
  choices?: readonly string[] | undefined;
  adapterFolder: string | null;
}

/** A text, or its tokens. */
export type Prompt = string | readonly number[];

/** Continues a prompt, with the base model or an adapter. */
export interface CompleteTask
  extends Omit<CompleteRequest, 'promptIds' | 'adapter' | 'shape' | 'thought' | 'echo'> {
  prompt: Prompt;
  /** Repeats the prompt first. */
  echo?: boolean;
  adapterFolder: string | null;
}

export interface EmbedTask extends Pick<GenerateRequest, 'caller' | 'isLowPriority'> {
  prompt: Prompt;
  adapterFolder: string | null;
}

/** A text, or a conversation as its prompt. */
type EncodeTask = (
  | { text: string; addSpecialTokens: boolean }
  | (Pick<ChatTask, 'messages' | 'variables'> & { tools?: readonly Tool[] | undefined })
) & { caller?: string | undefined };

interface DecodeTask {
  ids: readonly number[];
  caller?: string | undefined;
}

export interface Embedding {
  /** The mean of the last hidden states. */
  values: Float32Array;
  promptTokens: number;
}

/** The kinds of questions to a served model, and their outputs: a stream, or a single one. */
export interface Asks {
  chat: { task: ChatTask; output: Piece };
  complete: { task: CompleteTask; output: Piece | EchoPiece };
  embed: { task: EmbedTask; output: Embedding };
  encode: { task: EncodeTask; output: number[] };
  decode: { task: DecodeTask; output: string };
  describe: { task: Record<never, never>; output: TextFacts };
}

export type AskKind = keyof Asks;

/** Each kind with its own task. */
export type Ask = { [K in AskKind]: { kind: K; task: Asks[K]['task'] } }[AskKind];

export type ToWorker =
  | { type: 'train'; task: TrainTask }
  | { type: 'probe'; task: ProbeTask }
  | { type: 'cancel' }
  | { type: 'pause' }
  /** The rewards that it asked for, or why there are none. */
  | ({ type: 'scored' } & ({ response: RewardResponse } | { problem: string }))
  /** The parent has handled this many events, so the worker may send as many more. */
  | { type: 'handled'; count: number }
  | { type: 'serve'; task: ServeTask }
  | ({ type: 'ask'; id: number } & Ask)
  | { type: 'abort'; id: number }
  /** Frees one adapter, or the whole model. */
  | { type: 'unload'; adapterFolder?: string };

export type FromWorker =
  | { type: 'event'; event: EngineEvent }
  | { type: 'done'; status: RunOutcome; diskFault?: string }
  /** Asks for the rewards of a step's answers, and waits for them. */
  | { type: 'score'; request: RewardQuestion }
  /** A save waits because of this disk fault; null once it is done. */
  | { type: 'held-up'; diskFault: string | null }
  /** What a probe does next, in case the process dies while doing it. */
  | { type: 'probing'; what: string }
  | { type: 'found'; findings: DeviceFindings }
  /** Whether the GPU can be used is known. */
  | { type: 'probed'; problem: string | null }
  /** What the model waits for before it can answer, as a sentence. */
  | { type: 'preparing'; what: string }
  | { type: 'serving' }
  /** The GPU failed, and the CPU answers from now on. */
  | { type: 'left-gpu'; reason: string }
  /** Rounded weights could not be kept, and those of float32 answer. */
  | { type: 'not-rounded'; reason: string }
  | { type: 'output'; id: number; output: Asks[AskKind]['output'] }
  | { type: 'ended'; id: number }
  | {
      type: 'failed';
      id: number | null;
      code: EngineErrorCode;
      message: string;
      part: RefusedPart | undefined;
    };

type Output = Asks[AskKind]['output'];

const INFINITE: Readonly<Record<string, number>> = { inf: Infinity, '-inf': -Infinity, nan: Number.NaN };

/** A served model's outputs as JSON. Preserves bytes, vectors, and numbers that JSON lacks. */
export function writeOutput(output: Output): string {
  return JSON.stringify(output, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: nameOf(value) };
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
    if (value instanceof Float32Array)
      return { $floats: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
    return value;
  });
}

/** Trusts its writer, the engine. */
export function readOutput(text: string): Output {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$number' in value) return INFINITE[value.$number as string];
    if ('$bytes' in value) return new Uint8Array(Buffer.from(value.$bytes as string, 'base64'));
    if ('$floats' in value) return toFloats(Buffer.from(value.$floats as string, 'base64'));
    return value;
  }) as Output;
}

function nameOf(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

function toFloats(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
