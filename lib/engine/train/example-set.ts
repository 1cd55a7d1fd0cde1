// Examples by index, each created when it is read. An array of examples is one, too.
import type { Example } from './packing.js';

export interface ExampleSet {
  readonly length: number;
  /** Null for a skipped row. */
  at(index: number): Example | null | undefined;
  /** The example's row in the data set; the same index by default. */
  rowOf?(index: number): number;
}

/** All examples in order, without skipped rows. */
export function* examplesOf(set: ExampleSet): Generator<Example> {
  for (let index = 0; index < set.length; index++) {
    const example = set.at(index);
    if (example) yield example;
  }
}
