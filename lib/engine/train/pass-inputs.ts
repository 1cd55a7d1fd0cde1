// A pass as inputs of the training graphs.
import type { Inputs } from '../runtime/index.js';
import type { Pass } from './packing.js';

/** One line of tokens, for a graph without labels. */
export function toLineInputs(ids: readonly number[]): Inputs {
  const shape = [1, ids.length];
  return {
    ids: BigInt64Array.from(ids, BigInt),
    lines: BigInt64Array.from(shape, BigInt),
    positions: { values: BigInt64Array.from(ids.keys(), BigInt), shape },
    rows: { values: new Float32Array(ids.length), shape },
  };
}

export function toInputs({ lines: { count, length }, positions, rows, ...vectors }: Pass): Inputs {
  const shape = [count, length];
  return {
    ...vectors,
    lines: BigInt64Array.of(BigInt(count), BigInt(length)),
    positions: { values: positions, shape },
    rows: { values: rows, shape },
  };
}
