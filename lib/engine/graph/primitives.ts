// The runtime's operators, each with its shape rule. They do not know gradients.
import {
  type Attributes,
  broadcastShapes,
  type Dimension,
  type DType,
  type GraphBuilder,
  sizeOf,
  type Tensor,
  times,
} from './graph.js';

/** Operators of the runtime; all others are standard ONNX. */
const RUNTIME_OPERATORS = [
  'FastGelu',
  'FusedMatMul',
  'MatMulIntegerToFloat',
  'QuickGelu',
  'RotaryEmbedding',
  'SkipSimplifiedLayerNormalization',
];

type Output = Pick<Tensor, 'dtype' | 'shape'>;

/** Null means an optional output that is left out. */
function emitAll(
  graph: Pick<GraphBuilder, 'node'>,
  op: string,
  inputs: readonly Tensor[],
  outputs: readonly (Output | null)[],
  attributes: Attributes = {},
): Tensor[] {
  const domain = RUNTIME_OPERATORS.includes(op) ? 'com.microsoft' : '';
  return graph.node(op, inputs, { domain, attributes, outputs });
}

/** Adds a node with one output. */
export function emit(
  graph: Pick<GraphBuilder, 'node'>,
  op: string,
  inputs: readonly Tensor[],
  { dtype, shape }: Output,
  attributes?: Attributes,
): Tensor {
  return emitAll(graph, op, inputs, [{ dtype, shape }], attributes)[0]!;
}

type Binary = 'Add' | 'Sub' | 'Mul' | 'Div';
type Unary = 'Abs' | 'Relu' | 'Sigmoid' | 'Softplus' | 'Exp' | 'Sqrt' | 'Tanh' | 'Log' | 'Neg' | 'Identity';

function binary(graph: GraphBuilder, op: Binary, a: Tensor, b: Tensor): Tensor {
  const shape = broadcastShapes(a.shape, b.shape);
  return emit(graph, op, [a, b], { dtype: a.dtype, shape });
}

export const add = (graph: GraphBuilder, a: Tensor, b: Tensor) => binary(graph, 'Add', a, b);
export const subtract = (graph: GraphBuilder, a: Tensor, b: Tensor) => binary(graph, 'Sub', a, b);
export const multiply = (graph: GraphBuilder, a: Tensor, b: Tensor) => binary(graph, 'Mul', a, b);

export const divide = (graph: GraphBuilder, a: Tensor, b: Tensor) => binary(graph, 'Div', a, b);

export function unary(graph: GraphBuilder, op: Unary, a: Tensor): Tensor {
  return emit(graph, op, [a], a);
}

interface MatMulOptions {
  transA?: boolean;
  transB?: boolean;
  alpha?: number;
}

/** `alpha * a @ b` over the last two axes; either side can be transposed without a copy. */
export function matMul(graph: GraphBuilder, a: Tensor, b: Tensor, options: MatMulOptions = {}): Tensor {
  const { transA = false, transB = false, alpha = 1 } = options;
  const [rows, inner] = lastTwo(a.shape, transA);
  const [innerB, columns] = lastTwo(b.shape, transB);
  if (inner !== innerB) throw new Error(`Cannot multiply [${a.shape}] with [${b.shape}].`);
  const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  const output = { dtype: a.dtype, shape: [...batch, rows, columns] };
  if (!transA && !transB && alpha === 1) return emit(graph, 'MatMul', [a, b], output);
  const attributes = { transA: Number(transA), transB: Number(transB), alpha: { float: alpha } };
  return emit(graph, 'FusedMatMul', [a, b], output, attributes);
}

/** `alpha * a @ b + c` for matrices. The addition needs no separate pass over memory. */
export function gemm(
  graph: GraphBuilder,
  a: Tensor,
  b: Tensor,
  c: Tensor,
  options: MatMulOptions = {},
): Tensor {
  const { transA = false, transB = false, alpha = 1 } = options;
  const [rows] = lastTwo(a.shape, transA);
  const [, columns] = lastTwo(b.shape, transB);
  const attributes = { transA: Number(transA), transB: Number(transB), alpha: { float: alpha } };
  return emit(graph, 'Gemm', [a, b, c], { dtype: a.dtype, shape: [rows, columns] }, attributes);
}

/** `a @ b`, added to `partial` if there is one. */
export function matMulInto(
  graph: GraphBuilder,
  partial: Tensor | null,
  a: Tensor,
  b: Tensor,
  options: MatMulOptions = {},
): Tensor {
  return partial ? gemm(graph, a, b, partial, options) : matMul(graph, a, b, options);
}

