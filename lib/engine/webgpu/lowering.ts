// A graph while it is rewritten for WebGPU: what its tensors are, and the nodes so far. Weights in float16 stay so until a node uses
// them.
import {
  type Attribute,
  type Constant,
  type Dimension,
  type DType,
  type Graph,
  type GraphNode,
  givenTensors,
  ONNX_TYPE,
  type Tensor,
} from '../graph/index.js';

export class Lowering {
  readonly nodes: GraphNode[] = [];
  readonly constants: Constant[];
  readonly computed: Map<string, Tensor>;
  readonly #tensors: Map<string, Tensor>;
  readonly #nodesByOutput: Map<string, GraphNode>;
  readonly #constantNames: ReadonlySet<string>;
  readonly #rounded: ReadonlySet<string>;
  readonly #dynamicInput: string;
  readonly #transposed = new Map<string, string>();
  /** Of weights that stay in float16, by the name in float32 that nodes use. */
  readonly #halves = new Map<string, string>();
  readonly #copiedShapes = new Map<string, string>();
  #unknownZero: string | undefined;

  constructor({ nodes, inputs, constants, computed }: Graph) {
    this.constants = [...constants];
    this.computed = new Map(computed);
    this.#tensors = givenTensors({ inputs, constants });
    this.#constantNames = new Set(constants.map(({ tensor }) => tensor.name));
    this.#dynamicInput = inputs.find(({ shape: [first] }) => typeof first === 'string')?.name ?? '';
    this.#nodesByOutput = new Map(nodes.flatMap(node => node.outputs.map(output => [output, node] as const)));
    const casts = nodes.filter(({ op, attributes }) => op === 'Cast' && attributes.to === ONNX_TYPE.float16);
    this.#rounded = new Set(casts.flatMap(({ inputs }) => inputs));
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

  /** Has the first tensor stand for the second one, which is not computed. */
  keepHalf(name: string, half: string): void {
    this.#halves.set(name, half);
    this.#tensors.set(name, this.tensor(name));
    this.computed.delete(name);
  }

  halfOf(name: string): string | undefined {
    return this.#halves.get(name);
  }

  /** Whether it is neither a weight nor another constant. */
  isComputed(name: string): boolean {
    return name !== '' && this.storedOf(name) === undefined && !this.#halves.has(name);
  }

  /**
   * A weight that stays in float16, in float32 for one node; others as they are. If all were widened once, their copies would
   * take more memory than weights in float32. `near`, another input of the node, keeps the runtime from that, and from doing it
   * long before the node runs.
   */
  widen(name: string, near: string | undefined, { transposed = false } = {}): string {
    const half = this.#halves.get(name);
    if (half === undefined) return transposed ? this.transpose(name) : name;
    // A node of constants alone is computed once, whatever its inputs are.
    if (near === undefined) return this.toFloat32(half);
    const { shape } = this.tensor(name);
    const held = this.emit('Reshape', [half, this.#copyShape(near)], { shape, dtype: 'float16' });
    const turned = transposed ? this.#transpose(held) : held;
    return this.toFloat32(turned);
  }

  toFloat32(half: string, name?: string): string {
    return this.emit('Cast', [half], { shape: this.tensor(half).shape, name }, { to: ONNX_TYPE.float32 });
  }

  /** int64 [2]: a target of Reshape that leaves a matrix as it is, though the runtime knows so only once `near` is there. */
  #copyShape(near: string): string {
    const known = this.#copiedShapes.get(near);
    if (known) return known;
    const length = this.emit('Shape', [near], { shape: [1], dtype: 'int64' }, { start: 0, end: 1 });
    const zeros = this.emit('Mul', [length, this.integers(0, 0)], { shape: [2], dtype: 'int64' });
    this.#copiedShapes.set(near, zeros);
    return zeros;
  }

  /** A tensor with its last two axes exchanged; computed once. */
  transpose(name: string): string {
    const known = this.#transposed.get(name);
    if (known) return known;
    const result = this.#transpose(this.storedOf(name) !== undefined ? this.#asIfComputed(name) : name);
    this.#transposed.set(name, result);
    return result;
  }

  #transpose(name: string): string {
    const { shape, dtype } = this.tensor(name);
    const perm = [...shape.keys()];
    perm.splice(-2, 2, shape.length - 1, shape.length - 2);
    return this.emit('Transpose', [name], { shape: perm.map(axis => shape[axis]!), dtype }, { perm });
  }

  /** The constant that this is, as it is stored or cast; undefined if it is computed. */
  storedOf(name: string): string | undefined {
    if (this.#constantNames.has(name)) return name;
    const { op, inputs } = this.#nodesByOutput.get(name) ?? {};
    return op === 'Cast' ? this.storedOf(inputs![0]!) : undefined;
  }

  /** Whether it is only there to be cast to float16. */
  isRounded(name: string): boolean {
    return this.#rounded.has(name);
  }

  /**
   * Keeps the runtime from transposing a weight once, on the CPU: that takes minutes for a large model, and its memory
   * a second time. On the device it takes less than a percent of a pass.
   */
  #asIfComputed(name: string): string {
    const { shape, dtype } = this.tensor(name);
    const fixed = this.integers(...(shape as number[]));
    const target = this.emit('Add', [fixed, this.#zero()], { shape: [shape.length], dtype: 'int64' });
    return this.emit('Reshape', [name, target], { shape, dtype });
  }

  /** int64 [1]: 0, though the runtime does not know it before it runs. */
  #zero(): string {
    if (this.#unknownZero) return this.#unknownZero;
    const of = { shape: [1], dtype: 'int64' } as const;
    const length = this.emit('Shape', [this.#dynamicInput], of, { start: 0, end: 1 });
    this.#unknownZero = this.emit('Mul', [length, this.integers(0)], of);
    return this.#unknownZero;
  }

  number(value: number): string {
    return this.#constant('float32', [], new Float32Array([value]));
  }

  integers(...values: number[]): string {
    return this.#constant('int64', [values.length], BigInt64Array.from(values, BigInt));
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
