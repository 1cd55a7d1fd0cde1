// Loops of a graph as products of all their steps: WebGPU would leave them to the CPU, and copy their inputs and outputs.
import {
  chainAtOnce,
  type Graph,
  GraphBuilder,
  type GraphNode,
  givenTensors,
  type Tensor,
} from '../graph/index.js';

/** The same graph without loops. Each of them is a chain of states. */
export function withoutLoops(graph: Graph): Graph {
  if (graph.nodes.every(({ op }) => op !== 'Scan')) return graph;
  const tensors = new Map([...givenTensors(graph), ...(graph.computed ?? [])]);
  const added = new GraphBuilder('chain_');
  const nodes = graph.nodes.flatMap(node => {
    if (node.op !== 'Scan') return [node];
    const from = added.nodes.length;
    const results = unroll(added, node, tensors, graph.longest);
    const named = node.outputs.map((name, i) => nameNode(results[i]!, name));
    return [...added.nodes.slice(from), ...named];
  });
  return {
    ...graph,
    nodes: withoutUnused(nodes, graph.outputs),
    constants: [...graph.constants, ...added.constants],
    computed: new Map([...(graph.computed ?? []), ...added.computed]),
  };
}

function unroll(
  graph: GraphBuilder,
  { inputs, attributes }: GraphNode,
  tensors: ReadonlyMap<string, Tensor>,
  longest: Graph['longest'],
): readonly Tensor[] {
  const [, factor, left, right, update] = inputs.map(name => tensors.get(name)!);
  const steps = update!.shape[0]!;
  const most = typeof steps === 'number' ? steps : longest!.get(steps)!;
  const reverse = (attributes.scan_output_directions as readonly number[])[0] === 1;
  const of = { factor: factor!, left: left!, right: right!, update: update! };
  const { last, before } = chainAtOnce(graph, of, { reverse, most });
  return [last, before];
}

const nameNode = ({ name }: Tensor, output: string): GraphNode => ({
  op: 'Identity',
  domain: '',
  inputs: [name],
  outputs: [output],
  attributes: {},
});

/** Such as the zeros that a loop started with. */
function withoutUnused(nodes: readonly GraphNode[], outputs: readonly Tensor[]): GraphNode[] {
  const used = new Set(outputs.map(({ name }) => name));
  const kept = nodes.toReversed().filter(({ inputs, outputs: own }) => {
    const isUsed = own.some(name => used.has(name));
    if (isUsed) for (const name of inputs) used.add(name);
    return isUsed;
  });
  return kept.reverse();
}
