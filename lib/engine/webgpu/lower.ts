// Rewrites a graph for WebGPU: operators that it lacks, computes slowly or computes differently become others with the
// same results. Graphs are built without regard to where they run.
import type { Attribute, Constant, Dimension, DType, Graph, GraphNode, Tensor } from '../graph/index.js';

/** The same graph in WebGPU's operators. */
export function lowerForWebGpu(graph: Graph): Graph {
  const lowering = new Lowering(graph);
  for (const node of graph.nodes) (RULES[node.op] ?? keepNode)(lowering, node);
  return { ...graph, nodes: lowering.nodes, constants: lowering.constants, computed: lowering.computed };
}

type Rule = (lowering: Lowering, node: GraphNode) => void;

const keepNode: Rule = (lowering, node) => void lowering.nodes.push(node);

const RULES: Readonly<Record<string, Rule>> = {
  FusedMatMul: lowerProduct,
  Gemm: lowerProduct,
  SimplifiedLayerNormalization: lowerNorm,
  ConstantOfShape: lowerZeros,
};

/** How a dimension without a number counts when sizes are compared. */
const TYPICAL_LENGTH = 1024;

class Lowering {
  readonly nodes: GraphNode[] = [];
  readonly constants: Constant[];
  readonly computed: Map<string, Tensor>;
  readonly #tensors: Map<string, Tensor>;
  readonly #nodesByOutput: Map<string, GraphNode>;
  readonly #transposed = new Map<string, string>();

  constructor({ nodes, inputs, constants, computed }: Graph) {
    this.constants = [...constants];
    this.computed = new Map(computed);
    const named = [...inputs, ...constants.map(({ tensor }) => tensor)].map(
      tensor => [tensor.name, tensor] as const,
    );
    this.#tensors = new Map(named);
    this.#nodesByOutput = new Map(nodes.flatMap(node => node.outputs.map(output => [output, node] as const)));
  }

  tensor(name: string): Tensor {
    const found = this.#tensors.get(name) ?? this.computed.get(name);
    if (!found) throw new Error(`The shape of ${name} is not known.`);
    return found;
  }

  /** The node that computes a tensor, before this rewriting. */
  nodeOf(name: string): GraphNode | undefined {
    return this.#nodesByOutput.get(name);
  }

  /** Adds a node with one output, which has this name or a new one. */
  emit(
    op: string,
    inputs: readonly string[],
    of: { shape: readonly Dimension[]; dtype?: DType; name?: string | undefined },
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string {
    const { shape, dtype = 'float32', name = `webgpu_${op}_${this.nodes.length}` } = of;
    this.nodes.push({ op, domain: '', inputs, outputs: [name], attributes });
    if (!this.#tensors.has(name)) this.computed.set(name, { name, dtype, shape });
    return name;
  }

  /** A tensor with its last two axes exchanged; computed once. */
  transpose(name: string): string {
    const known = this.#transposed.get(name);
    if (known) return known;
    const { shape } = this.tensor(name);
    const perm = [...shape.keys()];
    perm.splice(-2, 2, shape.length - 1, shape.length - 2);
    const result = this.emit('Transpose', [name], { shape: perm.map(axis => shape[axis]!) }, { perm });
    this.#transposed.set(name, result);
    return result;
  }

  number(value: number): string {
    return this.#constant('float32', [], new Float32Array([value]));
  }

  axes(axis: number): string {
    return this.#constant('int64', [1], BigInt64Array.of(BigInt(axis)));
  }

  #constant(dtype: DType, shape: readonly number[], values: Float32Array | BigInt64Array): string {
    const name = `webgpu_${dtype}_${values}`;
    if (!this.#tensors.has(name)) {
      const tensor = { name, dtype, shape };
      this.constants.push({ tensor, source: { bytes: new Uint8Array(values.buffer) } });
      this.#tensors.set(name, tensor);
    }
    return name;
  }
}

/**
 * `alpha * a @ b + c`, where a and b may be transposed: there is no kernel for FusedMatMul, and Gemm's takes five times as
 * long as MatMul's.
 */
function lowerProduct(
  lowering: Lowering,
  { inputs: [a, b, c], outputs: [output], attributes }: GraphNode,
): void {
  const { transA, transB, alpha } = attributes;
  let left = transA ? lowering.transpose(a!) : a!;
  let right = transB ? lowering.transpose(b!) : b!;
  const factor = typeof alpha === 'object' && 'float' in alpha ? alpha.float : 1;
  const { shape } = lowering.tensor(output!);
  const multiply = (name: string, as?: string) =>
    lowering.emit('Mul', [name, lowering.number(factor)], { shape: lowering.tensor(name).shape, name: as });
  // The factor goes where there is the least to multiply.
  const place =
    factor === 1
      ? 'nowhere'
      : smallest({
          left: sizeOf(lowering.tensor(left)),
          right: sizeOf(lowering.tensor(right)),
          product: sizeOf({ shape }),
        });
  if (place === 'left') left = multiply(left);
  if (place === 'right') right = multiply(right);
  const scales = place === 'product';
  const product = lowering.emit('MatMul', [left, right], { shape, name: scales || c ? undefined : output });
  const scaled = scales ? multiply(product, c ? undefined : output) : product;
  if (c) lowering.emit('Add', [scaled, c], { shape, name: output });
}

function smallest(sizes: Readonly<Record<string, number>>): string {
  return Object.entries(sizes).reduce((least, next) => (next[1] < least[1] ? next : least))[0];
}

function sizeOf({ shape }: Pick<Tensor, 'shape'>): number {
  return shape.reduce<number>(
    (size, length) => size * (typeof length === 'number' ? length : TYPICAL_LENGTH),
    1,
  );
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
  const squares = lowering.emit('ReduceSumSquare', [x!, lowering.axes(-1)], { shape }, { keepdims: 1 });
  const mean = lowering.emit('Mul', [squares, lowering.number(1 / width)], { shape });
  const positive = lowering.emit('Add', [mean, lowering.number(epsilon)], { shape });
  const root = lowering.emit('Sqrt', [positive], { shape });
  lowering.emit('Reciprocal', [root], { shape, name: inverse });
}

/** Zeros in the shape of another tensor: there is no kernel that makes them. */
function lowerZeros(lowering: Lowering, { inputs: [size], outputs: [output] }: GraphNode): void {
  const like = lowering.nodeOf(size!)!.inputs[0]!;
  lowering.emit('Mul', [like, lowering.number(0)], { shape: lowering.tensor(like).shape, name: output });
}
