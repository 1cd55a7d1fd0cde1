import { beforeAll, describe, expect, it } from 'vitest';
import { type AdapterStacks, createAdapterStacks } from '../../../lib/engine/generate/adapter-stack.js';
import type { LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { adapterName, type ModelConfig } from '../../../lib/engine/model/index.js';
import type { Kept } from '../../../lib/engine/runtime/index.js';
import { openGoldenModel } from '../../support/golden-models.js';

interface Scales {
  values: Float32Array;
  shape: readonly number[];
}

const [LAYER, A, B] = [1, adapterName(1, 'k_proj', 'a'), adapterName(1, 'k_proj', 'b')];
/** The input with the matrices A of the queries, keys and values. */
const JOINED = adapterName(LAYER, 'q_proj', 'a');

describe('stacked adapters', () => {
  let config: ModelConfig;
  let width: number;

  beforeAll(async () => {
    ({ config } = await openGoldenModel('llama'));
    width = config.kvHeads * config.headDim;
  });

  /** An adapter of the keys: A counts up from `value` within a row, and B has `value` everywhere. */
  function adapterOf(rank: number, scaling: number, value: number | null): LoadedAdapter {
    const matrices = new Map<string, Float32Array>();
    if (value !== null) {
      matrices.set(
        A,
        Float32Array.from({ length: rank * config.hidden }, (_, i) => value + (i % config.hidden)),
      );
      matrices.set(B, new Float32Array(rank * width).fill(value));
    }
    return { rank, scaling, matrices };
  }

  function inputsFor(stacks: AdapterStacks, lines: (LoadedAdapter | null)[]) {
    const [matrices, scales] = stacks.inputsFor(lines);
    const kept = (name: string) => matrices[name] as Kept;
    const values = (name: string) => kept(name).data as Float32Array;
    const { values: alone, shape } = scales['rankScales.1'] as Scales;
    return {
      b: values(B),
      /** The first number of each row of B. */
      rowsOfB: Array.from({ length: values(B).length / width }, (_, row) => values(B)[row * width]),
      shapeOfB: kept(B).dims,
      joined: values(JOINED),
      shapeOfJoined: kept(JOINED).dims,
      scales: [...alone],
      shapeOfScales: shape,
      scalesOfThree: [...(scales['rankScales.3'] as Scales).values],
    };
  }

  it('are in order of first use, and each line scales its own adapter', () => {
    const [one, two] = [adapterOf(1, 0.5, 7), adapterOf(2, 3, 8)];
    const found = inputsFor(createAdapterStacks(config), [two, null, one, two]);
    expect(found.shapeOfB).toEqual([3, width]);
    expect(found.rowsOfB).toEqual([8, 8, 7]);
    expect(found.shapeOfScales).toEqual([4, 1, 3]);
    expect(found.scales).toEqual([3, 3, 0, 0, 0, 0, 0, 0, 0.5, 3, 3, 0]);
    expect(found.scalesOfThree.slice(0, 9)).toEqual([3, 3, 0, 3, 3, 0, 3, 3, 0]);
  });

  it('have the matrices A of modules with one input side by side, transposed', () => {
    const found = inputsFor(createAdapterStacks(config), [adapterOf(1, 1, 10), adapterOf(1, 1, 20)]);
    expect(found.shapeOfJoined).toEqual([config.hidden, 6]);
    expect([...found.joined.subarray(0, 12)]).toEqual([0, 0, 10, 20, 0, 0, 0, 0, 11, 21, 0, 0]);
  });

  it('have zeros for an adapter that does not adapt a module', () => {
    const found = inputsFor(createAdapterStacks(config), [adapterOf(1, 1, null), adapterOf(1, 1, 4)]);
    expect(found.rowsOfB).toEqual([0, 4]);
  });

  it('share the matrices B of a single adapter', () => {
    const adapter = adapterOf(2, 1, 5);
    const found = inputsFor(createAdapterStacks(config), [adapter, adapter, null]);
    expect(found.b.buffer).toBe(adapter.matrices.get(B)!.buffer);
    expect(found.scales).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('are zeros if there are none', () => {
    const found = inputsFor(createAdapterStacks(config), [null, null]);
    expect([found.rowsOfB, found.scales]).toEqual([[0], [0, 0]]);
  });

  it('are reused by later steps with fewer adapters, until most of them are unused', () => {
    const stacks = createAdapterStacks(config);
    const [a, b, c] = [adapterOf(1, 1, 1), adapterOf(1, 2, 2), adapterOf(3, 3, 3)];
    const all = inputsFor(stacks, [a, b, c]).b;
    expect(inputsFor(stacks, [c, a]).b).toBe(all);
    expect(inputsFor(stacks, [c, a]).scales).toEqual([0, 0, 3, 3, 3, 1, 0, 0, 0, 0]);
    expect(inputsFor(stacks, [a, b]).rowsOfB).toEqual([1, 2]);
    expect(inputsFor(stacks, [a, c]).rowsOfB).toEqual([1, 3, 3, 3]);
  });
});
