// A trial of the GPU, in its own process: every operator and miniature runs are those of the CPU.
import { expect, it } from 'vitest';
import { startProbe } from '../../lib/engine/index.js';
import { tinyModel } from '../engine/tiny-model.js';

it('finds that a GPU computes and trains as the CPU does', async () => {
  const probe = startProbe({ modelFolder: await tinyModel(), weights: 'f32', measures: 'nothing' });
  const { findings, problem } = await probe.ended;
  expect(problem).toBeNull();
  const { operators = [], training } = findings;
  expect(operators.length).toBeGreaterThan(20);
  expect(operators.filter(({ difference }) => difference === null || difference > 1e-5)).toEqual([]);
  expect(training?.difference).toBeLessThan(1e-4);
});