/** Reshapes a tensor. Its dynamic dimensions must stay on their axes, except for one that can be inferred. */
export function reshape(graph: GraphBuilder, a: Tensor, shape: readonly Dimension[]): Tensor {
  if (a.shape.length === shape.length && a.shape.every((length, i) => length === shape[i])) return a;
  if (isFixed(a.shape) && isFixed(shape) && sizeOf(a.shape) !== sizeOf(shape))
    throw new Error(`Cannot reshape [${a.shape}] to [${shape}].`);
  const target = shape.map((length, i) => {
    if (typeof length === 'number') return length;
    return length === a.shape[i] ? 0 : -1;
  });
  if (target.filter(length => length === -1).length > 1)
    throw new Error(`Cannot tell how to reshape [${a.shape}] to [${shape}].`);
  const inputs = [a, graph.values('int64', [shape.length], target)];
  return emit(graph, 'Reshape', inputs, { dtype: a.dtype, shape });
}

const isFixed = (shape: readonly Dimension[]): shape is readonly number[] =>
  shape.every(length => typeof length === 'number');

export function transpose(graph: GraphBuilder, a: Tensor, perm: readonly number[]): Tensor {
  const shape = perm.map(axis => a.shape[axis]!);
  return emit(graph, 'Transpose', [a], { dtype: a.dtype, shape }, { perm });
}

export function slice(graph: GraphBuilder, a: Tensor, axis: number, from: number, to: number): Tensor {
  if (from === 0 && to === a.shape[axis]) return a;
  const at = (value: number) => graph.values('int64', [1], [value]);
  const shape = a.shape.map((length, i) => (i === axis ? to - from : length));
  return emit(graph, 'Slice', [a, at(from), at(to), at(axis)], { dtype: a.dtype, shape });
}

/** All but the first and the last rows of an axis, which may be dynamic: its length stays if as many were added before. */
export function trim(
  graph: GraphBuilder,
  a: Tensor,
  axis: number,
  [first, last]: [number, number],
  length: Dimension,
): Tensor {
  const at = (value: number) => graph.values('int64', [1], [value]);
  const end = last === 0 ? Number.MAX_SAFE_INTEGER : -last;
  const shape = a.shape.map((given, i) => (i === axis ? length : given));
  return emit(graph, 'Slice', [a, at(first), at(end), at(axis)], { dtype: a.dtype, shape });
}

export function concat(graph: GraphBuilder, parts: readonly Tensor[], axis: number): Tensor {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const lengths = parts.map(({ shape }) => shape[axis]!);
  const total = lengths.reduce((a, b) => (isFixed([a, b]) ? Number(a) + Number(b) : `${a}+${b}`));
  const shape = first!.shape.map((length, i) => (i === axis ? total : length));
  return emit(graph, 'Concat', parts, { dtype: first!.dtype, shape }, { axis });
}

/** `count` copies, one after another along an axis. */
export function repeat(graph: GraphBuilder, a: Tensor, count: number, axis: number): Tensor {
  if (count === 1) return a;
  const shape = a.shape.map((length, i) => (i === axis ? times(count, length) : length));
  const parts = Array.from({ length: count }, () => a);
  return emit(graph, 'Concat', parts, { dtype: a.dtype, shape }, { axis });
}

/** Concatenates two tensors along their last axis, which may be dynamic. */
export function concatLast(graph: GraphBuilder, a: Tensor, b: Tensor): Tensor {
  const shape = [...a.shape.slice(0, -1), `${a.shape.at(-1)}+${b.shape.at(-1)}`];
  return emit(graph, 'Concat', [a, b], { dtype: a.dtype, shape }, { axis: -1 });
}

/** Undoes `concatLast`: `lengths` int64 [2] are the lengths of the parts, `like` their types and shapes. */
export function splitLast(
  graph: GraphBuilder,
  joined: Tensor,
  lengths: Tensor,
  like: readonly [Tensor, Tensor],
): [Tensor, Tensor] {
  return emitAll(graph, 'Split', [joined, lengths], like, { axis: -1 }) as [Tensor, Tensor];
}

/** Undoes `concat`: parts of these lengths along an axis. */
export function split(
  graph: GraphBuilder,
  a: Tensor,
  axis: number,
  lengths: readonly number[],
): readonly Tensor[] {
  if (lengths.length === 1) return [a];
  const outputs = lengths.map(part => ({
    dtype: a.dtype,
    shape: a.shape.map((length, i) => (i === axis ? part : length)),
  }));
  const parts = graph.values('int64', [lengths.length], lengths);
  return emitAll(graph, 'Split', [a, parts], outputs, { axis });
}

