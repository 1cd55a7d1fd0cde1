// Weights as tensors of a graph: constants that lie in their files, or inputs that are trained.
import { cast, type DType, type GraphBuilder, type Tensor } from '../graph/index.js';
import type { WeightLookup } from './decoder.js';

/** Where a weight lies, as the weights on disk describe it. */
export interface WeightLocation {
  dtype: DType;
  shape: readonly number[];
  file: string;
  offset: number;
  length: number;
}

/** Frozen weights, read where they lie; halves are widened when the session is made. */
export function frozenWeights(
  graph: Pick<GraphBuilder, 'constant' | 'node'>,
  place: (name: string) => WeightLocation,
): WeightLookup {
  const known = new Map<string, Tensor>();
  return name => {
    const found = known.get(name);
    if (found) return found;
    const { dtype, shape, file, offset, length } = place(name);
    const tensor = cast(graph, graph.constant(name, dtype, shape, { file, offset, length }), 'float32');
    known.set(name, tensor);
    return tensor;
  };
}
