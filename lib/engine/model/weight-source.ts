// Frozen weights as constants of a graph, read from the model's files.
import { cast, type DType, type GraphBuilder, type Tensor } from '../graph/index.js';
import type { WeightLookup } from './decoder.js';

/** The type, shape and file range of a weight. */
export interface WeightLocation {
  dtype: DType;
  shape: readonly number[];
  file: string;
  offset: number;
  length: number;
}

/** Looks up frozen weights. 16-bit floats are cast to float32, once, when the runtime creates a session. */
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
