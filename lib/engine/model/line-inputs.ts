// One line of tokens as the inputs of a graph without labels.
interface ShapedValues<T> {
  values: T;
  shape: readonly number[];
}

export type LineInputs = Readonly<
  Record<'ids' | 'lines', BigInt64Array> & {
    positions: ShapedValues<BigInt64Array>;
    rows: ShapedValues<Float32Array>;
  }
>;

export function toLineInputs(ids: readonly number[]): LineInputs {
  const shape = [1, ids.length];
  return {
    ids: BigInt64Array.from(ids, BigInt),
    lines: BigInt64Array.from(shape, BigInt),
    positions: { values: BigInt64Array.from(ids.keys(), BigInt), shape },
    rows: { values: new Float32Array(ids.length), shape },
  };
}