/** `count` parts of the same length along the last axis, which may be dynamic. */
export function splitEvenly(
  graph: GraphBuilder,
  a: Tensor,
  count: number,
  part: Dimension,
): readonly Tensor[] {
  if (count === 1) return [a];
  const output = { dtype: a.dtype, shape: [...a.shape.slice(0, -1), part] };
  return emitAll(graph, 'Split', [a], Array<Output>(count).fill(output), { axis: -1, num_outputs: count });
}

/** `a * sigmoid(a)` */
export function silu(graph: GraphBuilder, a: Tensor): Tensor {
  return emit(graph, 'QuickGelu', [a], a, { alpha: { float: 1 } });
}

/** `a / 2 * (1 + tanh(√(2/π) (a + 0.044715 a³)))` */
export function gelu(graph: GraphBuilder, a: Tensor): Tensor {
  return emit(graph, 'FastGelu', [a], a);
}

/** `a * factor` */
export function scale(graph: GraphBuilder, a: Tensor, factor: number): Tensor {
  return factor === 1 ? a : multiply(graph, a, graph.values('float32', [], [factor]));
}

/** `a`, but at least `lowest` and at most `highest`. */
export function clip(graph: GraphBuilder, a: Tensor, lowest: number, highest: number): Tensor {
  const bounds = [lowest, highest].map(bound => graph.values('float32', [], [bound]));
  return emit(graph, 'Clip', [a, ...bounds], a);
}

export function softmax(graph: GraphBuilder, a: Tensor): Tensor {
  return emit(graph, 'Softmax', [a], a, { axis: -1 });
}

type Reduction = 'ReduceSum' | 'ReduceMean' | 'ReduceMax';

export function reduce(graph: GraphBuilder, op: Reduction, a: Tensor, axis: number): Tensor {
  const shape = a.shape.map((length, i) => (i === axis ? 1 : length));
  const axes = graph.values('int64', [1], [axis]);
  return emit(graph, op, [a, axes], { dtype: a.dtype, shape }, { keepdims: 1 });
}

/** The sums up to each place along an axis, or from there on. */
export function cumulate(
  graph: GraphBuilder,
  a: Tensor,
  axis: number,
  { reverse = false }: { reverse?: boolean } = {},
): Tensor {
  return emit(graph, 'CumSum', [a, graph.values('int64', [], [axis])], a, { reverse: Number(reverse) });
}

export function gatherRows(graph: GraphBuilder, table: Tensor, rows: Tensor): Tensor {
  const shape = [...rows.shape, ...table.shape.slice(1)];
  return emit(graph, 'Gather', [table, rows], { dtype: table.dtype, shape }, { axis: 0 });
}

/** Some entries of each row of a matrix: `columns` [rows, n] are their column indices. */
export function gatherColumns(graph: GraphBuilder, a: Tensor, columns: Tensor): Tensor {
  const output = { dtype: a.dtype, shape: columns.shape };
  return emit(graph, 'GatherElements', [a, columns], output, { axis: 1 });
}

/** The matrix with other entries: `columns` and `values` [rows, n] say which of each row, and what they become. */
export const replaceColumns = (graph: GraphBuilder, a: Tensor, columns: Tensor, values: Tensor) =>
  emit(graph, 'ScatterElements', [a, columns, values], a, { axis: 1 });

/** Zeros of the shape of `like`, with `rows` added at the row indices `at`, which may repeat. */
export function scatterRows(graph: GraphBuilder, like: Tensor, at: Tensor, rows: Tensor): Tensor {
  const size = emit(graph, 'Shape', [like], { dtype: 'int64', shape: [like.shape.length] });
  const zeros = emit(graph, 'ConstantOfShape', [size], like);
  const indices = reshape(graph, at, [...at.shape, 1]);
  return emit(graph, 'ScatterND', [zeros, indices, rows], like, { reduction: 'add' });
}

export function cast(graph: Pick<GraphBuilder, 'node'>, a: Tensor, dtype: DType): Tensor {
  if (a.dtype === dtype) return a;
  return emit(graph, 'Cast', [a], { dtype, shape: a.shape }, { to: ONNX_TYPE[dtype] });
}

/** ONNX's `TensorProto.DataType`. */
export const ONNX_TYPE: Readonly<Record<DType, number>> = {
  float32: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  bfloat16: 16,
};

