import { beforeAll, describe, expect, it } from 'vitest';
import { type AdapterStacks, createAdapterStacks } from '../../../lib/engine/generate/adapter-stack.js';
import type { LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { adapterName, type ModelConfig } from '../../../lib/engine/model/index.js';
import { openGoldenModel } from '../../support/golden-models.js';

const NAME = adapterName(1, 'k_proj', 'a');

function inputsFor(stacks: AdapterStacks, lines: (LoadedAdapter | null)[]) {
  const [matrices, rankScales] = stacks.inputsFor(lines);
  return { ...matrices, ...rankScales };
}

describe('stacked adapters', () => {
  let config: ModelConfig;
  let width: number;

  beforeAll(async () => {
    ({ config } = await openGoldenModel('llama'));
    width = config.hidden;
  });

  function adapterOf(rank: number, scaling: number, value: number | null): LoadedAdapter {
    const matrices = new Map<string, Float32Array>();
    if (value !== null) matrices.set(NAME, new Float32Array(rank * width).fill(value));
    return { rank, scaling, matrices };
  }

  const rowsOf = (values: ArrayLike<unknown>) =>
    Array.from({ length: values.length / width }, (_, row) => values[row * width]);

  it('are in order of first use, and each line scales its own adapter', () => {
    const [one, two] = [adapterOf(1, 0.5, 7), adapterOf(2, 3, 8)];
    const inputs = inputsFor(createAdapterStacks(config), [two, null, one, two]);
    const order = rowsOf(inputs[NAME]!.values);
    expect(inputs[NAME]!.shape).toEqual([3, width]);
    expect(order).toEqual([8, 8, 7]);
    expect(inputs.rankScales!.shape).toEqual([4, 1, 3]);
    expect([...inputs.rankScales!.values]).toEqual([3, 3, 0, 0, 0, 0, 0, 0, 0.5, 3, 3, 0]);
  });

  it('have zeros for an adapter that does not adapt a module', () => {
    const inputs = inputsFor(createAdapterStacks(config), [adapterOf(1, 1, null), adapterOf(1, 1, 4)]);
    expect(rowsOf(inputs[NAME]!.values)).toEqual([0, 4]);
  });

  it('are not copied if there is only one', () => {
    const adapter = adapterOf(2, 1, 5);
    const inputs = inputsFor(createAdapterStacks(config), [adapter, adapter, null]);
    expect(inputs[NAME]!.values).toBe(adapter.matrices.get(NAME));
    expect([...inputs.rankScales!.values]).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('have rank 0 if there are none', () => {
    const inputs = inputsFor(createAdapterStacks(config), [null, null]);
    expect([inputs[NAME]!.shape, inputs.rankScales!.shape]).toEqual([
      [0, width],
      [2, 1, 0],
    ]);
  });

  it('are reused by later steps with fewer adapters, until most of them are unused', () => {
    const stacks = createAdapterStacks(config);
    const [a, b, c] = [adapterOf(1, 1, 1), adapterOf(1, 2, 2), adapterOf(3, 3, 3)];
    const all = inputsFor(stacks, [a, b, c])[NAME]!.values;
    expect(inputsFor(stacks, [c, a])[NAME]!.values).toBe(all);
    expect([...inputsFor(stacks, [c, a]).rankScales!.values]).toEqual([0, 0, 3, 3, 3, 1, 0, 0, 0, 0]);
    const few = inputsFor(stacks, [a, b]);
    expect(rowsOf(few[NAME]!.values)).toEqual([1, 2]);
    expect(rowsOf(inputsFor(stacks, [a, c])[NAME]!.values)).toEqual([1, 3, 3, 3]);
  });
});
