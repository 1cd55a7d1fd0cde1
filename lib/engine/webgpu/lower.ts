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

class Lowering {
  readonly nodes: GraphNode[] = [];
  readonly constants: Constant[];
  readonly computed: Map<string, Tensor>;
  readonly #tensors: Map<string, Tensor>;
  readonly #nodesByOutput: Map<string, GraphNode>;
  readonly #constantNames: ReadonlySet<string>;
  readonly #dynamicInput: string;
  readonly #transposed = new Map<string, string>();
  #unknownZero: string | undefined;

  constructor({ nodes, inputs, constants, computed }: Graph) {
    this.constants = [...constants];
    this.computed = new Map(computed);
    const named = [...inputs, ...constants.map(({ tensor }) => tensor)].map(
      tensor => [tensor.name, tensor] as const,
    );
    this.#tensors = new Map(named);
    this.#constantNames = new Set(constants.map(({ tensor }) => tensor.name));
    this.#dynamicInput = inputs.find(({ shape: [first] }) => typeof first === 'string')?.name ?? '';
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
    const from = this.#isConstant(name) ? this.#asIfComputed(name) : name;
    const result = this.emit('Transpose', [from], { shape: perm.map(axis => shape[axis]!) }, { perm });
    this.#transposed.set(name, result);
    return result;
  }

  /** A weight as it is stored, or cast. */
  #isConstant(name: string): boolean {
    if (this.#constantNames.has(name)) return true;
    const { op, inputs } = this.#nodesByOutput.get(name) ?? {};
    return op === 'Cast' && this.#isConstant(inputs![0]!);
  }

  /**
   * Keeps the runtime from transposing a weight once, on the CPU: that takes minutes for a large model, and its memory
   * a second time. On the device it takes less than a percent of a pass.
   */
  #asIfComputed(name: string): string {
    const { shape, dtype } = this.tensor(name);
    const fixed = this.#constant('int64', [shape.length], BigInt64Array.from(shape as number[], BigInt));
    const target = this.emit('Add', [fixed, this.#zero()], { shape: [shape.length], dtype: 'int64' });
    return this.emit('Reshape', [name, target], { shape, dtype });
  }

  /** int64 [1]: 0, though the runtime does not know it before it runs. */
  #zero(): string {
    if (this.#unknownZero) return this.#unknownZero;
    const of = { shape: [1], dtype: 'int64' } as const;
    const length = this.emit('Shape', [this.#dynamicInput], of, { start: 0, end: 1 });
    this.#unknownZero = this.emit('Mul', [length, this.integer(0)], of);
    return this.#unknownZero;
  }

  number(value: number): string {
    return this.#constant('float32', [], new Float32Array([value]));
  }

  integer(value: number): string {
    return this.#constant('int64', [1], BigInt64Array.of(BigInt(value)));
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

/** A matrix with as few rows or columns as an adapter's rank allows. */
const NARROW = 64;

/**
 * `alpha * a @ b + c`, where a and b may be transposed. There is no kernel for FusedMatMul. Gemm's is slow with transposed
 * operands, unless the product is narrow: then it saves kernels, which is what a small pass takes its time for.
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
    const terms = c ? [a!, b!, c] : [a!, b!];
    lowering.emit('Gemm', terms, { shape, name: output }, { transA, transB, alpha });
    return;
  }
  const left = scaled(lowering, transA ? lowering.transpose(a!) : a!, alpha.float);
  const right = transB ? lowering.transpose(b!) : b!;
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
  const squares = lowering.emit('ReduceSumSquare', [x!, lowering.integer(-1)], { shape }, { keepdims: 1 });
  const positive = lowering.emit('Add', [squares, lowering.number(width * epsilon)], { shape });
  const root = lowering.emit('Sqrt', [positive], { shape });
  lowering.emit('Div', [lowering.number(Math.sqrt(width)), root], { shape, name: inverse });
}

/** Zeros in the shape of another tensor: there is no kernel that makes them. */
function lowerZeros(lowering: Lowering, { inputs: [size], outputs: [output] }: GraphNode): void {
  const like = lowering.nodeOf(size!)!.inputs[0]!;
  lowering.emit('Mul', [like, lowering.number(0)], { shape: lowering.tensor(like).shape, name: output });
}
