// Entry point of generation: a generator answers requests with one model in memory, many at once, each with the base model
// or its own adapter.
import { EngineError } from '../engine-error.js';
import { cacheShapeOf, firstPosition, longestText } from '../model/index.js';
import type { ProviderName } from '../runtime/index.js';
import { createStructure, createTokenTableInSlices, type TokenTable } from '../structure/index.js';
import type { Thought } from '../text/index.js';
import { createAdapterStacks } from './adapters.js';
import type { AnswerStream } from './answer-stream.js';
import {
  cacheBudgetIn,
  isSmall,
  longestWithin,
  prefixBudgetIn,
  sequenceBytes,
  sessionBytes,
} from './cache-budget.js';
import { createPieceBuilder } from './piece-builder.js';
import { createPromptScores, createStateMean } from './prompt-reader.js';
import {
  type CompleteRequest,
  checkRequest,
  type EchoPiece,
  type EmbedRequest,
  type GenerateRequest,
  type Piece,
  type TextDecoding,
} from './request.js';
import { Scheduler } from './scheduler.js';
import { Sequence, type SequenceParts } from './sequence.js';
import { createDecodingSessions, createRunStep, type DecodingSessionsOptions } from './step.js';
import { createThoughtReader } from './thought-reader.js';
import { createWaitingRoom, MAX_BATCH, QUEUE_LIMIT } from './turns.js';

export { type AdapterCache, createAdapterCache, type LoadedAdapter } from './adapters.js';
export { type Tool, type ToolUse, toShape } from './answer-shape.js';
export {
  type CallPiece,
  type CompleteRequest,
  type EchoedToken,
  type EchoPiece,
  type FinishReason,
  type GenerateRequest,
  type Piece,
  type PromptUsage,
  promptTooLong,
  type TextDecoding,
  type TokenLogprob,
  type Usage,
} from './request.js';
export {
  createSamplingEngine,
  type SampledAnswer,
  type SamplingEngine,
} from './sampled-answers.js';
export type { BeginWork } from './step.js';
export { createWaitingRoom, type WaitingRoom } from './turns.js';

export interface GeneratorOptions extends Omit<DecodingSessionsOptions, 'context'> {
  text: TextDecoding;
  /** How many requests run at once. Defaults to 8. */
  maxBatch?: number;
  /** How many more may wait. Defaults to 32. */
  queueLimit?: number;
  /** The maximum length of prompt and answer together. Defaults to the model's, which is also the upper limit. */
  context?: number;
  /** How many prompt tokens one prefill step computes. Defaults to 64, on a GPU to 256. */
  chunk?: number;
  /** The memory for sessions and caches together, in bytes. Defaults to a share of the machine's. */
  memory?: number | undefined;
  /** The size limit of the KV cache, in bytes. Defaults to what sessions leave of the memory. */
  cacheBudget?: number;
  /** The most that the KV cache may be, whatever its size limit, in bytes. */
  mostCache?: number | undefined;
  /** How much of it earlier requests' prefixes may take, in bytes. Defaults to 512 MB, at most a quarter of it. */
  prefixBudget?: number;
}

interface GeneratorStatus {
  running: number;
  waiting: number;
  /** The size of the KV cache, including prefixes of earlier requests. */
  cacheBytes: number;
  /** The prefixes of earlier requests. */
  prefixBytes: number;
}

export interface Generator {
  readonly context: number;
  /**
   * Reserves a place for a request whose prompt is still being written, and returns a function that frees it. Throws an
   * `EngineError` if there is none. `reject` is called if the place goes to a request that comes before it.
   */
  reserve(
    request: Pick<GenerateRequest, 'caller' | 'isLowPriority'>,
    reject: (error: unknown) => void,
  ): () => void;
  /**
   * Starts immediately, or throws an `EngineError`. Aborting the signal or leaving the loop over the pieces ends it;
   * after an abort, the loop throws the signal's reason.
   */
  generate(request: GenerateRequest, signal?: AbortSignal): AsyncIterableIterator<Piece>;
  /** Prepares for structured answers while other requests continue. Await it before the first such request. */
  prepareShapes(): Promise<void>;
  /** Continues a prompt like `generate`, and can repeat and score it. */
  complete(request: CompleteRequest, signal?: AbortSignal): AsyncIterableIterator<Piece | EchoPiece>;
  /** The mean of the last hidden states. */
  embed(request: EmbedRequest, signal?: AbortSignal): Promise<Float32Array>;
  status(): GeneratorStatus;
  /** Frees the model's memory until the next request. Returns false if a request is running. */
  unload(): Promise<boolean>;
  /** Ends all requests. */
  close(): Promise<void>;
}

function budgetOf({ memory, ...model }: GeneratorOptions): number {
  const session = sessionBytes(model);
  const { keepBoth = isSmall(session) } = model;
  const budget = cacheBudgetIn(memory, keepBoth ? 2 * session : session);
  const least = sequenceBytes(cacheShapeOf(model.config), LEAST_CONTEXT);
  if (budget >= least) return budget;
  const needed = Math.ceil((memory! - budget + least) / 2 ** 20);
  throw new Error(`The model needs at least ${needed} MB of memory. Raise --memory.`);
}

/** The shortest context that has room for an answer. */
const LEAST_CONTEXT = 64;

