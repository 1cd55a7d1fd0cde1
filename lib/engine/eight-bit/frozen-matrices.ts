// Which matrices of a graph no run changes: weights, however they are stored, and whole rows of them.
import type { Constant, Dimension, Graph, GraphNode } from '../graph/index.js';

/** Rows of a constant, which is a matrix. */
export interface FrozenMatrix {
  constant: Constant;
  firstRow: number;
  rows: number;
  columns: number;
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
    return { ...whole, firstRow: whole.firstRow + first, rows: end - first };
  }

  function numberAt(name: string): number {
    const { source } = constants.get(name)!;
    if (!('bytes' in source)) throw new Error(`${name} is no small constant.`);
    return Number(new BigInt64Array(source.bytes.slice().buffer)[0]);
  }

  return find;
}

function wholeOf(constant: Constant): FrozenMatrix | null {
  const { shape } = constant.tensor;
  if (shape.length !== 2) return null;
  const [rows, columns] = shape as [number, number];
  return { constant, firstRow: 0, rows, columns };
}
