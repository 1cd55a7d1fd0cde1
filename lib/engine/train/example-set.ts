// Rows as examples, each made when it is asked for. A list of examples is one.
import type { Example } from './packing.js';

export interface ExampleSet {
  readonly length: number;
  /** Null for a row that is left out. */
  at(index: number): Example | null | undefined;
}

/** The examples of a set in their order, but for the rows that are left out. */
export function* examplesOf(set: ExampleSet): Generator<Example> {
  for (let index = 0; index < set.length; index++) {
    const example = set.at(index);
    if (example) yield example;
  }
}
