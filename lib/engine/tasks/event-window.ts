// Keeps a trainer from running ahead of its parent: once too many events are in flight, the next one waits until the
// parent has handled one.

interface EventWindow {
  /** Resolves when there is room for an event. */
  acquire(): Promise<void>;
  release(count: number): void;
  /** For a run that is stopping: its few remaining events must not wait. */
  removeLimit(): void;
}

export function createEventWindow(size: number): EventWindow {
  let inFlight = 0;
  let wake = () => {};
  return {
    async acquire() {
      while (inFlight >= size)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      inFlight++;
    },
    release(count) {
      inFlight -= count;
      wake();
    },
    removeLimit() {
      inFlight = Number.NEGATIVE_INFINITY;
      wake();
    },
  };
}
