// Serves a model in a separate process: many questions at once, each with the base model or an adapter.
import { type Clock, realClock } from '../../clock/index.js';
import { untilAborted } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import { AnswerStream } from '../generate/answer-stream.js';
import type { HeartbeatLimits } from './heartbeat.js';
import type { Ask, AskKind, Asks, FromWorker, ServeTask } from './messages.js';
import { type ProcessEnd, startWorker } from './worker-process.js';

export interface ServingProcess {
  pid: number;
  /** Resolves once the model can answer; rejects if it cannot be opened. */
  ready: Promise<void>;
  /** What it does before that, as a sentence; null once it is ready. */
  readonly preparing: string | null;
  /** Leaving the loop or aborting ends the work. Throws an `EngineError`. */
  ask<K extends AskKind>(
    kind: K,
    task: Asks[K]['task'],
    signal?: AbortSignal,
  ): AsyncGenerator<Asks[K]['output']>;
  /** Frees the memory of one adapter, or of the model until it is asked again. */
  unload(adapterFolder?: string): void;
  /** No heartbeat for a while, or a computation that takes too long. It is killed if that continues. */
  readonly isHung: boolean;
  ended: Promise<ProcessEnd>;
  close(): Promise<void>;
}

/** Computations announce how long they may take; nothing else keeps the process busy for 40 s. */
const LIMITS: HeartbeatLimits = { silentMs: 10_000, busyMs: 40_000 };

interface ServingOptions {
  clock?: Clock | undefined;
  /** Called with the reason when the GPU failed. The CPU answers from then on, also what was being answered. */
  onLeftGpu?: ((reason: string) => void) | undefined;
  /** Called with the reason when the weights could not be rounded. Those of float32 answer then. */
  onNotRounded?: ((reason: string) => void) | undefined;
}

export function startServing(
  task: ServeTask,
  { clock = realClock, onLeftGpu = () => {}, onNotRounded = () => {} }: ServingOptions = {},
): ServingProcess {
  const answers: Answers = new Map();
  const opening = withResolvers<void>();
  opening.promise.catch(() => {});
  let stopped: EngineError | null = null;
  let preparing: string | null = 'Loading the model.';
  let nextId = 1;
  const onMessage = (message: FromWorker) => {
    if (message.type === 'preparing') preparing = message.what;
    else if (message.type === 'serving') preparing = null;
    else if (message.type === 'left-gpu') onLeftGpu(message.reason);
    else if (message.type === 'not-rounded') onNotRounded(message.reason);
    deliver(message, opening, answers);
  };
  const worker = startWorker(onMessage, {
    serves: true,
    limits: LIMITS,
    clock,
    // It may recover or be killed; callers do not wait to find out.
    onOverdue: () => failAll(doesNotRespond()),
  });
  worker.send({ type: 'serve', task });
  void worker.ended.then(() => {
    stopped = new EngineError('engine_unavailable', 'The engine stopped and is restarting. Try again.');
    opening.reject(stopped);
    failAll(stopped);
  });

  function failAll(error: EngineError): void {
    for (const answer of answers.values()) answer.end({ error });
  }

  async function* ask<K extends AskKind>(
    kind: K,
    task: Asks[K]['task'],
    signal?: AbortSignal,
  ): AsyncGenerator<Asks[K]['output']> {
    signal?.throwIfAborted();
    await untilAborted(opening.promise, signal);
    if (stopped) throw stopped;
    if (worker.isOverdue) throw doesNotRespond();
    const id = nextId++;
    const answer = new AnswerStream<Asks[K]['output']>();
    answers.set(id, answer as AnyAnswer);
    const onAbort = () => answer.end({ error: signal!.reason });
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.send({ type: 'ask', id, ...({ kind, task } as Ask) });
    try {
      yield* answer;
    } finally {
      signal?.removeEventListener('abort', onAbort);
      answers.delete(id);
      worker.send({ type: 'abort', id });
    }
  }

  return {
    pid: worker.pid,
    ready: opening.promise,
    ask,
    get preparing() {
      return preparing;
    },
    get isHung() {
      return worker.isHung;
    },
    unload: adapterFolder =>
      worker.send({ type: 'unload', ...(adapterFolder !== undefined && { adapterFolder }) }),
    ended: worker.ended,
    close: async () => {
      worker.close();
      await worker.ended;
    },
  };
}

type AnyAnswer = AnswerStream<Asks[AskKind]['output']>;

type Answers = Map<number, AnyAnswer>;

function deliver(message: FromWorker, opening: Resolvers<void>, answers: Answers): void {
  if (message.type === 'serving') opening.resolve();
  else if (message.type === 'output') answers.get(message.id)?.push(message.output);
  else if (message.type === 'ended') answers.get(message.id)?.end();
  else if (message.type === 'failed') {
    const error = new EngineError(message.code, message.message, message.part);
    if (message.id === null) opening.reject(error);
    else answers.get(message.id)?.end({ error });
  }
}

function doesNotRespond(): EngineError {
  return new EngineError(
    'engine_unavailable',
    'The engine does not respond. It is restarted unless it recovers. Try again in a minute.',
  );
}

interface Resolvers<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function withResolvers<T>(): Resolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
