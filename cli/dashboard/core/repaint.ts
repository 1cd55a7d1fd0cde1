// Tells that something is to be drawn again: what happens in a row is told once, and no more often than can be read.
// A key is answered at once.

export interface Repaint {
  request(): void;
  /** Does now what was requested. */
  flush(): void;
  subscribe(listener: () => void): () => void;
  /** Changes whenever it was told. */
  readonly version: number;
}

/** What comes by itself needs no more than eyes can follow; each frame costs its time. */
const UPDATES_PER_SECOND = 8;
const UPDATE_MS = 1000 / UPDATES_PER_SECOND;

export function createRepaint(everyMs: number = UPDATE_MS): Repaint {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let version = 0;

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    last = Date.now();
    version++;
    for (const listener of listeners) listener();
  }

  return {
    request() {
      timer ??= setTimeout(tell, Math.max(0, last + everyMs - Date.now()));
    },
    flush() {
      if (timer !== undefined) tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get version() {
      return version;
    },
  };
}
