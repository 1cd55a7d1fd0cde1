// The answers of a run that learns from rewards, in the place of a job's event log.
import { it } from 'vitest';
import type { Job } from '../../lib/contract/index.js';
import { NO_ANSWERS } from '../support/sample-answers.js';
import { openJob } from './support/open-job.js';

const LEARNING = { config: { method: { type: 'grpo' } } } as unknown as Partial<Job>;

it('the answers of the last step take the place of the log, and those of others can be shown', async () => {
  const { press, shows, log } = await openJob(LEARNING);
  log({ step: 20, reward: 0.5 });
  await shows('A answers');
  await press('A')
    .shows('Answers: Step 20 (3 of 3 kept)', '4 prompts', 'Count the words: plum, pear, fig.')
    .shows(/Best 1 +right 1, brief 0\.5 +Worst 0\.2/, '{"count":3,"step":20}', 'I think')
    .hides('Event log');
  await press('<').shows('Step 10 (2 of 3 kept)', '{"count":3,"step":10}', '< earlier', '> later');
  await press('<').shows('Step 1 (1 of 3 kept)').hides('< earlier');
  await press('A').shows('Event log');
});

it('follow the cursor of the chart, and the run', async () => {
  const { press, shows, log, studio, pass } = await openJob(LEARNING);
  for (const step of [1, 10, 20]) log({ step, reward: step / 20 });
  await press('A').shows('Step 20 (3 of 3 kept)');
  const { listJobAnswers } = studio.client;
  studio.client.listJobAnswers = async (id, asked) => {
    const found = await listJobAnswers(id, asked);
    return asked?.step === undefined ? { ...found, steps: [...found.steps, 21], step: 21 } : found;
  };
  await pass(5000).shows('Step 21 (4 of 4 kept)');
  await press(',', ',').shows('Step 10 (2 of 3 kept)');
  await press('>').shows('Step 21 (4 of 4 kept)');
  await shows('Reward');
});

it('are whole in a small terminal, by scrolling and below each other', async () => {
  const { press } = await openJob(LEARNING, { size: { columns: 60, rows: 20 } });
  await press('A').shows('Answers: Step 20', 'Row 4', 'Best 1', 'lines 1–');
  await press('G').shows('4 without a reward: no parser').hides('Row 4');
  await press('g').shows('Row 4');
});

it('say why there are none, and what is wrong', async () => {
  const { press, studio, pass, shows } = await openJob(LEARNING);
  studio.client.listJobAnswers = async () => NO_ANSWERS;
  await press('A').shows('No answers yet: they are kept once a step is rewarded.');
  studio.client.listJobAnswers = async () => {
    throw new Error('The disk is full.');
  };
  await pass(5000).shows('The disk is full.');
  await shows('Answers');
});

it('are not offered where a run learns from pairs', async () => {
  const { press } = await openJob();
  await press('A').shows('Event log').hides('A answers');
});
