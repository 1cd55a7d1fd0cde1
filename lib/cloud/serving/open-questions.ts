// The questions that something elsewhere is answering for this cloud. A caller who aborts gets its own reason, and closing
// ends all of them.
import { EngineError } from '../../engine/index.js';

interface OpenQuestions {
  readonly isClosed: boolean;
  ask<T>(signal: AbortSignal, start: (signal: AbortSignal) => AsyncIterable<T>): AsyncGenerator<T>;
  close(): void;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Set<AbortController>();
  let isClosed = false;
  return {
    get isClosed() {
      return isClosed;
    },
    async *ask(signal, start) {
      if (isClosed) throw shutDown();
      signal.throwIfAborted();
      // Not `AbortSignal.any`: one that lives as long as the cloud would remember every question.
      const asking = new AbortController();
      const leave = () => asking.abort(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      open.add(asking);
      try {
        yield* start(asking.signal);
      } catch (error) {
        asking.signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener('abort', leave);
        open.delete(asking);
      }
    },
    close() {
      isClosed = true;
      for (const asking of open) asking.abort(shutDown());
    },
  };
}

function shutDown(): EngineError {
  return new EngineError('engine_unavailable', 'The engine was shut down.');
}
