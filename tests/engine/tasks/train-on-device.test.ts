// A GPU that fails is left for the CPU. Its faults are planted: what runs on it here are sessions of the CPU.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RunDevice } from '../../../lib/contract/index.js';
import type { Graph } from '../../../lib/engine/graph/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { GPU_MARK } from '../../../lib/engine/run-layout.js';
import type * as runtime from '../../../lib/engine/runtime/index.js';
import { type DeviceEvent, markGpu, trainOnDevice } from '../../../lib/engine/tasks/train-on-device.js';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import type { TrainJob } from '../../../lib/engine/train/trainer.js';
import { copyChanged } from '../../support/changed-models.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { examples, model, quickJob } from '../train/support.js';

type Fault = (gpu: typeof runtime) => Record<string, Float32Array>;

const planted = vi.hoisted(() => ({
  fault: null as Fault | null,
  left: 0,
  marks: [] as boolean[],
  /** The tokens of each pass. */
  sizes: [] as number[],
}));

vi.mock('../../../lib/engine/runtime/index.js', async importOriginal => {
  const real = await importOriginal<typeof runtime>();
  return {
    ...real,
    async createSession(graph: Graph, { provider = 'cpu', ...rest }: runtime.SessionOptions = {}) {
      const session = await real.createSession(graph, rest);
      if (provider === 'cpu') return session;
      const plant = (values: Record<string, Float32Array>) => {
        if (!('loss' in values)) return values;
        planted.marks.push(existsSync(join(folder, GPU_MARK)));
        return planted.fault && --planted.left === 0 ? { ...values, ...planted.fault(real) } : values;
      };
      return {
        ...session,
        run: async (...inputs: runtime.Inputs[]) => plant(await session.run(...inputs)),
        async runAndKeep(...inputs: runtime.Inputs[]) {
          if ('ids' in inputs[0]!) planted.sizes.push((inputs[0].ids as BigInt64Array).length);
          const { values, kept } = await session.runAndKeep(...inputs);
          return { values: plant(values), kept };
        },
      };
    },
  };
});

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('svc-gpu');
  Object.assign(planted, { fault: null, left: 0, marks: [], sizes: [] });
});

const GPU: RunDevice = { type: 'gpu', name: 'A card' };

async function train(
  device?: RunDevice,
  at = folder,
  rows = 12,
  { weights = 'f32', ...changes }: Partial<TrainJob> & Pick<Partial<TrainOptions>, 'weights'> = {},
): Promise<DeviceEvent[]> {
  const events: DeviceEvent[] = [];
  const batchSize = rows === 12 ? 4 : rows;
  const job = quickJob(
    { saveSteps: 2, batchSize, weights },
    { folder: at, examples: examples(rows), ...changes },
  );
  for await (const event of trainOnDevice(job, folder, device)) events.push(event);
  return events;
}

const startsOf = (events: DeviceEvent[]) =>
  events.flatMap(event => (event.type === 'started' ? [[event.resumedFromStep, event.device]] : []));

/** The last that was logged of each step. */
const lossesOf = (events: DeviceEvent[]) =>
  Object.fromEntries(
    events.flatMap(event => (event.type === 'log' ? [[event.step, event.loss]] : [])),
  ) as Record<string, number>;

const isMarked = () => existsSync(join(folder, GPU_MARK));

/** The first pass is the check against the CPU; then each step has one. */
const PASS_OF_STEP_6 = 1 + 6;
const lost: Fault = ({ DeviceError }) => {
  throw new DeviceError('The GPU failed: it was lost.');
};
const full: Fault = ({ DeviceError }) => {
  throw new DeviceError('The GPU failed: Out of memory.');
};

