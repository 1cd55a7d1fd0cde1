// The weights of a frozen model as constants of a graph, read from the model's files.
import {
  cast,
  type Dimension,
  type DType,
  float32Matrix,
  type GraphBuilder,
  type Matrix,
  type Tensor,
} from '../graph/index.js';

/** The type, shape and file range of a weight. */
export interface WeightLocation {
  dtype: DType;
  shape: readonly number[];
  file: string;
  offset: number;
  length: number;
}

/** A model's weights in a graph, by their names in the model's files. */
export interface Weights {
  /** As float32. */
  tensor(name: string): Tensor;
  /** A matrix, for products. */
  matrix(name: string): Matrix;
}

/** Adds weights to a graph when they are looked up. */
export type WeightSource = <D extends Dimension>(graph: GraphBuilder<D>) => Weights;

/** The weights as they are stored. 16-bit floats are cast to float32, once, when the runtime creates a session. */
export function storedWeights(place: (name: string) => WeightLocation): WeightSource {
  return graph => {
    const known = new Map<string, Tensor>();
    const tensor = (name: string): Tensor => {
      const found = known.get(name);
      if (found) return found;
      const { dtype, shape, file, offset, length } = place(name);
      const constant = graph.constant(name, dtype, shape, { file, offset, length });
      const added = cast(graph as Pick<GraphBuilder, 'node'>, constant, 'float32');
      known.set(name, added);
      return added;
    };
    return { tensor, matrix: name => float32Matrix(tensor(name)) };
  };
}
