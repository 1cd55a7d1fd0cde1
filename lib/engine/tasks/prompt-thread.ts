// Writes long prompts in a thread, in pieces, while the engine continues decoding. The thread starts with the first prompt
// and is terminated if a piece takes too long.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type Clock, realClock } from '../../clock/index.js';
import { startThread } from '../../system/index.js';
import { EngineError } from '../engine-error.js';
import type { PromptAnswer, PromptRequest, PromptThreadData } from './serve-prompts.js';
import type { PromptSource } from './write-prompt.js';

interface PromptThread {
  /** One piece of one prompt at a time: whoever calls takes care of that. */
  write(source: PromptSource): AsyncGenerator<void, PromptAnswer>;
  /** Ends the thread until it is needed again. */
  close(): Promise<void>;
}

export function createPromptThread(
  workerData: PromptThreadData,
  limitMs: number,
  clock = realClock,
): PromptThread {
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
      /** The thread that has begun it, which another prompt may have ended since. */
      let begun: Worker | null = null;
      try {
        for (;;) {
          thread ??= open();
          const request: PromptRequest = { id, ...(thread !== begun && { source }) };
          begun = thread;
          const answer = await exchange(thread, request, limitMs, clock);
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
async function exchange(
  thread: Worker,
  request: PromptRequest,
  limitMs: number,
  clock: Clock,
): Promise<PromptAnswer> {
  const finished = new AbortController();
  const { signal } = finished;
  const timer = clock.after(limitMs, () => finished.abort(tooSlow(limitMs)));
  try {
    const answered = once(thread, 'message', { signal }) as Promise<[PromptAnswer]>;
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
