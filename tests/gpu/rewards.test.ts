// A run on the GPU that learns from rewards has the answers and the losses of the CPU.
import { expect, it } from 'vitest';
import type { Score } from '../../lib/engine/train/index.js';
import type { RewardMethod } from '../../lib/engine/train/options.js';
import { tinyModel } from '../engine/tiny-model.js';
import { logsOf, prepareAndRun, trainRequest } from '../engine/train/support.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const method: RewardMethod = {
  type: 'grpo',
  reward: { type: 'string_check', name: 'any', input: '', reference: '', operation: 'eq' },
  group: 4,
  updates: 2,
  beta: 0.02,
  epsilon: 0.05,
  temperature: 1,
  maxTokens: 6,
};
const rows = ['Hello', 'What is it?', 'Yes', 'And now?', 'Go on.', 'No'].map(content => ({
  messages: [{ role: 'user', content }],
}));

/** The share of letters that are in the first half of the alphabet. */
const early = (text: string) => (text.match(/[a-m]/gi)?.length ?? 0) / Math.max(1, text.length);

async function learn(provider: 'cpu' | 'webgpu') {
  const answers: string[] = [];
  const score: Score = async ({ groups }) => {
    answers.push(...groups.flatMap(group => group.answers.map(({ text }) => text)));
    return { rewards: groups.map(group => group.answers.map(({ text }) => ({ reward: early(text) }))) };
  };
  const own = { loraR: 4, loraAlpha: 8, batchSize: 3, learningRate: 2e-3, maxSteps: 4, threads: 1, method };
  const request = await trainRequest(temporaryFolder('svc-gpu'), 'run', rows, {
    modelFolder: await tinyModel(),
    options: { ...own, provider },
  });
  const logs = logsOf(await prepareAndRun({ ...request, score }));
  return { answers, logs: logs.map(({ loss, metrics }) => [loss, metrics!.kl, metrics!.reward]) };
}

it('learns the same from rewards', async () => {
  const [right, found] = [await learn('cpu'), await learn('webgpu')];
  expect(found.answers).toEqual(right.answers);
  expect(found.answers).toHaveLength(4 * 3 * 4);
  expect(right.logs.at(-1)![1]).toBeGreaterThan(1e-5);
  for (const [step, log] of right.logs.entries())
    for (const [i, value] of log.entries()) expect(found.logs[step]![i]).toBeCloseTo(value!, 4);
});
