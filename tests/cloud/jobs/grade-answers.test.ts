// Answers of no run, rewarded by a grader in the cloud.
import { beforeEach, expect, it } from 'vitest';
import { jobsToOpen } from './jobs-per-test.js';

const cloud = jobsToOpen();
beforeEach(() => cloud.open());

const check = (reference: string) => ({
  type: 'string_check',
  name: 'right',
  input: '{{sample.output_text}}',
  reference,
  operation: 'eq',
});
const grade = (grader: object, ...answers: object[]) =>
  cloud.json<{ rewards: object[] }>('POST', '/v1/rewards', { grader, answers });

it('each gets its own, as in a run', async () => {
  const answers = ['2', '3', '2'].map((text, i) => ({ text, item: i < 2 ? { sum: '2' } : {} }));
  const { rewards } = await grade(check('{{item.sum}}'), ...answers);
  expect(rewards).toEqual([{ reward: 1 }, { reward: 0 }, { error: expect.stringContaining('sum') }]);
});

it('has the parts of a formula', async () => {
  const graders = { right: check('2'), other: { ...check('3'), name: 'other' } };
  const multi = { type: 'multi', name: 'both', graders, calculate_output: 'right + 2 * other' };
  expect(await grade(multi, { text: '3', item: {} })).toEqual({
    rewards: [{ reward: 2, parts: { right: 0, other: 1 } }],
  });
});

it('a grader that cannot be read is refused, and what asks a model has an error where none can be asked', async () => {
  const body = { grader: check('{{other.sum}}'), answers: [] };
  expect(await cloud.refusal('POST', '/v1/rewards', body)).toMatchObject({ status: 400, param: 'grader' });
  const judge = {
    type: 'score_model',
    name: 'kind',
    model: 'm',
    input: [{ role: 'user', content: '{{sample.output_text}}' }],
  };
  const { rewards } = await grade(judge, { text: 'a', item: {} });
  expect(rewards).toEqual([{ error: expect.stringContaining('No model can be asked here.') }]);
});
