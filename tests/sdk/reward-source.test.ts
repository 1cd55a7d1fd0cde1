// Graders that ask a model of a server that the trainer names: in this process, with that server's key, of which the cloud learns
// nothing.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { createTrainer, type TrainerOptions } from '../../lib/index.js';
import { toJobInput } from '../../lib/sdk/trainer/job-input.js';
import type { GrpoMethod } from '../../lib/sdk/trainer/options.js';
import { toRewardFunction } from '../../lib/sdk/trainer/reward-source.js';
import { rewardOne } from '../../lib/sdk/trainer/rewarder.js';
import { type FakeTeacher, openFakeTeacher } from '../support/fake-teacher.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';

let fake: FakeTeacher;
beforeEach(async () => {
  fake = await openFakeTeacher();
  fake.answer = () => JSON.stringify({ steps: [], result: 0.75 });
});
afterEach(() => fake.close());

const KEY = 'sk-never-told';
const scoring = (more: object = {}): GrpoMethod['reward'] =>
  ({
    type: 'score_model',
    name: 'helpful',
    model: 'teacher',
    input: [{ role: 'user', content: 'How helpful is {{sample.output_text}} for {{item.topic}}?' }],
    baseURL: fake.url,
    ...more,
  }) as GrpoMethod['reward'];

const context = { row: { topic: 'tea' }, messages: [], toolCalls: [], step: 1 };

function grade(reward: GrpoMethod['reward'], env: Record<string, string> = {}, clock: Clock = realClock) {
  const own = toRewardFunction(reward, { env, clock: realClock })!;
  return rewardOne(own, 'Drink it.', context, { limitMs: 60_000, clock });
}

const optionsOf = (reward: GrpoMethod['reward']): TrainerOptions => ({
  name: 'x',
  dataset: { type: 'rows', rows: [] },
  method: { type: 'grpo', reward },
});

describe('a grader that names a server', () => {
  it('asks its model for a score, with what it is told of the answer and its row', async () => {
    const sampling = { temperature: 0, max_completions_tokens: 50, seed: null };
    expect(await grade(scoring({ sampling_params: sampling }))).toEqual({ reward: 0.75, parts: {} });
    const [{ body }] = fake.requests as [FakeTeacher['requests'][number]];
    expect(body).toMatchObject({
      model: 'teacher',
      messages: [{ role: 'user', content: 'How helpful is Drink it. for tea?' }],
      temperature: 0,
      max_completion_tokens: 50,
      response_format: { type: 'json_schema', json_schema: { name: 'grade' } },
    });
    expect(body).not.toHaveProperty('seed');
    expect(body).not.toHaveProperty('max_completions_tokens');
    expect(body).not.toHaveProperty('baseURL');
  });

  it('passes on what its server may know, as it is called there', async () => {
    const settings = { stop: ['.'], max_tokens: 9, chat_template_kwargs: { enable_thinking: false } };
    const reward = scoring({ sampling_params: settings });
    expect(() => createTrainer(optionsOf(reward))).not.toThrow();
    await grade(reward);
    const [{ body }] = fake.requests as [FakeTeacher['requests'][number]];
    expect(body).toMatchObject(settings);
    expect(body).not.toHaveProperty('max_completion_tokens');
  });

  it('is a part of a formula', async () => {
    const other = { type: 'string_check', name: 'o', input: 'a', reference: 'a', operation: 'eq' };
    const reward = {
      type: 'multi',
      name: 'both',
      graders: { helpful: scoring(), same: other },
      calculate_output: 'helpful + same',
    } as GrpoMethod['reward'];
    expect(await grade(reward)).toEqual({ reward: 1.75, parts: { helpful: 0.75, same: 1 } });
  });

  it('gets its own key, or that of the environment, and the cloud gets neither the key nor the grader', async () => {
    const headers = () => fake.requests.map(request => request.headers.authorization);
    await grade(scoring({ apiKey: KEY }), { OPENAI_API_KEY: 'other' });
    await grade(scoring(), { OPENAI_API_KEY: 'other' });
    await grade(scoring({ apiKey: null }), { OPENAI_API_KEY: 'other' });
    expect(headers()).toEqual([`Bearer ${KEY}`, 'Bearer other', undefined]);
    const source = { datasetSource: { type: 'upload' as const, datasetId: 'x' } };
    const input = toJobInput(optionsOf(scoring({ apiKey: KEY })), 'base', source);
    expect(input.config.method).toEqual({ type: 'grpo', reward: { type: 'function' } });
  });

  it('gives no reward if its server fails, and says why without the key', async () => {
    fake.model = 'another';
    const given = (await grade(scoring({ apiKey: KEY }))) as { error: string };
    expect(given.error).toBe(
      `teacher at ${fake.url} could not be asked: The model \`teacher\` does not exist.`,
    );
    fake.model = 'teacher';
    fake.answer = () => 'no idea';
    expect(await grade(scoring())).toEqual({
      error: 'The model did not answer with the JSON it was asked for.',
    });
  });

  it('stops asking once an answer takes too long', async () => {
    let closed = false;
    fake.intercept = (_, response) => {
      response.on('close', () => {
        closed = true;
      });
      return true;
    };
    const clock = createVirtualClock();
    const given = grade(scoring(), {}, clock);
    await until(() => fake.requests).toHaveLength(1);
    await clock.pass(60_000);
    expect(await given).toEqual({ error: 'It took longer than 60 s.' });
    await until(() => closed).toBe(true);
  });

  it.each<[string, () => unknown]>([
    [
      '`method.reward`, `helpful`: The base URL must start with https:// or',
      () => scoring({ baseURL: 'ftp://x' }),
    ],
    [
      '`method.reward`, `helpful`: The base URL must start with https://, or',
      () => scoring({ baseURL: 'http://example.com/v1', apiKey: KEY }),
    ],
    ['`baseURL` of a grader must be the address', () => scoring({ baseURL: 5 })],
    ['`apiKey` of a grader must be a text, or null.', () => scoring({ apiKey: 5 })],
    ['`baseURL` of a grader must be the address', () => scoring({ baseURL: undefined, apiKey: KEY })],
    ['`method.reward.model`', () => scoring({ model: '' })],
    ['`method.reward`: ', () => scoring({ input: [{ role: 'user', content: '{{ nothing.here }}' }] })],
    [
      'name a server for each that asks a model, or for none.',
      () => ({
        type: 'multi',
        name: 'both',
        graders: { a: scoring(), b: { ...(scoring() as object), baseURL: undefined } },
        calculate_output: 'a + b',
      }),
    ],
  ])('is refused where it is written: %s', (message, reward) => {
    const given = JSON.parse(JSON.stringify(reward())) as GrpoMethod['reward'];
    expect(() => createTrainer(optionsOf(given))).toThrow(message);
  });
});

it('a grader without a server is left to the cloud', () => {
  const { baseURL: _, ...plain } = scoring() as object as Record<string, unknown>;
  expect(toRewardFunction(plain as GrpoMethod['reward'], { env: {} })).toBeNull();
});
