// Rebuilds a run's graph for larger passes when a row is longer than those that the shape was chosen for.
import type { Example, PassShape } from './packing.js';
import { growShape } from './pass-shape.js';

interface Closable {
  close(): Promise<void>;
}

export interface GrowingRunner<R extends Closable> {
  /** A runner whose shape has room for these examples. */
  fit(examples: Iterable<Example>): Promise<{ shape: PassShape; runner: R }>;
  close(): Promise<void>;
}

export function createGrowingRunner<R extends Closable>(
  first: PassShape,
  longestRow: number,
  create: (shape: PassShape) => Promise<R>,
): GrowingRunner<R> {
  let shape = first;
  let runner: R | undefined;
  return {
    async fit(examples) {
      const grown = growShape(shape, examples, longestRow);
      if (grown !== shape) {
        await runner?.close();
        runner = undefined;
        shape = grown;
      }
      runner ??= await create(shape);
      return { shape, runner };
    },
    close: async () => runner?.close(),
  };
}
