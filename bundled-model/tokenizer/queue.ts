// A binary heap.

interface Queue<T> {
  push(item: T): void;
  /** Removes and returns the first entry. */
  pop(): T | undefined;
}

export function createQueue<T>(comesBefore: (a: T, b: T) => boolean): Queue<T> {
  const heap: T[] = [];

  function rise(item: T, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!comesBefore(item, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = item;
  }

  function sink(item: T): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && comesBefore(heap[child + 1]!, heap[child]!)) child++;
      if (child >= heap.length || !comesBefore(heap[child]!, item)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = item;
  }

  return {
    push: item => rise(item, heap.length),
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length > 0) sink(last!);
      return first;
    },
  };
}
