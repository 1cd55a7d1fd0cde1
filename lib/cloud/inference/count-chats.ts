// A backend that counts the chats it is answering.
import type { InferenceBackend } from '../seams/backend.js';

interface BusyBackend extends InferenceBackend {
  /** How many chats are being answered. */
  readonly chats: number;
}

export function countChats(backend: InferenceBackend): BusyBackend {
  let chats = 0;
  return {
    async *chat(task, signal) {
      chats++;
      try {
        yield* backend.chat(task, signal);
      } finally {
        chats--;
      }
    },
    get state() {
      return backend.state;
    },
    get chats() {
      return chats;
    },
    close: () => backend.close(),
  };
}
