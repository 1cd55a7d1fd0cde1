import { describe, expect, it } from 'vitest';
import { createMemoryRelease } from '../../../lib/cloud/host/process.js';
import { collectGarbage as collect } from '../../../lib/system/index.js';

const MIB = 1024 ** 2;

/** A process that a test gives garbage and work. */
function simulate() {
  const state = { live: 40 * MIB, garbage: 0, work: { active: 0, utilization: 0 }, collections: 0 };
  const release = createMemoryRelease({
    measureHeap: () => state.live + state.garbage,
    measureWork: () => state.work,
    collect() {
      state.garbage = 0;
      state.collections++;
    },
  });
  const work = async (active: number, utilization: number, rounds = 1) => {
    state.work = { active, utilization };
    for (let round = 0; round < rounds; round++) await release();
    return state.collections;
  };
  return { state, work };
}

describe('garbage', () => {
  it('is collected once the work is over, and not again until there was more work', async () => {
    const { state, work } = simulate();
    state.garbage = 300 * MIB;
    expect(await work(9000, 0.9)).toBe(0);
    expect([await work(10, 0.001), state.garbage]).toEqual([1, 0]);
    state.garbage = 300 * MIB;
    expect(await work(10, 0.001)).toBe(1);
    expect(await work(500, 0.05)).toBe(2);
  });

  it('is collected when readers leave whose memory was in use at the last collection', async () => {
    const { state, work } = simulate();
    state.live = 200 * MIB;
    await work(1000, 0.1);
    [state.live, state.garbage] = [40 * MIB, 160 * MIB];
    expect([await work(100, 0.01, 6), state.garbage]).toEqual([2, 0]);
  });

  it('is looked for once a minute while what is in use is needed', async () => {
    const { state, work } = simulate();
    state.live = 500 * MIB;
    expect(await work(500, 0.05, 18)).toBe(3);
  });

  it('that is little is left alone', async () => {
    const { state, work } = simulate();
    state.garbage = 60 * MIB;
    expect(await work(1000, 0.1)).toBe(0);
  });
});

it('a collection frees what nothing refers to', async () => {
  const freed = new WeakRef({});
  await new Promise(setImmediate);
  collect();
  expect(freed.deref()).toBeUndefined();
});
