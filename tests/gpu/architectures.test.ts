// Every architecture that a GPU trains learns there what it learns on the CPU, by labels, by pairs and with dropout, and repeats it to
// the bit, also after a stop.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEVICE_MODELS, GOLDEN_MODELS, openGoldenModel } from '../support/golden-models.js';
import { expectSame, learn } from './learn.js';

const DPO = { type: 'dpo', beta: 0.1, labelSmoothing: 0, sftWeight: 0.1 } as const;

describe.each(DEVICE_MODELS)('%s', name => {
  it.each([
    ['labels', {}],
    ['pairs of answers', { method: DPO }],
    ['labels with dropout', { loraDropout: 0.2 }],
  ])('learns the same from %s', async (_, options) => {
    const model = await openGoldenModel(name);
    const right = await learn({ model, provider: 'cpu', options });
    expectSame(await learn({ model, provider: 'webgpu', options }), right);
  });
});

it.each(GOLDEN_MODELS.filter(name => !DEVICE_MODELS.includes(name)))('%s is refused, by name', async name => {
  const model = await openGoldenModel(name);
  await expect(learn({ model, provider: 'webgpu' })).rejects.toThrow('The GPU cannot be used: layers with');
});

it.each(DEVICE_MODELS)('%s repeats itself to the bit, and goes on from a checkpoint', async name => {
  const model = await openGoldenModel(name);
  const options = { saveSteps: 4 };
  const whole = await learn({ model, provider: 'webgpu', options });
  const folder = await mkdtemp(join(tmpdir(), 'svc-gpu-'));
  const first = await learn({ model, provider: 'webgpu', options, folder, stopsAt: 4 });
  const second = await learn({ model, provider: 'webgpu', options, folder });
  expect(new Map([...first, ...second])).toEqual(whole);
});
