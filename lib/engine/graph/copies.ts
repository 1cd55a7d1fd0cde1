// A graph that copies tensors to a device or back: reading one there otherwise ends the process.
import { type Dimension, GraphBuilder } from './graph.js';
import { unary } from './primitives.js';

interface Copied {
  name: string;
  shape: readonly Dimension[];
}

/** The name of a tensor's copy. */
export const copyName = (name: string) => `copy.${name}`;

export function copyGraph(tensors: readonly Copied[]): GraphBuilder {
  const graph = new GraphBuilder();
  for (const { name, shape } of tensors) {
    const original = graph.input(name, 'float32', shape);
    // The runtime removes a node that does nothing, and an output must not be an input.
    graph.output(copyName(name), unary(graph, 'Neg', unary(graph, 'Neg', original)));
  }
  return graph;
}
