// Answers requests with one model in memory: many at once, each with the base model or an adapter of its own.

import { EngineError } from '../engine-error.js';
import type { ModelSource } from '../model/index.js';
import type { SessionOptions } from '../runtime/index.js';
import { createAdapterStacks } from './adapter-stack.js';
import { defaultBudget, longestWithin } from './cache-budget.js';
import { checkRequest } from './check-request.js';
import { createDecodingSessions } from './decoding-sessions.js';
import type { GenerateRequest, Piece, TextDecoding } from './request.js';
import type { BeginWork } from './run-limits.js';
import { Scheduler } from './scheduler.js';
import { Sequence } from './sequence.js';
import { createRunStep } from './step.js';
import { createWaitingRoom } from './waiting-room.js';

export interface GeneratorOptions extends Pick<ModelSource, 'config' | 'place'> {
  text: TextDecoding;
  session?: SessionOptions;
  /** How many requests are computed at once; 8 unless given. */
  maxBatch?: number;
  /** How many more may wait; 32 unless given. */
  queueLimit?: number;
  /** The longest text, prompt and answer together: as long as the model's unless given, and never longer. */
  context?: number;
  /** How many tokens of a prompt are computed at once: when nobody else runs, and when others wait for theirs. */
  chunk?: { alone: number; beside: number };
  /** What the keys and values of all texts in progress may take, in bytes; a part of the machine's memory unless given. */
  cacheBudget?: number;
  /** Keep a second copy of the weights, which serves batches without adapters faster; yes for a small model. */
  keepBoth?: boolean;
  /** Told of each run of the model, and how long it may take. */
  beginWork?: BeginWork;
  /** No run counts as hung before this; 20 s unless given. */
  runLimitMs?: number;
}

export interface GeneratorStatus {
  running: number;
  waiting: number;
  /** Keys and values of texts in progress. */
  cacheBytes: number;
}

export interface Generator {
  readonly context: number;
  /**
   * Holds a place for a caller whose prompt is still being written, and gives back what frees it. Throws an `EngineError`
   * where there is none. `refuse` is called when the place has to go to a caller with fewer of them.
   */
  reserve(caller: string | undefined, refuse: (error: unknown) => void): () => void;
  /**
   * Starts at once, and throws an `EngineError` where it cannot. The signal, or leaving the loop over the pieces, ends
   * it; after the signal the loop throws the signal's reason.
   */
  generate(request: GenerateRequest, signal?: AbortSignal): AsyncIterableIterator<Piece>;
  status(): GeneratorStatus;
  /** Gives the model's memory back until the next request; false when something is being computed. */
  unload(): Promise<boolean>;
  /** Ends everything. */
  close(): Promise<void>;
}

const CHUNK = { alone: 256, beside: 64 };

export function createGenerator(options: GeneratorOptions): Generator {
  const { config, place, text, session, keepBoth, maxBatch = 8, queueLimit = 32, chunk = CHUNK } = options;
  const { cacheBudget: budget = defaultBudget() } = options;
  const longest = Math.min(config.maxPositions, options.context ?? config.maxPositions);
  const context = longestWithin(config, budget, longest);
  const { beginWork, runLimitMs } = options;
  const sessions = createDecodingSessions({
    config,
    place,
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
  const { counts, notBegun } = { counts: () => scheduler.counts, notBegun: () => scheduler.notBegun };
  const room = createWaitingRoom(maxBatch + queueLimit, counts, notBegun);
  let closed = false;

  return {
    context,
    reserve: (caller = '', refuse) => room.enter({ caller, fail: refuse }),
    generate(request, signal) {
      if (closed) throw new EngineError('engine_unavailable', 'The engine was shut down.');
      signal?.throwIfAborted();
      const maxTokens = checkRequest(request, { context, vocabulary: config.vocabulary });
      const leave = room.enter({ caller: request.caller ?? '', fail: () => {} });
      const sequence = new Sequence(request, maxTokens, text, signal);
      scheduler.add(sequence);
      leave();
      return sequence.stream;
    },
    status: () => ({ ...scheduler.counts, cacheBytes: scheduler.cacheBytes }),
    async unload() {
      if (scheduler.work) return false;
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
