// Answers many requests in batches and keeps their tokens, for training on them. What is sampled depends on the requests alone:
// each call begins with empty caches, and its requests join the batch in their order. Those with the same list of prompt tokens
// share what is read of it.
import { EngineError } from '../engine-error.js';
import { cacheShapeOf, firstPosition, type ModelConfig } from '../model/index.js';
import { createStructure, createTokenTable, type TokenTable } from '../structure/index.js';
import { createAdapterStacks } from './adapters.js';
import { sequenceBytes } from './cache-budget.js';
import { checkRequest, type GenerateRequest, type Piece, type TextDecoding } from './request.js';
import { Scheduler } from './scheduler.js';
import { Sequence } from './sequence.js';
import { createDecodingSessions, createRunStep, type DecodingSessionsOptions } from './step.js';

export interface SamplingEngine {
  /** In the order of the requests. */
  answer(requests: readonly GenerateRequest[], signal?: AbortSignal): Promise<SampledAnswer[]>;
  close(): Promise<void>;
}

export interface SampledAnswer {
  /** What was sampled, with the token that ended it, if one did. */
  ids: number[];
  text: string;
  calls: SampledCall[];
  /** It ended because it had no more room. */
  isCut: boolean;
}

interface SampledCall {
  name: string;
  arguments: string;
}

interface SamplingEngineOptions extends Omit<DecodingSessionsOptions, 'keepBoth'> {
  text: TextDecoding;
  /** How many answers are sampled at once, if the memory suffices. */
  maxBatch?: number;
}

/** Larger batches are hardly faster on a CPU. */
const BATCH = 64;
/** What the caches of a batch may take. */
const CACHE_BYTES = 2 ** 30;
const CHUNK = 64;

export function createSamplingEngine(options: SamplingEngineOptions): SamplingEngine {
  const { config, text, context, maxBatch = BATCH } = options;
  // With and without an adapter, the same session answers.
  const sessions = createDecodingSessions({ ...options, keepBoth: false });
  const stacks = createAdapterStacks(config);
  const runStep = createRunStep(config, sessions, stacks);
  const bytes = sequenceBytes(cacheShapeOf(config), context);
  const batch = Math.max(1, Math.min(maxBatch, Math.floor(CACHE_BYTES / bytes)));
  // Slots come in powers of two, and a prompt that is read has a cache of its own before it joins the batch.
  const limits = {
    maxBatch: batch,
    budget: 3 * batch * bytes,
    prefixBudget: batch * bytes,
    chunk: CHUNK,
    takesTurns: false,
  };
  let table: TokenTable | undefined;

  function toSequence(request: GenerateRequest): Sequence {
    const { shape, thought } = request;
    if (shape) table ??= createTokenTable(text);
    const structure = shape && createStructure(table!, shape, thought);
    const maxTokens = checkRequest(request, { context, vocabulary: config.vocabulary, fewest: 0 });
    return new Sequence(request, maxTokens, text, undefined, { structure, startOf: startOf(config) });
  }

  return {
    async answer(requests, signal) {
      const scheduler = new Scheduler(config, runStep, { ...limits, onIdle: () => stacks.clear() });
      const run = async (sequences: readonly Sequence[]) => {
        for (const sequence of sequences) scheduler.add(sequence);
        return Promise.all(sequences.map(readAnswer)).finally(() => scheduler.work);
      };
      const stop = () => scheduler.failAll(signal?.reason);
      signal?.throwIfAborted();
      signal?.addEventListener('abort', stop);
      try {
        return await run(requests.map(toSequence));
      } catch (error) {
        scheduler.failAll(error);
        await scheduler.work;
        throw error;
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    close: sessions.close,
  };
}

const startOf = (config: ModelConfig) => (tokens: number) => firstPosition(config, tokens);

async function readAnswer(sequence: Sequence): Promise<SampledAnswer> {
  let [text, isCut] = ['', false];
  const calls: SampledCall[] = [];
  try {
    for await (const piece of sequence.stream as AsyncIterableIterator<Piece>) {
      text += piece.text;
      if ('call' in piece) {
        const { index, name } = piece.call;
        calls[index] ??= { name, arguments: '' };
        calls[index].arguments += piece.arguments;
      }
      if (piece.finishReason) isCut = piece.finishReason === 'length';
    }
  } catch (error) {
    // It ends with the call that does not fit.
    if (!(error instanceof EngineError && error.code === 'tool_use_failed')) throw error;
  }
  return { ids: sequence.ids.slice(sequence.promptLength), text, calls, isCut };
}
