// The order of a model's nodes, which decides in which order the runtime computes them.
import type { Graph, GraphNode } from '../graph/index.js';

/**
 * The runtime starts with what it finds last among the results, and with all that this one needs. So results come last,
 * and backwards: each is then computed as soon as it can be, which is when what it needs is still in the cache, and can
 * be freed. The gradients of a layer, for example, before those of the layers below it.
 */
export function inOrderOfUse({ nodes, outputs }: Pick<Graph, 'nodes' | 'outputs'>): GraphNode[] {
  const names = new Set(outputs.map(({ name }) => name));
  const isOutput = (node: GraphNode) => node.outputs.some(name => names.has(name));
  const used = new Set(nodes.flatMap(node => (isOutput(node) ? [] : node.inputs)));
  const isResult = (node: GraphNode) => !node.outputs.some(name => used.has(name));
  const results = nodes.filter(node => isResult(node) && !isOutput(node));
  return [...nodes.filter(node => !isResult(node)), ...results.toReversed(), ...nodes.filter(isOutput)];
}
