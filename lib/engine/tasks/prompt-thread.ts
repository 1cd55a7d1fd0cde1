// Writes long prompts in a thread, one at a time, while the engine continues decoding. The thread starts with the first
// prompt and is terminated if one takes too long.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import type { PromptAnswer, PromptThreadData } from './serve-prompts.js';
import type { PromptSource } from './write-prompt.js';

interface PromptThread {
  /** If the signal aborts before its turn, throws the reason without starting. */
  write(source: PromptSource, signal: AbortSignal): Promise<PromptAnswer>;
  /** Ends the thread until it is needed again. */
  close(): Promise<void>;
}

export function createPromptThread(workerData: PromptThreadData, limitMs: number): PromptThread {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

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

  async function request(source: PromptSource): Promise<PromptAnswer> {
    thread ??= open();
    try {
      return await exchange(thread, source, limitMs);
    } catch (error) {
      await close();
      throw error;
    }
  }

  return {
    async write(source, signal) {
      const written = last.then(() => {
        signal.throwIfAborted();
        return request(source);
      });
      last = written.catch(() => {});
      return written;
    },
    close,
  };
}

/** The thread's next answer; throws if it exits or takes too long. */
async function exchange(thread: Worker, source: PromptSource, limitMs: number): Promise<PromptAnswer> {
  const finished = new AbortController();
  const { signal } = finished;
  const timer = setTimeout(() => finished.abort(tooSlow(limitMs)), limitMs);
  try {
    const answered = once(thread, 'message', { signal }) as Promise<[PromptAnswer]>;
    thread.postMessage(source);
    const [answer] = await Promise.race([answered, once(thread, 'exit', { signal }).then(failEnded)]);
    return answer;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
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
