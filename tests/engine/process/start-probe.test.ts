// A trial of the GPU whose process ends before it has said what it found. tests/gpu has one that ends well.
import { expect, it } from 'vitest';
import { startProbe } from '../../../lib/engine/index.js';

const TASK = { modelFolder: '/nowhere', weights: 'f32', measures: 'nothing' } as const;

it('blames the driver for the death of its process', async () => {
  const probe = startProbe(TASK);
  probe.kill();
  const problem = "The GPU's driver crashed (opening it; SIGKILL).";
  expect(await probe.ended).toEqual({ findings: {}, problem });
});
