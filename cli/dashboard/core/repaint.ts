// Requests redraws: changes in quick succession are drawn together, no more often than people can read. Key presses are
// drawn immediately.

export interface Repaint {
  request(): void;
  /** Runs a pending request now. */
  flush(): void;
  subscribe(listener: () => void): () => void;
}

/** Updates that no key caused need no more than the eye can follow; each frame costs time. */
const UPDATES_PER_SECOND = 6;
const UPDATE_MS = 1000 / UPDATES_PER_SECOND;

export function createRepaint(everyMs: number = UPDATE_MS): Repaint {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;

  function tell(): void {
    clearTimeout(timer);
    timer = undefined;
    last = Date.now();
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
  };
}
