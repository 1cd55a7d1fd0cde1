// The questions that something elsewhere is answering for this cloud. A caller who aborts gets its own reason. All end when the
// backend is closed.
import { EngineError } from '../../engine/index.js';

interface OpenQuestions {
  ask<T>(signal: AbortSignal, start: (signal: AbortSignal) => AsyncIterable<T>): AsyncGenerator<T>;
}

export function createOpenQuestions(closed: AbortSignal): OpenQuestions {
  const open = new Set<AbortController>();
  closed.addEventListener('abort', () => {
    for (const asking of open) asking.abort(shutDown());
  });
  return {
    async *ask(signal, start) {
      if (closed.aborted) throw shutDown();
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
  };
}

function shutDown(): EngineError {
  return new EngineError('engine_unavailable', 'The engine was shut down.');
}