describe('a run on the GPU', () => {
  it.each<[string, number, Fault, number | null, string]>([
    ['is lost', PASS_OF_STEP_6, lost, 4, 'The GPU failed: it was lost.'],
    ['is lost before the first checkpoint', 2, lost, null, 'The GPU failed: it was lost.'],
    ['has no room for a small pass', PASS_OF_STEP_6, full, 4, 'The GPU failed: Out of memory.'],
    [
      'computes no number',
      PASS_OF_STEP_6,
      () => ({ loss: Float32Array.of(Number.NaN) }),
      4,
      'The loss of step 6 is not a finite number. Try a lower learning rate.',
    ],
    ['fails the check', 1, () => ({ loss: Float32Array.of(7) }), null, 'The GPU computes loss differently'],
  ])('continues on the CPU from its last checkpoint if the GPU %s', async (_, pass, fault, from, reason) => {
    const right = lossesOf(await train(undefined, temporaryFolder('svc-gpu')));
    Object.assign(planted, { fault, left: pass });
    const events = await train(GPU);
    const starts = startsOf(events);
    expect(starts.at(-1)).toEqual([from, { type: 'cpu', reason: expect.stringContaining(reason) }]);
    if (pass > 1) expect(starts.slice(0, -1)).toEqual([[null, GPU]]);
    const losses = lossesOf(events);
    expect(Object.keys(losses)).toEqual(Object.keys(right));
    for (const [step, loss] of Object.entries(right)) expect(losses[step]).toBeCloseTo(loss!, 4);
    expect(planted.marks).not.toContain(false);
    expect(isMarked()).toBe(false);
  });

  it('continues from its last checkpoint with smaller passes if its memory runs out', async () => {
    const rows = 80;
    const right = lossesOf(await train(undefined, temporaryFolder('svc-gpu'), rows));
    Object.assign(planted, { fault: full, left: PASS_OF_STEP_6 });
    const events = await train(GPU, folder, rows);
    const reason = 'Its memory ran out. Passes now have up to 512 tokens.';
    expect(startsOf(events)).toEqual([
      [null, GPU],
      [4, { ...GPU, reason }],
    ]);
    const [before, after] = [planted.sizes.slice(0, 6), planted.sizes.slice(6)];
    expect(Math.min(...before)).toBeGreaterThan(1024);
    // Steps 5 to 8, in several passes each.
    expect(after.length).toBeGreaterThanOrEqual(4 * 3);
    expect(Math.max(...after)).toBeLessThanOrEqual(600);
    const losses = lossesOf(events);
    expect(Object.keys(losses)).toEqual(Object.keys(right));
    for (const [step, loss] of Object.entries(right)) expect(losses[step]).toBeCloseTo(loss!, 4);
    expect(isMarked()).toBe(false);
  });

  it('goes on in f32 if it leaves the GPU in f16', async () => {
    const right = lossesOf(await train(undefined, temporaryFolder('svc-gpu')));
    Object.assign(planted, { fault: lost, left: PASS_OF_STEP_6 });
    const events = await train(GPU, folder, 12, { weights: 'f16' });
    const starts = events.flatMap(event => (event.type === 'started' ? [event] : []));
    expect(starts).toMatchObject([
      { weights: 'f16', device: GPU },
      { weights: 'f32', device: { type: 'cpu' }, resumedFromStep: 4 },
    ]);
    const losses = lossesOf(events);
    expect(Object.keys(losses)).toEqual(Object.keys(right));
    const apart = Object.entries(right).map(([step, loss]) => Math.abs(losses[step]! / loss! - 1));
    expect(Math.max(...apart)).toBeLessThan(1e-3);
    expect(Math.max(...apart.slice(0, 4))).toBeGreaterThan(0);
  });

  it.each(['F32', 'BF16'] as const)(
    'stays in f32 if a weight in %s does not fit into f16, and says so',
    async dtype => {
      const to = temporaryFolder('svc-large');
      const large = 'model.layers.1.mlp.up_proj.weight';
      const plant = (name: string, data: Float32Array) => {
        if (name === large) data[5] = -65_536;
      };
      await copyChanged(model.folder, to, plant, dtype);
      const events = await train(GPU, folder, 12, { weights: 'f16', model: await openModel(to) });
      const reason = `The base model's weights do not fit into f16 (${large}), so they are in f32.`;
      const starts = events.flatMap(event => (event.type === 'started' ? [event] : []));
      expect(starts).toMatchObject([{ weights: 'f32', device: { ...GPU, reason } }]);
    },
  );

  it('has weights in f16 up to the largest number that fits', async () => {
    const to = temporaryFolder('svc-large');
    const plant = (name: string, data: Float32Array) => {
      if (name.endsWith('up_proj.weight')) data[5] = 65_519;
    };
    await copyChanged(model.folder, to, plant);
    const events = await train(GPU, folder, 12, { weights: 'f16', model: await openModel(to) });
    expect(events[0]).toMatchObject({ weights: 'f16', device: GPU });
  });

  it('fails if the CPU would fail, too', async () => {
    const fault = () => {
      throw new Error('Row 7 is not valid.');
    };
    Object.assign(planted, { fault, left: PASS_OF_STEP_6 });
    await expect(train(GPU)).rejects.toThrow('Row 7 is not valid.');
    expect(isMarked()).toBe(false);
  });

  it('uses the CPU if its process died when it last used the GPU', async () => {
    await markGpu(folder);
    const events = await train(GPU);
    expect(startsOf(events)).toEqual([
      [null, { type: 'cpu', reason: 'Its process died when it last used the GPU.' }],
    ]);
    expect(planted.marks).toEqual([]);
    // Later attempts do not use it either.
    expect(isMarked()).toBe(true);
  });
});

it('a mark is forgiven once if what started the process stopped, too', async () => {
  expect(await markGpu(folder, '1')).not.toBeNull();
  expect(await markGpu(folder, '1')).toBeNull();
  const second = await markGpu(folder, '2');
  expect(second).not.toBeNull();
  expect(await markGpu(folder, '3')).toBeNull();
  await second!.remove();
  expect(await markGpu(folder, '3')).not.toBeNull();
});
