// A pass as inputs of the training graphs.
import type { Inputs } from '../runtime/index.js';
import type { PairInputs, Pass } from './packing.js';

export function toInputs({ lines: { count, length }, positions, rows, pairs, ...vectors }: Pass): Inputs {
  const shape = [count, length];
  return {
    ...vectors,
    ...(pairs && toPairInputs(pairs, vectors.labels.length)),
    lines: BigInt64Array.of(BigInt(count), BigInt(length)),
    positions: { values: positions, shape },
    rows: { values: rows, shape },
  };
}

function toPairInputs({ sides, reference, weights }: PairInputs, labels: number): Inputs {
  return { sides: { values: sides, shape: [weights.length, labels] }, reference, pairWeights: weights };
}