/**
 * How many tokens of a prompt are computed at once. Here, larger chunks are hardly faster, and delay the next tokens of other
 * requests; a GPU takes little longer for many tokens than for few.
 */
const CHUNKS: Readonly<Record<ProviderName, number>> = { cpu: 64, webgpu: 256 };

export function createGenerator(options: GeneratorOptions): Generator {
  const { config, text, maxBatch = MAX_BATCH, queueLimit = QUEUE_LIMIT } = options;
  const { chunk = CHUNKS[options.session?.provider ?? 'cpu'] } = options;
  const budget = Math.min(
    options.cacheBudget ?? budgetOf(options),
    options.mostCache ?? Number.POSITIVE_INFINITY,
  );
  const { prefixBudget = prefixBudgetIn(budget) } = options;
  const longest = Math.min(longestText(config), options.context ?? Number.POSITIVE_INFINITY);
  const context = longestWithin(cacheShapeOf(config), budget, longest);
  const sessions = createDecodingSessions({ ...options, context });
  const stacks = createAdapterStacks(config);
  const runStep = createRunStep(config, sessions, stacks);
  const scheduler = new Scheduler(config, runStep, {
    maxBatch,
    budget,
    prefixBudget,
    chunk,
    onIdle: () => stacks.clear(),
  });
  const startOf = (tokens: number) => firstPosition(config, tokens);
  const room = createWaitingRoom(maxBatch + queueLimit, { queue: scheduler });
  let table: TokenTable | undefined;
  let preparing: Promise<TokenTable> | undefined;
  let closed = false;

  const reserve: Generator['reserve'] = ({ caller = '', isLowPriority }, fail) =>
    room.reserve({ caller, isLowPriority, fail });

  function start(
    request: GenerateRequest,
    signal: AbortSignal | undefined,
    parts: SequenceParts,
    fewest: 0 | 1,
  ): AnswerStream<Piece | EchoPiece> {
    if (closed) throw new EngineError('engine_unavailable', 'The engine was shut down.');
    signal?.throwIfAborted();
    const maxTokens = checkRequest(request, { context, vocabulary: config.vocabulary, fewest });
    const release = reserve(request, () => {});
    const sequence = new Sequence(request, maxTokens, text, signal, { ...parts, startOf });
    scheduler.add(sequence);
    release();
    return sequence.stream;
  }

  return {
    context,
    reserve,
    async prepareShapes() {
      preparing ??= createTokenTableInSlices(text);
      table = await preparing;
    },
    // Without an echo, no piece repeats the prompt.
    generate(request, signal) {
      const { shape, thought } = request;
      const structure = shape && createStructure(table!, shape, thought);
      // A chat without tokens is only prepared for the next one; otherwise it needs room for an answer.
      const fewest = request.maxTokens === 0 ? 0 : 1;
      return start(request, signal, { structure }, fewest) as AsyncIterableIterator<Piece>;
    },
    complete(given, signal) {
      const { echo, logprobs } = given;
      const request = { ...given, continues: given.promptIds.some(id => !text.isSpecial(id)) };
      if (echo === undefined) return start(request, signal, {}, 0);
      const promptIds = [...request.promptIds];
      const reader = logprobs === undefined ? undefined : createPromptScores(promptIds, text, logprobs);
      const repeat = (): EchoPiece => ({
        text: echo,
        tokenIds: promptIds,
        ...(reader && { logprobs: reader.tokens }),
        isPrompt: true,
      });
      return start(request, signal, { reader, echo: repeat }, 0);
    },
    async embed(request, signal) {
      const reader = createStateMean(config.hidden);
      for await (const _ of start({ ...request, maxTokens: 0 }, signal, { reader }, 0));
      return reader.mean();
    },
    status: () => ({
      running: scheduler.running.length,
      waiting: scheduler.waiting.length,
      ...scheduler.bytes,
    }),
    async unload() {
      if (scheduler.work) return false;
      scheduler.clearPrefixes();
      await sessions.close();
      return true;
    },
    async close() {
      closed = true;
      scheduler.failAll(new EngineError('engine_unavailable', 'The engine was shut down.'));
      await scheduler.work;
      await sessions.close();
    },
  };
}

/** The text of an answer that was sampled elsewhere, without what is thought before it and the token that ended it. */
export function readAnswer(
  decoding: TextDecoding,
  ids: readonly number[],
  thought: Thought | undefined,
): string {
  const builder = createPieceBuilder(decoding, {});
  const thoughts = thought && createThoughtReader(decoding, thought);
  let text = '';
  const say = (id: number, part?: string) => {
    text += builder.push({ id }, part).piece?.text ?? '';
  };
  for (const id of ids) {
    if (decoding.endIds.includes(id)) break;
    const step = thoughts && thoughts.state !== 'over' ? thoughts.push({ id }) : null;
    for (const held of step?.held ?? []) say(held.id);
    if (!step?.isThought) say(id);
    else if (step.rest !== undefined) {
      builder.skipSpace();
      say(id, step.rest);
    }
  }
  const { held = [] } = thoughts && thoughts.state !== 'over' ? thoughts.finish() : {};
  for (const token of held) say(token.id);
  return text + (builder.finish().piece?.text ?? '');
}
