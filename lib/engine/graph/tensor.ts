// A tensor of the graph: a name, a type and a shape. Values exist only when the graph runs.

export type DType = 'float32' | 'float16' | 'bfloat16' | 'int64' | 'int32' | 'int8' | 'uint8' | 'bool';

/** The length of an axis, or the name of a dynamic one, whose length is known only when the graph runs. */
export type Dimension = number | string;

export interface Tensor<D extends Dimension = Dimension> {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly D[];
}

/** A tensor whose dimensions are all known, such as a weight. */
export type FixedTensor = Tensor<number>;

/** @internal */
export const BYTES_PER_ELEMENT: Readonly<Record<DType, number>> = {
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int8: 1,
  uint8: 1,
  bool: 1,
};

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** `count` times as long. */
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
