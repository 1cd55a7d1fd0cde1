// A pass as inputs of the training graphs.
import type { Inputs } from '../runtime/index.js';
import type { Pass } from './packing.js';

export function toInputs({ lines: { count, length }, positions, rows, ...vectors }: Pass): Inputs {
  const shape = [count, length];
  return {
    ...vectors,
    lines: BigInt64Array.of(BigInt(count), BigInt(length)),
    positions: { values: positions, shape },
    rows: { values: rows, shape },
  };
}