/** RMS norm: each row divided by its root mean square, times `scale`. Also returns 1 / rms for the gradient. */
export function normalizeRows(
  graph: GraphBuilder,
  a: Tensor,
  scale: Tensor,
  epsilon: number,
): [Tensor, Tensor] {
  const inverse = { dtype: a.dtype, shape: [...a.shape.slice(0, -1), 1] };
  const attributes = { axis: -1, epsilon: { float: epsilon }, stash_type: 1 };
  const inputs = [a, scale];
  return emitAll(graph, 'SimplifiedLayerNormalization', inputs, [a, inverse], attributes) as [Tensor, Tensor];
}

/** The RMS norm of a sum, and the sum. */
export function normalizeSum(
  graph: GraphBuilder,
  a: Tensor,
  b: Tensor,
  scale: Tensor,
  epsilon: number,
): [normal: Tensor, sum: Tensor] {
  // The outputs in between are statistics for training.
  const outputs = [a, null, null, a];
  const attributes = { epsilon: { float: epsilon } };
  const all = emitAll(graph, 'SkipSimplifiedLayerNormalization', [a, b, scale], outputs, attributes);
  return [all[0]!, all[3]!];
}

/** `round(a / step) + zero`, as bytes. */
export function quantize(graph: GraphBuilder, a: Tensor, step: number, zero: number): Tensor {
  const inputs = [a, graph.values('float32', [], [step]), graph.values('uint8', [], [zero])];
  return emit(graph, 'QuantizeLinear', inputs, { dtype: 'uint8', shape: a.shape });
}

/** `(integers - zero) × step`. */
export function dequantize(graph: GraphBuilder, integers: Tensor, step: number, zero: number): Tensor {
  const inputs = [integers, graph.values('float32', [], [step]), graph.values('uint8', [], [zero])];
  return emit(graph, 'DequantizeLinear', inputs, { dtype: 'float32', shape: integers.shape });
}

export interface IntegerOperand {
  integers: Tensor;
  /** The integer that represents 0. */
  zero: number;
}

/**
 * `(a - zero) @ (b - zero)`, multiplied as integers of 8 bits and summed in 32, as float32: times `step` and, for each
 * column, its scale.
 */
export function integerProduct(
  graph: GraphBuilder,
  a: IntegerOperand,
  b: IntegerOperand,
  step: number,
  scales: Tensor,
): Tensor {
  const shape = [...a.integers.shape.slice(0, -1), b.integers.shape[1]!];
  const zeroOf = ({ integers: { dtype }, zero }: IntegerOperand) =>
    graph.values(dtype as 'uint8' | 'int8', [], [zero]);
  const inputs = [a.integers, b.integers, graph.values('float32', [], [step]), scales, zeroOf(a)];
  if (b.zero !== 0) inputs.push(zeroOf(b));
  return emit(graph, 'MatMulIntegerToFloat', inputs, { dtype: 'float32', shape });
}

interface Convolution {
  /** [channels, 1, length] */
  weight: Tensor;
  /** The `length - 1` values before, [batch, channels, length - 1]. */
  past: Tensor;
}

/**
 * Each channel as a weighted sum of its last values, its own included: the last weight is its own. `a` is [batch, channels,
 * tokens]. Also returns what the next tokens need.
 */
export function convolve(
  graph: GraphBuilder,
  a: Tensor,
  { weight, past }: Convolution,
): [mixed: Tensor, last: Tensor] {
  const inputs = [a, weight, null, past];
  const domain = 'com.microsoft';
  const outputs = [a, past].map(({ dtype, shape }) => ({ dtype, shape }));
  return graph.node('CausalConvWithState', inputs, { domain, outputs }) as [Tensor, Tensor];
}

export interface Rotation {
  /** [batch, sequence] */
  positions: Tensor;
  /** [positions, dim / 2], or for fewer pairs: the first values of a head are turned, and the others stay. */
  cos: Tensor;
  sin: Tensor;
  heads: number;
}

/** Rotates each head's vector by its position. `a` is [batch, sequence, heads * dim]. */
export function rotate(graph: GraphBuilder, a: Tensor, { positions, cos, sin, heads }: Rotation): Tensor {
  const turned = 2 * (cos.shape[1] as number);
  const isWhole = turned * heads === a.shape[2];
  const attributes = { num_heads: heads, rotary_embedding_dim: isWhole ? 0 : turned, interleaved: 0 };
  return emit(graph, 'RotaryEmbedding', [a, positions, cos, sin], a, attributes);
}

function lastTwo(shape: readonly Dimension[], transposed: boolean): [Dimension, Dimension] {
  const [rows, columns] = shape.slice(-2) as [Dimension, Dimension];
  return transposed ? [columns, rows] : [rows, columns];
}
