// Long prompts are written in a thread, one at a time, while the engine goes on decoding for everyone else. The thread
// starts with the first one; one that takes too long is ended with it.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import type { PromptAnswer, PromptThreadData } from './serve-prompts.js';
import type { Conversation } from './write-prompt.js';

export interface PromptThread {
  /** Throws the signal's reason without a start for a caller who has left before its turn. */
  write(conversation: Conversation, signal: AbortSignal): Promise<PromptAnswer>;
  /** Ends the thread until it is needed again. */
  close(): Promise<void>;
}

export function createPromptThread(workerData: PromptThreadData, limitMs: number): PromptThread {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  function open(): Worker {
    const started = startThread('engine/prompt-thread', workerData);
    started.unref();
    started.on('error', () => {}); // It ends, and whoever waits for its answer is told.
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

  async function ask(conversation: Conversation): Promise<PromptAnswer> {
    thread ??= open();
    try {
      return await exchange(thread, conversation, limitMs);
    } catch (error) {
      await close();
      throw error;
    }
  }

  return {
    async write(conversation, signal) {
      const written = last.then(() => {
        signal.throwIfAborted();
        return ask(conversation);
      });
      last = written.catch(() => {});
      return written;
    },
    close,
  };
}

/** The thread's next answer, unless it ends or takes too long. */
async function exchange(thread: Worker, conversation: Conversation, limitMs: number): Promise<PromptAnswer> {
  const over = new AbortController();
  const { signal } = over;
  const timer = setTimeout(() => over.abort(tooSlow(limitMs)), limitMs);
  try {
    const answered = once(thread, 'message', { signal }) as Promise<[PromptAnswer]>;
    thread.postMessage(conversation);
    const [answer] = await Promise.race([answered, once(thread, 'exit', { signal }).then(failEnded)]);
    return answer;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    over.abort();
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
