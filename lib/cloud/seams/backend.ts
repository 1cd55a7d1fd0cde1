// The interface of inference backends: a process on this machine, or a cluster. Adapters are named by digest, so that each
// backend, local or remote, finds the files in its own way.
import { type Clock, realClock } from '../../clock/index.js';
import {
  ApiError,
  NO_CHAT_TEMPLATE,
  type SampleGenerated,
  type SampleInput,
  type TemplateVariables,
} from '../../contract/index.js';
import { type AskKind, type Asks, EngineError } from '../../engine/index.js';
import { createQueue, type Queue } from './queue.js';

export type BackendState = 'starting' | 'ready' | 'failed' | 'hung';

type ByDigest<Task> = Task extends { adapterFolder: string | null }
  ? Omit<Task, 'adapterFolder'> & {
      /** The digest of a loaded adapter; null for the base model itself. */
      adapter: string | null;
    }
  : Task;

/** A request to a backend. */
export type Question<K extends AskKind = AskKind> = ByDigest<Asks[K]['task']>;

/** An adapter of this cloud. */
export interface StoredAdapter {
  /** Covers the names and bytes of its two files. */
  sha256: string;
  /** Its folder in the cloud. The files were checked against the digest. */
  folder: string;
}

/** The files that a remote backend's machines may fetch from the cloud. */
export interface ServingDoor {
  opensModel(ticket: string): boolean;
  /** The adapter folder that the ticket grants access to; null if none. */
  findAdapter(ticket: string, sha256: string): string | null;
}

/** A backend's capabilities. The cloud refuses other requests before they reach it. */
export interface BackendAbilities {
  adapters: boolean;
  logprobs: boolean;
  /** JSON schemas and tools. */
  structure: boolean;
  embeddings: boolean;
  /** It has a chat template of its own, whatever the base model's folder has. */
  ownTemplate: boolean;
}

/** The capabilities of svc's own engine, wherever it runs. */
export const ALL_ABILITIES: BackendAbilities = {
  adapters: true,
  logprobs: true,
  structure: true,
  embeddings: true,
  ownTemplate: false,
};

/** Throws unless the request is for the base model or a loaded adapter. */
export function requireLoaded(question: Question, loaded: { has(sha256: string): boolean }): void {
  const { adapter } = question as Partial<Question<'chat'>>;
  if (typeof adapter === 'string' && !loaded.has(adapter))
    throw unavailable(`The adapter ${adapter} is not loaded.`);
}

export function unavailable(message: string, cause?: unknown): EngineError {
  return Object.assign(new EngineError('engine_unavailable', message), cause === undefined ? {} : { cause });
}

export interface Backend {
  readonly abilities: BackendAbilities;
  /** Loads an adapter. Cheap when repeated. Throws an `EngineError`. */
  load(adapter: StoredAdapter): Promise<void>;
  /** Unloads an adapter and frees its resources. Does nothing if it is not loaded. */
  unload(sha256: string): Promise<void>;
  /**
   * The response stream. Leaving the loop stops generation; so does aborting the signal, whose reason is then thrown.
   * Otherwise throws an `EngineError`: `engine_unavailable` for an adapter that is not loaded, and once the backend is
   * closed.
   */
  ask<K extends AskKind>(kind: K, task: Question<K>, signal: AbortSignal): AsyncIterable<Asks[K]['output']>;
  /** How many requests run or wait before it refuses more; missing if it does not say. */
  readonly places?: number;
  /** Whether it can serve now or soon. `hung`: it does not respond and may have to be restarted. */
  readonly state: BackendState;
  /** What it does before it can answer, in a sentence; null if it does nothing. Missing if it does not say. */
  readonly preparing?: string | null;
  close(): Promise<void>;
}

export interface GuardedBackend extends Backend {
  /** The texts and embeddings that run or wait. */
  readonly queue: Pick<Queue, 'state'>;
  readonly preparing: string | null;
  /** How many requests are in progress. */
  readonly activeCount: number;
}

/** They take no place in the queue. */
const UNQUEUED: ReadonlySet<AskKind> = new Set(['encode', 'decode', 'describe']);

/**
 * Refuses requests that the backend or the base model does not support, so that nothing is silently ignored, and counts the
 * others. Tells callers that it has no place for when to return.
 */
export function guardBackend(
  backend: Backend,
  clock: Pick<Clock, 'elapsed'> = realClock,
  { hasChatTemplate = true }: { hasChatTemplate?: boolean | undefined } = {},
): GuardedBackend {
  const rendersChats = hasChatTemplate || backend.abilities.ownTemplate;
  const queue = createQueue(backend.places, clock);
  let besideCount = 0;

  async function* askBeside<T>(answer: AsyncIterable<T>): AsyncGenerator<T> {
    besideCount++;
    try {
      yield* answer;
    } finally {
      besideCount--;
    }
  }

  async function* askInQueue<T>(answer: AsyncIterable<T>, caller: string): AsyncGenerator<T> {
    const leave = queue.enter();
    let isServed = true;
    try {
      yield* answer;
    } catch (error) {
      isServed = false;
      if (error instanceof EngineError && error.code === 'engine_busy') error.retryMs = queue.refuse(caller);
      throw error;
    } finally {
      leave(isServed);
    }
  }

  return {
    abilities: backend.abilities,
    load: adapter => backend.load(adapter),
    unload: sha256 => backend.unload(sha256),
    async *ask(kind, task, signal) {
      // Before the model is loaded for nothing.
      if (!rendersChats && 'messages' in task) throw new EngineError('invalid_value', NO_CHAT_TEMPLATE);
      requireAbilities(backend.abilities, kind, task);
      const answer = backend.ask(kind, task, signal);
      const { caller = '', isLowPriority = false } = task as Partial<Question<'chat'>>;
      // Requests of low priority give up their place to any other.
      yield* UNQUEUED.has(kind) || isLowPriority ? askBeside(answer) : askInQueue(answer, caller);
    },
    queue,
    get state() {
      return backend.state;
    },
    get preparing() {
      return backend.preparing ?? null;
    },
    get activeCount() {
      return besideCount + queue.activeCount;
    },
    close: () => backend.close(),
  };
}

function requireAbilities(can: BackendAbilities, kind: AskKind, task: Question): void {
  const { adapter, logprobs, json, choices, tools } = task as Partial<Question<'chat'>>;
  if (kind === 'embed' && !can.embeddings)
    throw new ApiError('model_not_supported', "This cloud's backend cannot embed texts.");
  if (typeof adapter === 'string' && !can.adapters)
    throw new ApiError('model_not_supported', "This cloud's backend serves only the base model.");
  if (logprobs !== undefined && !can.logprobs)
    throw new ApiError('unsupported_parameter', "This cloud's backend has no log probabilities.", {
      param: 'logprobs',
    });
  if (can.structure || (json === undefined && !choices && tools === undefined)) return;
  const [what, part] = tools === undefined ? (['schemas', 'json'] as const) : (['tools', 'tools'] as const);
  throw new EngineError('invalid_value', `This cloud's backend cannot follow ${what}.`, part);
}

export type SampleAnswer = Pick<SampleGenerated, 'answer' | 'finishReason' | 'error'>;

/**
 * Answers a job's samples, for code that knows nothing about engines. `later`: the engine cannot answer now. Never throws.
 * Without an adapter, the base model answers.
 */
export type AnswerSample = (
  input: SampleInput & { variables?: TemplateVariables | undefined },
  adapter: StoredAdapter | null,
  signal: AbortSignal,
) => Promise<SampleAnswer | 'later'>;
