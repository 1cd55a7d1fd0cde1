// Keeps a trainer from running ahead of its parent: so many events may be on their way, and the next one waits until one
// of them was taken.

export interface EventWindow {
  /** Resolves when there is room for an event. */
  enter(): Promise<void>;
  taken(count: number): void;
  /** From now on there always is: what comes is little, and must not wait. */
  open(): void;
}

export function createEventWindow(size: number): EventWindow {
  let underWay = 0;
  let wake = () => {};
  return {
    async enter() {
      while (underWay >= size)
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      underWay++;
    },
    taken(count) {
      underWay -= count;
      wake();
    },
    open() {
      underWay = Number.NEGATIVE_INFINITY;
      wake();
    },
  };
}
