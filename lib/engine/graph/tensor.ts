// A tensor of the graph: a name with a type and a shape. Values exist only where the graph runs.

export type DType = 'float32' | 'float16' | 'bfloat16' | 'int64' | 'int32' | 'uint8' | 'bool';

export interface Tensor {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

export const BYTES_PER_ELEMENT: Readonly<Record<DType, number>> = {
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  uint8: 1,
  bool: 1,
};

export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** The shape of an elementwise result, by numpy's rule. */
export function broadcastShapes(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, i) => {
    const left = a[a.length - rank + i] ?? 1;
    const right = b[b.length - rank + i] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw new Error(`Shapes [${a}] and [${b}] do not broadcast.`);
    }
    return Math.max(left, right);
  });
}
