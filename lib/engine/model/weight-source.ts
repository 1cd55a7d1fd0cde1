// The weights of a frozen model as constants of a graph, read from the model's files.
import {
  cast,
  concat,
  type DType,
  float32Matrix,
  float32Table,
  type GraphBuilder,
  type Matrix,
  matMul,
  type OutputTable,
  type Tensor,
  transpose,
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
  matrix(name: string): Matrix;
  /** Matrices of one input as one: their outputs side by side. */
  joined(names: readonly string[]): Pick<Matrix, 'multiply'>;
  table(name: string): OutputTable;
}

/** Adds weights to a graph when they are looked up. */
export type WeightSource = (graph: GraphBuilder) => Weights;

/** The weights as they are stored. 16-bit floats are cast to float32, once, when the runtime creates a session. */
export function storedWeights(place: (name: string) => WeightLocation): WeightSource {
  return graph => {
    const known = new Map<string, Tensor>();
    const add = (name: string, { dtype, shape, file, offset, length }: WeightLocation): Tensor => {
      const constant = graph.constant(name, dtype, shape, { file, offset, length });
      return cast(graph as Pick<GraphBuilder, 'node'>, constant, 'float32');
    };
    const keep = (name: string, location: WeightLocation): Tensor =>
      known.get(name) ?? known.set(name, add(name, location)).get(name)!;
    const tensor = (name: string) => keep(name, place(name));
    return {
      ...float32Weights(tensor),
      // Rows are read from the file. To slice a constant, the runtime copies all of it for each slice when it creates a session.
      table: name =>
        float32Table(tensor(name), (_, from, to) => {
          const location = place(name);
          const isWhole = to - from === location.shape[0];
          return isWhole ? tensor(name) : keep(`${name}.${from}`, rowsIn(location, from, to));
        }),
    };
  };
}

function rowsIn({ shape, offset, length, ...location }: WeightLocation, from: number, to: number) {
  const [rows, ...rest] = shape as [number, ...number[]];
  const rowBytes = length / rows;
  const count = to - from;
  return { ...location, shape: [count, ...rest], offset: offset + from * rowBytes, length: count * rowBytes };
}

/** The same weights with their matrices in float16; what is computed with them is in float32. */
export function halfWeights(source: WeightSource): WeightSource {
  return graph => {
    const { tensor } = source(graph);
    const known = new Map<string, Tensor>();
    const add = (name: string) => {
      const stored = tensor(name);
      return stored.shape.length === 2 ? cast(graph, cast(graph, stored, 'float16'), 'float32') : stored;
    };
    return float32Weights(name => known.get(name) ?? known.set(name, add(name)).get(name)!);
  };
}

/** Weights that are tensors of the graph. */
export function float32Weights(tensor: (name: string) => Tensor): Weights {
  return {
    tensor,
    matrix: name => float32Matrix(tensor(name)),
    // The runtime transposes and joins them once. A product with few rows is faster this way.
    joined: names => ({
      multiply(graph, x) {
        const columns = names.map(name => transpose(graph, tensor(name), [1, 0]));
        return matMul(graph, x, concat(graph, columns, 1));
      },
    }),
    table: name => float32Table(tensor(name)),
  };
}
