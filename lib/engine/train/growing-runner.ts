// The graph of a run, built anew for larger passes when a row comes that is longer than those the shape was chosen for.
import type { Example, PassShape } from './packing.js';
import { growShape } from './pass-shape.js';

interface Closable {
  close(): Promise<void>;
}

export interface GrowingRunner<R extends Closable> {
  /** A runner for passes of this shape, in which these examples fit. */
  fit(examples: Iterable<Example>): Promise<{ shape: PassShape; runner: R }>;
  close(): Promise<void>;
}

/** The runner is created when it is first needed. */
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
