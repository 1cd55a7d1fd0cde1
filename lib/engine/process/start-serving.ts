// A model in a process of its own, answering chats: many at once, each with the base model or an adapter.
import { untilAborted } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import type { Piece } from '../generate/index.js';
import type { ChatTask, FromWorker, ServedModel, ServeTask } from './messages.js';
import type { HeartbeatLimits } from './watch-heartbeat.js';
import { type ProcessEnd, startWorker } from './worker-process.js';

export interface ServingProcess {
  pid: number;
  /** Resolves once the model can answer; rejects when it cannot be opened. */
  ready: Promise<ServedModel>;
  /** The pieces of an answer. Leaving the loop, or the signal, ends the generation. Throws an `EngineError`. */
  chat(task: ChatTask, signal?: AbortSignal): AsyncGenerator<Piece>;
  /** Gives the model's memory back until the next chat. */
  unload(): void;
  /** Whether it has not been heard of for a while, or computes for too long. It is killed if that goes on. */
  readonly isHung: boolean;
  ended: Promise<ProcessEnd>;
  close(): Promise<void>;
}

interface Answer {
  pieces: Piece[];
  end: { error?: Error } | null;
  wake: () => void;
}

/** Silent for 10 s: stopped. What computes says itself how long it may take; nothing else is busy for 40 s. */
const LIMITS: HeartbeatLimits = { silentMs: 10_000, busyMs: 40_000 };

export function startServing(task: ServeTask, limits = LIMITS): ServingProcess {
  const answers = new Map<number, Answer>();
  const opening = withResolvers<ServedModel>();
  opening.promise.catch(() => {});
  const worker = startWorker(receive, { limits, onOverdue: giveUp });
  let nextId = 1;
  let gone: EngineError | null = null;
  worker.send({ type: 'serve', task });
  void worker.ended.then(() => {
    gone = new EngineError('engine_unavailable', 'The engine stopped. It is started again; try once more.');
    opening.reject(gone);
    for (const answer of answers.values()) finish(answer, { error: gone });
  });

  /** It may come back, or be killed: its callers do not wait for that. */
  function giveUp(): void {
    for (const answer of answers.values()) finish(answer, { error: doesNotRespond() });
  }

  function receive(message: FromWorker): void {
    if (message.type === 'serving') opening.resolve(message.model);
    else if (message.type === 'failed') fail(message);
    else if (message.type === 'piece') {
      const answer = answers.get(message.id);
      answer?.pieces.push(message.piece);
      answer?.wake();
    } else if (message.type === 'ended') finish(answers.get(message.id), {});
  }

  function fail({ id, code, message }: Extract<FromWorker, { type: 'failed' }>): void {
    const error = new EngineError(code, message);
    if (id === null) opening.reject(error);
    else finish(answers.get(id), { error });
  }

  async function* chat(chatTask: ChatTask, signal?: AbortSignal): AsyncGenerator<Piece> {
    signal?.throwIfAborted();
    await untilAborted(opening.promise, signal);
    if (gone) throw gone;
    if (worker.isOverdue) throw doesNotRespond();
    const id = nextId++;
    const answer: Answer = { pieces: [], end: null, wake: () => {} };
    answers.set(id, answer);
    const onAbort = () => finish(answer, { error: signal!.reason as Error });
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.send({ type: 'chat', id, task: chatTask });
    try {
      yield* readAnswer(answer);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      answers.delete(id);
      worker.send({ type: 'abort', id });
    }
  }

  return {
    pid: worker.pid,
    ready: opening.promise,
    chat,
    get isHung() {
      return worker.isHung;
    },
    unload: () => worker.send({ type: 'unload' }),
    ended: worker.ended,
    close: async () => {
      worker.close();
      await worker.ended;
    },
  };
}

function doesNotRespond(): EngineError {
  return new EngineError(
    'engine_unavailable',
    'The engine does not respond. It is restarted unless it recovers. Try again in a minute.',
  );
}

async function* readAnswer(answer: Answer): AsyncGenerator<Piece> {
  while (true) {
    yield* answer.pieces.splice(0);
    if (answer.pieces.length > 0) continue;
    if (answer.end) {
      if (answer.end.error) throw answer.end.error;
      return;
    }
    await new Promise<void>(resolve => {
      answer.wake = resolve;
    });
  }
}

function finish(answer: Answer | undefined, end: { error?: Error }): void {
  if (!answer) return;
  answer.end ??= end;
  answer.wake();
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((good, bad) => {
    resolve = good;
    reject = bad;
  });
  return { promise, resolve, reject };
}
