// Rewrites a graph for WebGPU: operators that it lacks, computes slowly or computes differently become others with the
// same results. Graphs are built without regard to where they run.
import type { Graph, GraphNode } from '../graph/index.js';
import { withoutLoops } from './chains.js';
import { Lowering } from './lowering.js';

/** The same graph in WebGPU's operators. */
export function lowerForWebGpu(given: Graph): Graph {
  const graph = withoutLoops(given);
  const lowering = new Lowering(graph);
  for (const node of graph.nodes) (RULES[node.op] ?? keepNode)(lowering, node);
  return { ...graph, nodes: lowering.nodes, constants: lowering.constants, computed: lowering.computed };
}

type Rule = (lowering: Lowering, node: GraphNode) => void;

const keepNode: Rule = (lowering, node) => {
  const near = node.inputs.find(name => lowering.isComputed(name));
  lowering.nodes.push({ ...node, inputs: node.inputs.map(name => lowering.widen(name, near)) });
};

const RULES: Readonly<Record<string, Rule>> = {
  FusedMatMul: lowerProduct,
  Gemm: lowerProduct,
  SimplifiedLayerNormalization: lowerNorm,
  ConstantOfShape: lowerZeros,
  Cast: lowerCast,
  Gather: ofHalf(lowerGather),
  Slice: ofHalf(lowerSlice),
  Transpose: lowerRearranged,
  Concat: lowerRearranged,
};

/** A matrix with as few rows or columns as an adapter's rank allows. */
const NARROW = 64;

/**
 * `alpha * a @ b + c`, where a and b may be transposed. There is no kernel for FusedMatMul. Gemm's is slow with transposed
 * operands, unless the product is narrow: then it saves kernels, which dominate the time of a small pass.
 */
function lowerProduct(lowering: Lowering, { inputs, outputs: [output], attributes }: GraphNode): void {
  const [a, b, c] = inputs;
  const { shape } = lowering.tensor(output!);
  const { transA, transB, alpha } = attributes as {
    transA: number;
    transB: number;
    alpha: { float: number };
  };
  const sides = [lowering.tensor(a!), lowering.tensor(b!)].flatMap(tensor => tensor.shape);
  if (shape.length === 2 && sides.some(length => typeof length === 'number' && length <= NARROW)) {
    const terms = [lowering.widen(a!, b!), lowering.widen(b!, a!), ...(c ? [c] : [])];
    lowering.emit('Gemm', terms, { shape, name: output }, { transA, transB, alpha });
    return;
  }
  const left = scaled(lowering, lowering.widen(a!, b!, { transposed: transA === 1 }), alpha.float);
  const right = lowering.widen(b!, a!, { transposed: transB === 1 });
  const product = lowering.emit('MatMul', [left, right], { shape, name: c ? undefined : output });
  if (c) lowering.emit('Add', [product, c], { shape, name: output });
}

function scaled(lowering: Lowering, name: string, factor: number): string {
  if (factor === 1) return name;
  return lowering.emit('Mul', [name, lowering.number(factor)], { shape: lowering.tensor(name).shape });
}

/** The kernel's second output is the mean of the row, not 1 / its root mean square. */
function lowerNorm(lowering: Lowering, node: GraphNode): void {
  const [x] = node.inputs;
  const [output, inverse] = node.outputs;
  lowering.nodes.push({ ...node, outputs: [output!] });
  if (!inverse) return;
  const { shape } = lowering.tensor(inverse);
  const width = lowering.tensor(x!).shape.at(-1) as number;
  const epsilon = (node.attributes.epsilon as { float: number }).float;
  const squares = lowering.emit('ReduceSumSquare', [x!, lowering.integers(-1)], { shape }, { keepdims: 1 });
  const positive = lowering.emit('Add', [squares, lowering.number(width * epsilon)], { shape });
  const root = lowering.emit('Sqrt', [positive], { shape });
  lowering.emit('Div', [lowering.number(Math.sqrt(width)), root], { shape, name: inverse });
}

/** Zeros in the shape of another tensor: there is no kernel that makes them. */
function lowerZeros(lowering: Lowering, { inputs: [size], outputs: [output] }: GraphNode): void {
  const like = lowering.nodeOf(size!)!.inputs[0]!;
  lowering.emit('Mul', [like, lowering.number(0)], { shape: lowering.tensor(like).shape, name: output });
}

/** A weight that is cast to float16 and back stays in float16 on the device, and each node that uses it casts it anew. */
function lowerCast(lowering: Lowering, node: GraphNode): void {
  const [[input], [output]] = [node.inputs as [string], node.outputs as [string]];
  const stored = lowering.storedOf(input);
  if (stored === undefined) {
    keepNode(lowering, node);
    return;
  }
  const isHalf = (name: string) => lowering.tensor(name).dtype === 'float16';
  if (isHalf(output)) {
    if (!isHalf(stored)) lowering.nodes.push({ ...node, inputs: [stored] });
  } else if (input !== stored && isHalf(input)) {
    lowering.keepHalf(output, isHalf(stored) ? stored : input);
  } else if (!lowering.isRounded(output)) {
    lowering.nodes.push(node);
  }
}

/** For nodes whose first input is a weight that stays in float16. Others are kept. */
function ofHalf(lower: (lowering: Lowering, node: GraphNode, half: string) => void): Rule {
  return (lowering, node) => {
    const half = lowering.halfOf(node.inputs[0]!);
    if (half === undefined) keepNode(lowering, node);
    else lower(lowering, node, half);
  };
}

/** Only the rows that are read are cast. */
function lowerGather(lowering: Lowering, { inputs, outputs, attributes }: GraphNode, half: string): void {
  const [output] = outputs as [string];
  const { shape } = lowering.tensor(output);
  const read = lowering.emit('Gather', [half, inputs[1]!], { shape, dtype: 'float16' }, attributes);
  lowering.toFloat32(read, output);
}

/** Some rows of a weight that stays in float16 do, too. */
function lowerSlice(lowering: Lowering, { inputs, outputs }: GraphNode, half: string): void {
  const [, ...range] = inputs;
  const [output] = outputs as [string];
  const { shape } = lowering.tensor(output);
  lowering.keepHalf(output, lowering.emit('Slice', [half, ...range], { shape, dtype: 'float16' }));
}

/** Weights that stay in float16 do so when they are turned or joined, which the runtime does once. */
function lowerRearranged(lowering: Lowering, node: GraphNode): void {
  const halves = node.inputs.map(name => lowering.halfOf(name));
  if (halves.includes(undefined)) {
    keepNode(lowering, node);
    return;
  }
  const [output] = node.outputs as [string];
  const of = { shape: lowering.tensor(output).shape, dtype: 'float16' as const };
  lowering.keepHalf(output, lowering.emit(node.op, halves as string[], of, node.attributes));
}
