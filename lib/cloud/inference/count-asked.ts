// A backend that counts what it is answering.
import type { InferenceBackend } from '../seams/backend.js';

interface BusyBackend extends InferenceBackend {
  /** How many questions are being answered. */
  readonly asked: number;
}

export function countAsked(backend: InferenceBackend): BusyBackend {
  let asked = 0;
  return {
    abilities: backend.abilities,
    load: adapter => backend.load(adapter),
    unload: sha256 => backend.unload(sha256),
    async *ask(kind, task, signal) {
      asked++;
      try {
        yield* backend.ask(kind, task, signal);
      } finally {
        asked--;
      }
    },
    get state() {
      return backend.state;
    },
    get asked() {
      return asked;
    },
    close: () => backend.close(),
  };
}
