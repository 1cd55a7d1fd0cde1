// The batch of a reference model as the graphs take it.
import { firstPosition } from '../../lib/engine/model/index.js';
import type { GoldenModel } from './golden-models.js';

/** Its rows as they are, each a line of its own. */
export function goldenInputs({ config, batch: { input_ids: ids } }: GoldenModel) {
  const shape = [ids.length, ids[0]!.length];
  const first = firstPosition(config, ids[0]!.length);
  return {
    ids: BigInt64Array.from(ids.flat(), BigInt),
    lines: BigInt64Array.from(shape, BigInt),
    positions: {
      values: BigInt64Array.from(ids.flatMap(row => row.map((_, i) => BigInt(first + i)))),
      shape,
    },
    rows: { values: new Float32Array(ids.flat().length), shape },
  };
}

/** The same with its labels, for the mean loss. */
export function goldenStep(golden: GoldenModel) {
  const sequence = golden.batch.input_ids[0]!.length;
  const supervised = golden.batch.labels.flatMap((row, line) =>
    row.flatMap((label, i) => (label < 0 || i === 0 ? [] : [{ at: line * sequence + i - 1, label }])),
  );
  return {
    ...goldenInputs(golden),
    at: BigInt64Array.from(supervised, ({ at }) => BigInt(at)),
    labels: BigInt64Array.from(supervised, ({ label }) => BigInt(label)),
    weights: new Float32Array(supervised.length).fill(1 / supervised.length),
  };
}

export const goldenShape = ({ batch: { input_ids: ids } }: GoldenModel) => ({
  batch: ids.length,
  sequence: ids[0]!.length,
});
