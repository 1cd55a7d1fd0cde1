// A graph under construction: nodes in order, what is fed, what is constant, what is answered. It knows no operator.
import type { Dimension, DType, DynamicTensor, Tensor } from './tensor.js';

/** An attribute; a plain number is an integer, because a float without a fraction looks like one. */
export type Attribute = number | readonly number[] | string | { readonly float: number };
export type Attributes = Readonly<Record<string, Attribute>>;

export interface GraphNode {
  readonly op: string;
  /** Empty for the standard operators. */
  readonly domain: string;
  /** Names; empty for an optional input that is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: Attributes;
}

/** Where a constant's bytes are: here, or at a place in a file. */
export type ConstantSource =
  | { readonly bytes: Uint8Array }
  | { readonly file: string; readonly offset: number; readonly length: number };

export interface Constant {
  readonly tensor: Tensor;
  readonly source: ConstantSource;
}

export interface Graph<D extends Dimension = number> {
  readonly nodes: readonly GraphNode[];
  readonly inputs: readonly Tensor<D>[];
  readonly constants: readonly Constant[];
  readonly outputs: readonly Tensor<D>[];
}

export interface NodeSpec<D extends Dimension = number> {
  domain?: string;
  attributes?: Attributes;
  outputs: readonly { dtype: DType; shape: readonly D[] }[];
}

/** All lengths in it are known; in a `GraphBuilder<Dimension>` some are only named, and chosen anew in every run. */
export class GraphBuilder<D extends Dimension = number> implements Graph<D> {
  readonly nodes: GraphNode[] = [];
  readonly inputs: Tensor<D>[] = [];
  readonly constants: Constant[] = [];
  readonly outputs: Tensor<D>[] = [];
  /** The shape of every node's result, by name. */
  readonly shapes = new Map<string, readonly D[]>();
  readonly #known = new Map<string, Tensor>();

  input(name: string, dtype: DType, shape: readonly D[]): Tensor<D> {
    const tensor = { name, dtype, shape };
    this.inputs.push(tensor);
    return tensor;
  }

  /** A weight that lies in a file, or in memory. */
  constant(name: string, dtype: DType, shape: readonly number[], source: ConstantSource): Tensor {
    const tensor = { name, dtype, shape };
    this.constants.push({ tensor, source });
    return tensor;
  }

  /** A small constant; the same values are stored once. */
  values(dtype: 'float32' | 'int64', shape: readonly number[], values: readonly number[]): Tensor {
    const key = `${dtype}[${shape}]${values}`;
    const found = this.#known.get(key);
    if (found) return found;
    const array = dtype === 'int64' ? BigInt64Array.from(values, BigInt) : Float32Array.from(values);
    const source = { bytes: new Uint8Array(array.buffer) };
    const tensor = this.constant(`const_${this.#known.size}`, dtype, shape, source);
    this.#known.set(key, tensor);
    return tensor;
  }

  /** Adds a node and gives its outputs. */
  node<E extends Dimension>(
    op: string,
    inputs: readonly (DynamicTensor | null)[],
    { domain = '', attributes = {}, outputs }: NodeSpec<E>,
  ): Tensor<E>[] {
    const at = this.nodes.length;
    const tensors = outputs.map(({ dtype, shape }, i) => ({ name: `${op}_${at}_${i}`, dtype, shape }));
    for (const { name, shape } of tensors)
      this.shapes.set(name, shape as readonly Dimension[] as readonly D[]);
    this.nodes.push({
      op,
      domain,
      inputs: inputs.map(input => input?.name ?? ''),
      outputs: tensors.map(({ name }) => name),
      attributes,
    });
    return tensors;
  }

  /** Answers a tensor under a name of its own. */
  output(name: string, tensor: Tensor<D>): Tensor<D> {
    const named = { ...tensor, name };
    this.nodes.push({ op: 'Identity', domain: '', inputs: [tensor.name], outputs: [name], attributes: {} });
    this.outputs.push(named);
    return named;
  }
}
