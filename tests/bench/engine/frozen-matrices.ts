// Finds the matrices of a graph that are constant in every run: weights, cast weights, and slices of their rows.

import type { Constant, ConstantSource, DType, Graph, GraphNode } from '../../../lib/engine/graph/index.js';

/** A constant matrix, or some rows of one. */
export interface FrozenMatrix {
  /** The name of the constant. */
  name: string;
  dtype: DType;
  rows: number;
  columns: number;
  /** Covers exactly these rows. */
  source: ConstantSource;
}

/** Returns a lookup by tensor name; null for computed tensors and for constants that are not matrices. */
export function frozenMatrices(graph: Graph): (name: string) => FrozenMatrix | null {
  const constants = new Map(graph.constants.map(constant => [constant.tensor.name, constant]));
  const producers = new Map(graph.nodes.flatMap(node => node.outputs.map(name => [name, node] as const)));

  function find(name: string): FrozenMatrix | null {
    const constant = constants.get(name);
    if (constant) return toMatrix(constant);
    const producer = producers.get(name);
    if (producer?.op === 'Cast') return find(producer.inputs[0]!);
    return producer?.op === 'Slice' ? sliceMatrix(producer) : null;
  }

  function sliceMatrix({ inputs: [name, from, to, axis] }: GraphNode): FrozenMatrix | null {
    const whole = find(name!);
    if (!whole || numberAt(axis!) !== 0) return null;
    const [first, end] = [numberAt(from!), numberAt(to!)];
    return { ...whole, rows: end - first, source: sliceSource(whole, first, end) };
  }

  function numberAt(name: string): number {
    const { source } = constants.get(name)!;
    if (!('bytes' in source)) throw new Error(`${name} is not a constant in memory.`);
    return Number(new BigInt64Array(source.bytes.slice().buffer)[0]);
  }

  return find;
}

function toMatrix({ tensor: { name, dtype, shape }, source }: Constant): FrozenMatrix | null {
  if (shape.length !== 2) return null;
  const [rows, columns] = shape as [number, number];
  return { name, dtype, rows, columns, source };
}

function sliceSource({ rows, source }: FrozenMatrix, first: number, end: number): ConstantSource {
  const row = ('bytes' in source ? source.bytes.length : source.length) / rows;
  const [from, to] = [first * row, end * row];
  return 'bytes' in source
    ? { bytes: source.bytes.subarray(from, to) }
    : { file: source.file, offset: source.offset + from, length: to - from };
}
