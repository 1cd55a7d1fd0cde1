// A graph: its tensors, and a builder that adds nodes (in order), inputs, constants and outputs. Knows no operators.

export type DType = 'float32' | 'float16' | 'bfloat16' | 'int64' | 'int32' | 'int8' | 'uint8' | 'bool';

/** The length of an axis, or the name of a dynamic one, whose length is known only when the graph runs. */
export type Dimension = number | string;

/** A name, a type and a shape. Values exist only when the graph runs. */
export interface Tensor<D extends Dimension = Dimension> {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly D[];
}

/** A tensor whose dimensions are all known, such as a weight. */
export type FixedTensor = Tensor<number>;

/** A plain number is an integer; floats are wrapped because 1.0 and 1 are the same in JavaScript. */
export type Attribute =
  | number
  | readonly number[]
  | string
  | { readonly float: number }
  /** What a loop repeats. */
  | { readonly graph: Graph };
export type Attributes = Readonly<Record<string, Attribute>>;

export interface GraphNode {
  readonly op: string;
  /** Empty for standard ONNX operators. */
  readonly domain: string;
  /** Tensor names; an empty name stands for an omitted optional input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Attributes;
}

/** A constant's data: in memory, or a range of a file. */
export type ConstantSource =
  | { readonly bytes: Uint8Array }
  | { readonly file: string; readonly offset: number; readonly length: number };

export interface Constant {
  readonly tensor: FixedTensor;
  readonly source: ConstantSource;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly inputs: readonly Tensor[];
  readonly constants: readonly Constant[];
  readonly outputs: readonly Tensor[];
  readonly computed?: ReadonlyMap<string, Tensor>;
  /** How long dynamic axes may be, by name, where a graph is written differently for that. */
  readonly longest?: ReadonlyMap<string, number>;
}

/** What no node computes, by name. */
export function givenTensors({
  inputs,
  constants,
}: Pick<Graph, 'inputs' | 'constants'>): Map<string, Tensor> {
  const all = [...inputs, ...constants.map(({ tensor }) => tensor)];
  return new Map(all.map(tensor => [tensor.name, tensor]));
}

interface NodeSpec {
  domain?: string;
  attributes?: Attributes;
  /** Null for an optional output that is left out. */
  outputs: readonly ({ dtype: DType; shape: readonly Dimension[] } | null)[];
}

const ARRAYS = {
  float32: (values: readonly number[]) => Float32Array.from(values),
  int64: (values: readonly number[]) => BigInt64Array.from(values, BigInt),
  uint8: (values: readonly number[]) => Uint8Array.from(values),
  int8: (values: readonly number[]) => Int8Array.from(values),
};

export class GraphBuilder implements Graph {
  readonly nodes: GraphNode[] = [];
  readonly inputs: Tensor[] = [];
  readonly constants: Constant[] = [];
  readonly outputs: Tensor[] = [];
  readonly computed = new Map<string, Tensor>();
  readonly longest = new Map<string, number>();
  readonly #known = new Map<string, FixedTensor>();
  readonly #prefix: string;

  /** `prefix`: of the names in a graph inside another one, which must differ from those outside. */
  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  input(name: string, dtype: DType, shape: readonly Dimension[]): Tensor {
    const tensor = { name, dtype, shape };
    this.inputs.push(tensor);
    return tensor;
  }

  constant(name: string, dtype: DType, shape: readonly number[], source: ConstantSource): FixedTensor {
    const tensor = { name, dtype, shape };
    this.constants.push({ tensor, source });
    return tensor;
  }

  /** Adds a small constant; equal constants are stored once. */
  values(dtype: keyof typeof ARRAYS, shape: readonly number[], values: readonly number[]): FixedTensor {
    const key = `${dtype}[${shape}]${values}`;
    const found = this.#known.get(key);
    if (found) return found;
    const source = { bytes: new Uint8Array(ARRAYS[dtype](values).buffer) };
    const tensor = this.constant(`${this.#prefix}const_${this.#known.size}`, dtype, shape, source);
    this.#known.set(key, tensor);
    return tensor;
  }

  node(
    op: string,
    inputs: readonly (Tensor | null)[],
    { domain = '', attributes = {}, outputs }: NodeSpec,
  ): Tensor[] {
    const at = this.nodes.length;
    const tensors = outputs.map((of, i): Tensor => {
      const { dtype, shape } = of ?? { dtype: 'float32', shape: [] };
      return { name: of ? `${this.#prefix}${op}_${at}_${i}` : '', dtype, shape };
    });
    for (const tensor of tensors) if (tensor.name) this.computed.set(tensor.name, tensor);
    this.nodes.push({
      op,
      domain,
      inputs: inputs.map(input => input?.name ?? ''),
      outputs: tensors.map(({ name }) => name),
      attributes,
    });
    return tensors;
  }

  output(name: string, tensor: Tensor): Tensor {
    const named = { ...tensor, name };
    this.nodes.push({ op: 'Identity', domain: '', inputs: [tensor.name], outputs: [name], attributes: {} });
    this.outputs.push(named);
    return named;
  }
}

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

export function times(count: number, length: Dimension): Dimension {
  if (typeof length === 'number') return count * length;
  return count === 1 ? length : `${count}*${length}`;
}

/** The shape of an elementwise result, by NumPy's broadcasting rules. */
export function broadcastShapes(a: readonly Dimension[], b: readonly Dimension[]): Dimension[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const left = a[a.length - rank + i];
    const right = b[b.length - rank + i];
    if (left === undefined || left === 1) return right ?? left!;
    if (right === undefined || right === 1 || right === left) return left;
    throw new Error(`Shapes [${a}] and [${b}] do not broadcast.`);
  });
}
