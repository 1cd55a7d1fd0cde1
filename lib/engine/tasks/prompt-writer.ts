// Writes the prompts of chats without delaying answers in progress: short ones between two steps of the engine, long ones
// in a thread. Callers take turns in both, and prompts take turns with texts that are only tokenized.

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { realClock } from '../../clock/index.js';
import { startThread, untilAborted } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import { promptTooLong } from '../generate/index.js';
import { type ModelText, TextError } from '../text/index.js';
import {
  countAtLeast,
  longestOf,
  measure,
  type PromptReply,
  type PromptRequest,
  type PromptSource,
  type PromptThreadData,
  writePrompt,
} from './serve-prompts.js';

export interface PromptWriter {
  /** The prompt's tokens. Aborting rejects at once and gives up the caller's turn. */
  write(source: PromptSource, asked: Asked): Promise<number[]>;
  /** The text of tokens, in turns with short prompts. */
  decode(ids: readonly number[], asked: Asked): Promise<string>;
  close(): Promise<void>;
}

interface Asked {
  caller: string | undefined;
  signal: AbortSignal;
}

interface PromptWriterOptions {
  modelFolder: string;
  text: ModelText;
  context: number;
  /** Prompts that take longer than this to write are refused; 20 s by default. */
  limitMs?: number | undefined;
}

/** Takes a few milliseconds at most. */
const SHORT = { turns: 32, characters: 4000 };

export function createPromptWriter({ modelFolder, text, context, limitMs = 20_000 }: PromptWriterOptions) {
  const thread = createPromptThread({ modelFolder, context }, limitMs);
  const lines = { here: createWorkLine(), thread: createWorkLine() };

  return {
    async write(source, { caller = '', signal }) {
      signal.throwIfAborted();
      const atLeast = countAtLeast(text, source);
      if (atLeast > longestOf(source, context)) throw promptTooLong(`at least ${atLeast}`, context);
      const kind = source.anyLength ? 'text' : 'prompt';
      const place = { kind, caller, signal };
      const written = isShort(source)
        ? lines.here.add<PromptReply>(writePrompt(text, source, context), place)
        : lines.thread.add(thread.write(source), place);
      return readAnswer(await untilAborted(written, signal), context);
    },
    async decode(ids, { caller = '', signal }) {
      signal.throwIfAborted();
      const written = lines.here.add(text.decodeInPieces(ids), { kind: 'text', caller, signal });
      return untilAborted(written, signal);
    },
    close: () => thread.close(),
  } satisfies PromptWriter;
}

function isShort(source: PromptSource): boolean {
  const { turns, characters } = measure(source);
  if (turns > SHORT.turns || characters > SHORT.characters) return false;
  return JSON.stringify(source).length <= 2 * SHORT.characters;
}

function readAnswer(answer: PromptReply, context: number): number[] {
  if ('ids' in answer) return answer.ids;
  if ('atLeast' in answer) throw promptTooLong(`at least ${answer.atLeast}`, context);
  if ('refusal' in answer) throw new TextError(answer.refusal);
  throw new EngineError('engine_unavailable', answer.error);
}

interface PromptThread {
  /** Writes one piece of one prompt at a time; callers must not overlap. */
  write(source: PromptSource): AsyncGenerator<void, PromptReply>;
  /** Ends the thread until it is needed again. */
  close(): Promise<void>;
}

/**
 * Writes long prompts in a thread, in pieces, while the engine continues decoding. The thread starts with the first
 * prompt and is terminated if a piece takes too long.
 */
function createPromptThread(workerData: PromptThreadData, limitMs: number): PromptThread {
  let thread: Worker | null = null;
  let written = 0;

  function open(): Worker {
    const started = startThread('lib/engine/prompt-thread', workerData);
    started.unref();
    started.on('error', () => {}); // The exit that follows fails the pending request.
    started.once('exit', () => {
      if (thread === started) thread = null;
    });
    return started;
  }

  async function close(): Promise<void> {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  }

  return {
    async *write(source) {
      const id = written++;
      /** The thread that started it. Another prompt may have terminated it since. */
      let begun: Worker | null = null;
      try {
        for (;;) {
          thread ??= open();
          const request: PromptRequest = { id, ...(thread !== begun && { source }) };
          begun = thread;
          const answer = await exchange(thread, request, limitMs);
          if (!('isPaused' in answer)) return answer;
          yield;
        }
      } catch (error) {
        await close();
        throw error;
      } finally {
        if (begun === thread) begun?.postMessage({ id, isLeft: true } satisfies PromptRequest);
      }
    },
    close,
  };
}

/** The thread's next answer; throws if it exits or takes too long. */
async function exchange(thread: Worker, request: PromptRequest, limitMs: number): Promise<PromptReply> {
  const finished = new AbortController();
  const { signal } = finished;
  const timer = realClock.after(limitMs, () => finished.abort(tooSlow(limitMs)));
  try {
    const answered = once(thread, 'message', { signal }) as Promise<[PromptReply]>;
    thread.postMessage(request);
    const [answer] = await Promise.race([answered, once(thread, 'exit', { signal }).then(failEnded)]);
    return answer;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    timer.stop();
    finished.abort();
  }
}

function tooSlow(limitMs: number): EngineError {
  return new EngineError(
    'invalid_value',
    `Writing this conversation as a prompt takes more than ${limitMs / 1000} seconds. Shorten the messages.`,
  );
}

function failEnded(): never {
  throw new EngineError('engine_unavailable', 'The engine stopped. Try again.');
}

/** Pending work and its result. */
type Pieces<T> = Generator<void, T> | AsyncGenerator<void, T>;

interface Work {
  /** Runs one piece. Returns whether it was the last one. */
  proceed(): Promise<boolean>;
}

interface Place {
  kind: string;
  caller: string;
  signal: AbortSignal;
}

interface WorkLine {
  /** Once the signal aborts, starts no further piece and throws the signal's reason. */
  add<T>(pieces: Pieces<T>, place: Place): Promise<T>;
}

/**
 * Work for one worker, done in pieces. Kinds of work take turns, then callers within a kind; each caller's pieces run in
 * order. So a caller with many or long requests delays another by a piece or two only. Yields to the event loop before
 * each piece. @internal
 */
export function createWorkLine(): WorkLine {
  /** Queues by kind and caller. The first one is next, then moves to the end. */
  const waiting = new Map<string, Map<string, Work[]>>();
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      await setImmediate();
      const [kind, callers] = firstOf(waiting) ?? [];
      if (!callers) break;
      const [caller, works] = firstOf(callers)!;
      if (await works[0]!.proceed()) works.shift();
      callers.delete(caller);
      if (works.length > 0) callers.set(caller, works);
      waiting.delete(kind!);
      if (callers.size > 0) waiting.set(kind!, callers);
    }
    isRunning = false;
  }

  return {
    add: (pieces, { kind, caller, signal }) =>
      new Promise((resolve, reject) => {
        async function proceed(): Promise<boolean> {
          try {
            if (signal.aborted) {
              await pieces.return(undefined as never);
              throw signal.reason;
            }
            const { done, value } = await pieces.next();
            if (done) resolve(value);
            return done === true;
          } catch (error) {
            reject(error);
            return true;
          }
        }

        const callers = waiting.get(kind) ?? new Map<string, Work[]>();
        waiting.set(kind, callers);
        const works = callers.get(caller) ?? [];
        callers.set(caller, works);
        works.push({ proceed });
        void run();
      }),
  };
}

function firstOf<K, V>(entries: ReadonlyMap<K, V>): [K, V] | undefined {
  const [first] = entries;
  return first;
}
