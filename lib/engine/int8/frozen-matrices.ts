// Which matrices of a graph no run changes: weights, however they are stored, and whole rows of them.
import {
  BYTES_PER_ELEMENT,
  type Constant,
  type ConstantSource,
  type Dimension,
  type DType,
  type Graph,
  type GraphNode,
} from '../graph/index.js';

/** A constant that is a matrix, or rows of one. */
export interface FrozenMatrix {
  /** The constant's. */
  name: string;
  dtype: DType;
  rows: number;
  columns: number;
  /** Where these rows are, and nothing else. */
  source: ConstantSource;
}

/** Looks one up by the name of its tensor; null for what a run computes, and for what is no matrix. */
export function frozenMatrices(graph: Graph<Dimension>): (name: string) => FrozenMatrix | null {
  const constants = new Map(graph.constants.map(constant => [constant.tensor.name, constant]));
  const makers = new Map(graph.nodes.flatMap(node => node.outputs.map(name => [name, node] as const)));

  function find(name: string): FrozenMatrix | null {
    const constant = constants.get(name);
    if (constant) return wholeOf(constant);
    const maker = makers.get(name);
    if (maker?.op === 'Cast') return find(maker.inputs[0]!);
    return maker?.op === 'Slice' ? partOf(maker) : null;
  }

  function partOf({ inputs: [name, from, to, axis] }: GraphNode): FrozenMatrix | null {
    const whole = find(name!);
    if (!whole || numberAt(axis!) !== 0) return null;
    const [first, end] = [numberAt(from!), numberAt(to!)];
    return { ...whole, rows: end - first, source: rowsOf(whole, first, end) };
  }

  function numberAt(name: string): number {
    const { source } = constants.get(name)!;
    if (!('bytes' in source)) throw new Error(`${name} is no small constant.`);
    return Number(new BigInt64Array(source.bytes.slice().buffer)[0]);
  }

  return find;
}

function wholeOf({ tensor: { name, dtype, shape }, source }: Constant): FrozenMatrix | null {
  if (shape.length !== 2) return null;
  const [rows, columns] = shape as [number, number];
  return { name, dtype, rows, columns, source };
}

function rowsOf({ dtype, columns, source }: FrozenMatrix, first: number, end: number): ConstantSource {
  const row = columns * BYTES_PER_ELEMENT[dtype];
  const [from, to] = [first * row, end * row];
  return 'bytes' in source
    ? { bytes: source.bytes.subarray(from, to) }
    : { file: source.file, offset: source.offset + from, length: to - from };
}
