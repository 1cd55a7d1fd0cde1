// Answers requests with one model in memory, many at once, each with the base model or its own adapter.

import { EngineError } from '../engine-error.js';
import type { ModelSource } from '../model/index.js';
import type { SessionOptions } from '../runtime/index.js';
import { createAdapterStacks } from './adapter-stack.js';
import { cacheBudgetIn, isSmall, layoutBytes, longestWithin, sessionBytes } from './cache-budget.js';
import { checkRequest } from './check-request.js';
import { createDecodingSessions } from './decoding-sessions.js';
import type { GenerateRequest, Piece, TextDecoding } from './request.js';
import type { BeginWork } from './run-limits.js';
import { Scheduler } from './scheduler.js';
import { Sequence } from './sequence.js';
import { createRunStep } from './step.js';
import { createWaitingRoom } from './waiting-room.js';

export interface GeneratorOptions extends Pick<ModelSource, 'config' | 'weights' | 'bytesPerWeight'> {
  text: TextDecoding;
  session?: SessionOptions;
  /** How many requests run at once. Defaults to 8. */
  maxBatch?: number;
  /** How many more may wait. Defaults to 32. */
  queueLimit?: number;
  /** The maximum length of prompt and answer together. Defaults to the model's, which is also the upper limit. */
  context?: number;
  /** How many prompt tokens one prefill step computes: alone, or while other requests wait for their next token. */
  chunk?: { alone: number; shared: number };
  /** The memory for sessions and caches together, in bytes. Defaults to a share of the machine's. */
  memory?: number | undefined;
  /** The size limit of the KV cache, in bytes. Defaults to what sessions leave of the memory. */
  cacheBudget?: number;
  /** Keep a second copy of the weights, for faster batches without adapters. Defaults to true for a small model. */
  keepBoth?: boolean;
  /** Called before each run of the model with how long it may take. */
  beginWork?: BeginWork;
  /** The minimum time before a run counts as hung. Defaults to 20 s. */
  runLimitMs?: number;
}

interface GeneratorStatus {
  running: number;
  waiting: number;
  /** The size of the KV cache, with what earlier requests left. */
  cacheBytes: number;
  /** What earlier requests left. */
  prefixBytes: number;
}

export interface Generator {
  readonly context: number;
  /**
   * Reserves a place for a request whose prompt is still being written, and returns a function that frees it. Throws an
   * `EngineError` if there is none. `reject` is called if the place goes to a caller with fewer requests.
   */
  reserve(caller: string | undefined, reject: (error: unknown) => void): () => void;
  /**
   * Starts immediately, or throws an `EngineError`. Aborting the signal or leaving the loop over the pieces ends it;
   * after an abort, the loop throws the signal's reason.
   */
  generate(request: GenerateRequest, signal?: AbortSignal): AsyncIterableIterator<Piece>;
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
  const least = layoutBytes(model.config, [LEAST_CONTEXT]);
  if (budget >= least) return budget;
  const needed = Math.ceil((memory! - budget + least) / 2 ** 20);
  throw new Error(`The model needs at least ${needed} MB of memory. Raise --memory.`);
}

/** No answer fits into less. */
const LEAST_CONTEXT = 64;

const CHUNK = { alone: 256, shared: 64 };

export function createGenerator(options: GeneratorOptions): Generator {
  const {
    config,
    weights,
    bytesPerWeight,
    text,
    session,
    keepBoth,
    maxBatch = 8,
    queueLimit = 32,
    chunk = CHUNK,
  } = options;
  const { cacheBudget: budget = budgetOf(options) } = options;
  const longest = Math.min(config.maxPositions, options.context ?? config.maxPositions);
  const context = longestWithin(config, budget, longest);
  const { beginWork, runLimitMs } = options;
  const sessions = createDecodingSessions({
    config,
    weights,
    bytesPerWeight,
    context,
    session,
    keepBoth,
    beginWork,
    runLimitMs,
  });
  const stacks = createAdapterStacks(config);
  const runStep = createRunStep(config, sessions, stacks);
  const scheduler = new Scheduler(config, runStep, {
    maxBatch,
    budget,
    chunk,
    onIdle: () => stacks.clear(),
  });
  const { counts, notStarted } = { counts: () => scheduler.counts, notStarted: () => scheduler.notStarted };
  const room = createWaitingRoom(maxBatch + queueLimit, counts, notStarted);
  let closed = false;

  return {
    context,
    reserve: (caller = '', reject) => room.reserve({ caller, fail: reject }),
    generate(request, signal) {
      if (closed) throw new EngineError('engine_unavailable', 'The engine was shut down.');
      signal?.throwIfAborted();
      const maxTokens = checkRequest(request, { context, vocabulary: config.vocabulary });
      const release = room.reserve({ caller: request.caller ?? '', fail: () => {} });
      const sequence = new Sequence(request, maxTokens, text, signal);
      scheduler.add(sequence);
      release();
      return sequence.stream;
    },
    status: () => ({ ...scheduler.counts, ...scheduler.bytes }),
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
