// Graders are tried with OpenAI's own client.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/index.js';
import { end, faultAfter, type Script, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { createSampleProjectApi, openEngineProject, refusal } from './sample-project-api.js';

let cloud: SampleCloud;
beforeEach(async () => {
  cloud = await openSampleCloud();
});
afterEach(() => cloud.close());

async function gradersOf(script: Script, load = async () => {}) {
  const backend = { ...scriptedBackend(script), load };
  const sample = createSampleProjectApi(cloud, backend);
  const { graders } = sample.clientWith((await sample.issue()).plaintext).fineTuning.alpha;
  return { graders, tasks: backend.tasks };
}

const silent = saying(end(1, 0));

const check = {
  type: 'string_check' as const,
  name: 'exact',
  operation: 'eq' as const,
  input: '{{ sample.output_json.city }}',
  reference: '{{ item.answer }}',
};

const judge = {
  type: 'score_model' as const,
  name: 'judge',
  model: BASE_MODEL,
  input: [{ role: 'user' as const, content: 'Is {{ sample.output_text }} the same as {{ item.answer }}?' }],
  sampling_params: { temperature: 0, max_completions_tokens: 300 },
};

describe('running a grader', () => {
  it('grades an answer for a row', async () => {
    const { graders } = await gradersOf(silent);
    const item = { answer: 'Paris' };
    const run = await graders.run({ grader: check, item, model_sample: '{"city": "Paris"}' });
    expect(run).toEqual({
      reward: 1,
      sub_rewards: {},
      model_grader_token_usage_per_model: {},
      metadata: {
        name: 'exact',
        type: 'string_check',
        execution_time: expect.any(Number),
        scores: {},
        token_usage: null,
        sampled_model_name: null,
        errors: {
          formula_parse_error: false,
          invalid_variable_error: false,
          model_grader_parse_error: false,
          model_grader_refusal_error: false,
          model_grader_server_error: false,
          model_grader_server_error_details: null,
          other_error: false,
          python_grader_runtime_error: false,
          python_grader_runtime_error_details: null,
          python_grader_server_error: false,
          python_grader_server_error_type: null,
          sample_parse_error: false,
          truncated_observation_error: false,
          unresponsive_reward_error: false,
          messages: [],
        },
      },
    });
  });

  it('says what an answer or a row lacks', async () => {
    const { graders } = await gradersOf(silent);
    const noJson = await graders.run({ grader: check, item: { answer: 'x' }, model_sample: 'Paris' });
    expect(noJson).toMatchObject({
      reward: 0,
      metadata: { errors: { sample_parse_error: true, messages: ['The answer is not JSON.'] } },
    });
    const noAnswer = await graders.run({ grader: check, model_sample: '{"city": "Paris"}' });
    expect(noAnswer.metadata.errors).toMatchObject({
      invalid_variable_error: true,
      sample_parse_error: false,
    });
  });

  it('asks a model of the project, and counts its tokens', async () => {
    const { graders, tasks } = await gradersOf(saying(text('{"steps": [], "result": 0.25}'), end(12, 8)));
    const run = await graders.run({ grader: judge, item: { answer: 'Paris' }, model_sample: 'Lyon' });
    expect(run).toMatchObject({
      reward: 0.25,
      metadata: { token_usage: 20, sampled_model_name: BASE_MODEL },
      model_grader_token_usage_per_model: {
        [BASE_MODEL]: { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20, cached_tokens: 0 },
      },
    });
    expect(tasks).toMatchObject([
      {
        messages: [{ role: 'user', content: 'Is Lyon the same as Paris?' }],
        temperature: 0,
        maxTokens: 300,
        json: { properties: { result: { minimum: 0, maximum: 1 } } },
      },
    ]);
  });

  it.each(['max_completion_tokens', 'max_tokens'])('limits an answer as chats do: %s', async limit => {
    const { graders, tasks } = await gradersOf(saying(text('{"steps": [], "result": 1}'), end(12, 8)));
    const limited = { ...judge, sampling_params: { [limit]: 9 } };
    await graders.run({ grader: limited, item: { answer: 'Paris' }, model_sample: 'Lyon' });
    expect(tasks).toMatchObject([{ maxTokens: 9 }]);
  });

  it('combines graders, with a tuned model among them', async () => {
    const { graders } = await gradersOf(saying(text('{"steps": [], "result": 0.5}'), end(12, 8)));
    const tuned = { ...judge, model: `ft:${BASE_MODEL}:alpha:triage:${jobs.done}` };
    const grader = {
      type: 'multi',
      name: 'both',
      graders: { exact: check, tuned, judge },
      calculate_output: '0.5 * exact + (tuned + judge) / 4',
    };
    const given = { item: { answer: 'Paris' }, model_sample: '{"city": "Paris"}' };
    const run = await graders.run({ ...given, grader: grader as never });
    expect(run).toMatchObject({
      reward: 0.75,
      sub_rewards: { exact: 1, tuned: 0.5, judge: 0.5 },
      metadata: { type: 'multi', token_usage: 40 },
    });
    expect(Object.keys(run.model_grader_token_usage_per_model)).toEqual([tuned.model, BASE_MODEL]);
  });

  it('takes a single grader for the graders of a multi grader, as the client types it', async () => {
    const { graders } = await gradersOf(silent);
    const grader = { type: 'multi' as const, name: 'one', graders: check, calculate_output: '2 * exact' };
    const run = await graders.run({ grader, item: { answer: 'a' }, model_sample: '{"city": "a"}' });
    expect(run).toMatchObject({ reward: 2, sub_rewards: { exact: 1 } });
  });

  it('has no reward if the model fails', async () => {
    const { graders } = await gradersOf(faultAfter(new EngineError('invalid_value', 'Too hot.')));
    const run = await graders.run({ grader: judge, item: { answer: '' }, model_sample: '' });
    const details = `${BASE_MODEL} could not be asked: Too hot.`;
    expect(run).toMatchObject({
      reward: 0,
      metadata: {
        errors: { model_grader_server_error: true, model_grader_server_error_details: details },
      },
    });
  });

  it('waits for a model that is busy', async () => {
    let tries = 0;
    const { graders } = await gradersOf(async function* busyOnce() {
      if (++tries < 3) throw new EngineError('engine_busy', 'Busy.');
      yield text('{"steps": [], "result": 1}');
      yield end(1, 1);
    });
    const running = graders.run({ grader: judge, item: { answer: '' }, model_sample: '' });
    const passed = setInterval(() => cloud.clock.pass(60_000), 5);
    expect(await running.finally(() => clearInterval(passed))).toMatchObject({ reward: 1 });
    expect(tries).toBe(3);
  });

  it('waits for a model that cannot be loaded now', async () => {
    let tries = 0;
    const { graders } = await gradersOf(saying(text('{"steps": [], "result": 1}'), end(1, 1)), async () => {
      if (++tries < 3) throw new EngineError('engine_unavailable', 'Away.');
    });
    const grader = { ...judge, model: `ft:${BASE_MODEL}:alpha:triage:${jobs.done}` };
    const running = graders.run({ grader, item: { answer: '' }, model_sample: '' });
    const passed = setInterval(() => cloud.clock.pass(60_000), 5);
    expect(await running.finally(() => clearInterval(passed))).toMatchObject({ reward: 1 });
    expect(tries).toBe(3);
  });

  it('lets a real model write a grade', async () => {
    const project = await openEngineProject();
    try {
      const { model_grader_token_usage_per_model: usage, ...run } =
        await project.client.fineTuning.alpha.graders.run({
          grader: { ...judge, input: [{ role: 'user', content: 'hi' }] },
          model_sample: 'x',
        });
      expect(run.metadata.errors).toHaveProperty('messages', []);
      expect(run.reward).toBeGreaterThanOrEqual(0);
      expect(run.reward).toBeLessThanOrEqual(1);
      expect(usage[BASE_MODEL]).toMatchObject({ completion_tokens: expect.any(Number) });
    } finally {
      await project.close();
    }
  });
});

describe('validating a grader', () => {
  it('returns it', async () => {
    const { graders, tasks } = await gradersOf(silent);
    expect(await graders.validate({ grader: judge })).toEqual({ grader: judge });
    expect(tasks).toEqual([]);
  });

  it('names what is wrong', async () => {
    const { graders } = await gradersOf(silent);
    const refused = async (grader: object) => {
      const validated = await refusal(graders.validate({ grader: grader as never }));
      const run = await refusal(graders.run({ grader: grader as never, model_sample: '' }));
      expect({ ...run, headers: null, requestID: null }).toEqual({
        ...validated,
        headers: null,
        requestID: null,
      });
      return validated;
    };
    const python = await refused({ type: 'python', name: 'x', source: 'def grade(): pass' });
    expect(python).toMatchObject({ status: 400, code: 'unsupported_parameter', param: 'grader' });
    const meteor = await refused({ ...check, type: 'text_similarity', evaluation_metric: 'meteor' });
    expect(meteor).toMatchObject({
      code: 'unsupported_parameter',
      param: 'grader.evaluation_metric',
    });
    const formula = { type: 'multi', name: 'm', graders: { exact: check }, calculate_output: 'exact +' };
    expect(await refused(formula)).toMatchObject({
      status: 400,
      code: 'invalid_value',
      message: expect.stringContaining('The formula cannot be read'),
    });
    expect(await refused({ ...judge, model: 'gpt-5' })).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    expect(await refused({ ...check, operation: 'near' })).toMatchObject({ param: 'grader.operation' });
  });
});
