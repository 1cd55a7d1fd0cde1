import { describe, expect, it } from 'vitest';
import { createAdapterStacks } from '../../../lib/engine/generate/adapters.js';
import type { LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { adapterName } from '../../../lib/engine/model/index.js';
import type { Kept } from '../../../lib/engine/runtime/index.js';
import { openGoldenModel } from '../../support/golden-models.js';

const [LAYER, A, B] = [1, adapterName(1, 'self_attn.k_proj', 'a'), adapterName(1, 'self_attn.k_proj', 'b')];
/** The input with the matrices A of the queries, keys and values. */
const JOINED = adapterName(LAYER, 'self_attn.q_proj', 'a');

describe('stacked adapters', async () => {
  const { config } = await openGoldenModel('llama');
  const { hidden, kvHeads, headDim } = config;
  const width = kvHeads * headDim;

  /** An adapter of the keys: A counts up from `value` within a row, and B has `value` everywhere. */
  function adapterOf(rank: number, scaling: number, value: number | null): LoadedAdapter {
    if (value === null) return { rank, scaling, matrices: new Map() };
    const a = Float32Array.from({ length: rank * hidden }, (_, i) => value + (i % hidden));
    const b = new Float32Array(rank * width).fill(value);
    return { rank, scaling, matrices: new Map(Object.entries({ [A]: a, [B]: b })) };
  }

  function inputsFor(lines: (LoadedAdapter | null)[], stacks = createAdapterStacks(config)) {
    const [matrices, scales] = stacks.inputsFor(lines);
    const stacked = matrices[B] as Kept;
    const b = stacked.data as Float32Array;
    const scalesOf = (count: number) =>
      scales[`rankScales.${count}`] as { values: Float32Array; shape: readonly number[] };
    return {
      b,
      /** The first number of each row of B. */
      rowsOfB: [...b].filter((_, i) => i % width === 0),
      shapeOfB: stacked.dims,
      joined: matrices[JOINED] as Kept,
      scales: [...scalesOf(1).values],
      shapeOfScales: scalesOf(1).shape,
      scalesOfThree: [...scalesOf(3).values],
    };
  }

  it('are in order of first use, and each line scales its own adapter', () => {
    const [one, two] = [adapterOf(1, 0.5, 7), adapterOf(2, 3, 8)];
    const found = inputsFor([two, null, one, two]);
    expect(found).toMatchObject({ shapeOfB: [3, width], rowsOfB: [8, 8, 7], shapeOfScales: [4, 1, 3] });
    expect(found.scales).toEqual([3, 3, 0, 0, 0, 0, 0, 0, 0.5, 3, 3, 0]);
    expect(found.scalesOfThree.slice(0, 9)).toEqual([3, 3, 0, 3, 3, 0, 3, 3, 0]);
  });

  it('have the matrices A of modules with one input side by side, transposed', () => {
    const { joined } = inputsFor([adapterOf(1, 1, 10), adapterOf(1, 1, 20)]);
    expect(joined.dims).toEqual([hidden, 6]);
    const start = (joined.data as Float32Array).subarray(0, 12);
    expect([...start]).toEqual([0, 0, 10, 20, 0, 0, 0, 0, 11, 21, 0, 0]);
  });

  it('have zeros for an adapter that does not adapt a module, and if there are none', () => {
    expect(inputsFor([adapterOf(1, 1, null), adapterOf(1, 1, 4)]).rowsOfB).toEqual([0, 4]);
    expect(inputsFor([null, null])).toMatchObject({ rowsOfB: [0], scales: [0, 0] });
  });

  it('share the matrices B of a single adapter', () => {
    const adapter = adapterOf(2, 1, 5);
    const found = inputsFor([adapter, adapter, null]);
    expect(found.b.buffer).toBe(adapter.matrices.get(B)!.buffer);
    expect(found.scales).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('are reused by later steps with fewer adapters, until most of them are unused', () => {
    const stacks = createAdapterStacks(config);
    const next = (...lines: LoadedAdapter[]) => inputsFor(lines, stacks);
    const [a, b, c] = [adapterOf(1, 1, 1), adapterOf(1, 2, 2), adapterOf(3, 3, 3)];
    const all = next(a, b, c).b;
    expect(next(c, a).b).toBe(all);
    expect(next(c, a).scales).toEqual([0, 0, 3, 3, 3, 1, 0, 0, 0, 0]);
    expect(next(a, b).rowsOfB).toEqual([1, 2]);
    expect(next(a, c).rowsOfB).toEqual([1, 3, 3, 3]);
  });
});
