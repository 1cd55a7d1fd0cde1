// Every architecture learns on a GPU what it learns on the CPU, by labels, by pairs and with dropout, and repeats it to the bit, also
// after a stop.
import { describe, expect, it } from 'vitest';
import { GOLDEN_MODELS, openGoldenModel } from '../support/golden-models.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { expectSame, learn } from './learn.js';

const DPO = { type: 'dpo', beta: 0.1, labelSmoothing: 0, sftWeight: 0.1 } as const;

/**
 * At the default learning rate, since rounding grows with the steps at higher ones. Exponentials that are off by 2.4e-7 change the
 * losses of Qwen3.5 on the CPU by up to 4e-2 at 1e-2, by 1e-4 at 2e-3, and by 3e-7 here.
 */
const LONG = { maxSteps: 100, learningRate: 2e-4 };

describe.each(GOLDEN_MODELS)('%s', name => {
  it('learns the same over 100 steps, and goes on from a checkpoint to the bit', async () => {
    const model = await openGoldenModel(name);
    const options = { ...LONG, batchSize: 2, saveSteps: 4 };
    const whole = await learn({ model, provider: 'webgpu', options });
    expect(whole.size).toBe(100);
    expectSame(whole, await learn({ model, provider: 'cpu', options }));
    const folder = temporaryFolder('svc-gpu');
    const first = await learn({ model, provider: 'webgpu', options, folder, stopsAt: 4 });
    const second = await learn({ model, provider: 'webgpu', options, folder, stopsAt: 8 });
    expect([...first, ...second]).toEqual([...whole].slice(0, 8));
  });

  it.each([
    ['pairs of answers', { method: DPO }],
    ['labels with dropout', { loraDropout: 0.2 }],
  ])('learns the same from %s', async (_, options) => {
    const model = await openGoldenModel(name);
    const right = await learn({ model, provider: 'cpu', options });
    expectSame(await learn({ model, provider: 'webgpu', options }), right);
  });
});
