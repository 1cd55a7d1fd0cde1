// The largest buffer that is right. The device is played, except for its smallest size, which the CPU computes.
import { beforeEach, expect, it, vi } from 'vitest';
import type * as runtime from '../../../../lib/engine/runtime/index.js';
import { findLargestBuffer } from '../../../../lib/engine/train/device/largest-buffer.js';

const MIB = 2 ** 20;
const COLUMNS = 4096;
/** What a row of columns has on average: 1 to 5 in turns. */
const MEAN =
  Array.from({ length: COLUMNS }, (_, i) => 1 + (i % 5)).reduce((sum, value) => sum + value) / COLUMNS;

const played = vi.hoisted(() => ({ largest: 0, isLost: false, sizes: [] as number[] }));

vi.mock('../../../../lib/engine/runtime/index.js', async importOriginal => {
  const real = await importOriginal<typeof runtime>();
  return {
    ...real,
    createSession: async (graph: Parameters<typeof real.createSession>[0]) => ({
      run: async (feeds: { column: Float32Array; row: Float32Array }) => {
        const size = (feeds.column.length * COLUMNS * 4) / MIB;
        played.sizes.push(size);
        if (size === 128) {
          const session = await real.createSession(graph, {});
          return session.run(feeds).finally(session.close);
        }
        if (size > played.largest && played.isLost) throw new Error('The device is lost.');
        const means = feeds.column.map(value => value * MEAN);
        // Drivers have left out what is beyond their limit.
        return { means: size > played.largest ? means.fill(0, (played.largest * MIB) / COLUMNS / 4) : means };
      },
      close: async () => {},
    }),
  };
});

beforeEach(() => void Object.assign(played, { largest: Number.POSITIVE_INFINITY, isLost: false, sizes: [] }));

it.each([
  ['all that are right', 4096, {}, [128, 256, 512, 1024, 2048]],
  ['up to the first that is enough', 300, {}, [128, 256, 512]],
  ['up to the last that is right', 4096, { largest: 512 }, [128, 256, 512]],
  ['up to where the device is lost', 4096, { largest: 256, isLost: true }, [128, 256]],
])('is told by size: %s', async (_, enough, device, right) => {
  Object.assign(played, device);
  const told: number[] = [];
  await findLargestBuffer({ provider: 'webgpu' }, enough * MIB, async bytes => void told.push(bytes / MIB));
  expect(told).toEqual(right);
  expect(played.sizes.slice(0, right.length)).toEqual(right);
  expect(played.sizes.length).toBeLessThanOrEqual(right.length + 1);
});
