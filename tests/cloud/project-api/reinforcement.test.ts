// Fine-tuning jobs that learn from rewards, by OpenAI's own client. Trainers follow the test's script.
import type { FineTuningJob as OpenAiJob } from 'openai/resources/fine-tuning/jobs/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FineTuningJob, fineTuningJob } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { openProjectCloud, type ProjectCloud } from './project-cloud.js';
import { refusal } from './sample-project-api.js';
import { createTuning, toSvcId } from './tuning-jobs.js';

/** The official type is the judge: this file does not compile if a job deviates. */
const toOpenAi = ({ method, ...job }: FineTuningJob): OpenAiJob => ({
  ...job,
  method: method.type === 'reinforcement' ? toReinforcement(method) : method,
});

type Reinforcement = Extract<FineTuningJob['method'], { type: 'reinforcement' }>;

/** Its type for graders has one of them where the API has several by name. */
const toReinforcement = ({ reinforcement, ...method }: Reinforcement): OpenAiJob['method'] & object => ({
  ...method,
  reinforcement: { ...reinforcement, grader: reinforcement.grader as never },
});

let cloud: ProjectCloud;
let jobs: ProjectCloud['openai']['fineTuning']['jobs'];
beforeEach(async () => {
  cloud = await openProjectCloud();
  jobs = cloud.openai.fineTuning.jobs;
});
afterEach(() => cloud.close());

const create = (more?: object) => createTuning(cloud, more);
const configOf = async (id: string) => (await cloud.svc.getJob(toSvcId(id))).job.config!;

const exact = {
  type: 'string_check' as const,
  name: 'exact',
  operation: 'eq' as const,
  input: '{{ sample.output_text }}',
  reference: '{{ item.answer }}',
};

/** Rows for reinforcement: prompts, with what graders need. */
const PROMPTS = ['a', 'b', 'c', 'd']
  .map(answer => JSON.stringify({ messages: [{ role: 'user', content: answer }], answer }))
  .join('\n');

describe('a job that learns from rewards', () => {
  const reinforced = (reinforcement: object) => ({ method: { type: 'reinforcement', reinforcement } });
  const uploadPrompts = async (name: string) => {
    const file = new File([`${PROMPTS}\n`], name);
    return (await cloud.openai.files.create({ file, purpose: 'fine-tune' })).id;
  };
  const files = async () => ({
    training_file: await uploadPrompts('prompts.jsonl'),
    validation_file: await uploadPrompts('held-out.jsonl'),
  });

  it('has a grader, and tells the mean reward of steps, events and checkpoints', async () => {
    const hyperparameters = { n_epochs: 2, batch_size: 2, compute_multiplier: 0.5, eval_interval: 1 };
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    const format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    const method = reinforced({
      grader: exact,
      hyperparameters: { ...hyperparameters, eval_samples: 1, reasoning_effort: 'low' },
      response_format: format,
    });
    const created = await create({ ...(await files()), ...method });
    expect(toOpenAi(fineTuningJob.parse(created))).toEqual(created);
    expect(created.method).toEqual(
      reinforced({
        grader: exact,
        hyperparameters: { ...hyperparameters, learning_rate_multiplier: 1, eval_samples: 1 },
      }).method,
    );
    expect(await configOf(created.id)).toMatchObject({
      method: { type: 'grpo', reward: exact, group: 4, schema },
      numTrainEpochs: 2,
      evalSteps: 1,
    });
    const run = await cloud.runner.next();
    run.started({ totalSteps: 1, trainTokens: 100 });
    const rewards = { reward: 0.25, evalReward: 0.5 };
    await run.tell('training.log', { step: 1, loss: 0.01, epoch: 1, ...rewards });
    await run.complete(1);
    await until(async () => (await jobs.retrieve(created.id)).status).toBe('succeeded');
    const measured = { step: 1, train_loss: 0.01, train_reward_mean: 0.25, valid_reward_mean: 0.5 };
    const { data: events } = await jobs.listEvents(created.id);
    const step = events.find(({ type }) => type === 'metrics')!;
    expect(step.data).toEqual({ ...measured, epoch: 1 });
    expect(step.message).toBe(
      'Step 1, train loss 0.01000, train reward mean 0.2500, valid reward mean 0.5000',
    );
    const { data: checkpoints } = await jobs.checkpoints.list(created.id);
    expect(checkpoints[0]!.metrics).toMatchObject(measured);
    const [results] = (await jobs.retrieve(created.id)).result_files;
    const table = await (await cloud.openai.files.content(results!)).text();
    expect(table).toBe(
      'step,train_loss,valid_loss,learning_rate,epoch,train_reward_mean,valid_reward_mean\n1,0.01,,,1,0.25,0.5\n',
    );
  });

  it('has defaults for what is `auto`, and graders by name where the client types a single one', async () => {
    const grader = { type: 'multi', name: 'm', graders: exact, calculate_output: '2 * exact' };
    const hyperparameters = { compute_multiplier: 'auto', eval_interval: 'auto', eval_samples: 'auto' };
    const { id, method } = await create({ ...(await files()), ...reinforced({ grader, hyperparameters }) });
    const named = { ...grader, graders: { exact } };
    expect(method).toMatchObject(
      reinforced({ grader: named, hyperparameters: { compute_multiplier: 1 } }).method,
    );
    expect(await configOf(id)).toMatchObject({ method: { reward: named, group: 8 } });
  });

  it.each([
    [{}, 'method.reinforcement.grader'],
    [{ grader: { type: 'python', name: 'x', source: '' } }, 'method.reinforcement.grader'],
    [{ grader: { ...exact, input: '{{ row.a }}' } }, 'method.reinforcement.grader'],
    [
      { grader: { ...exact, type: 'text_similarity', evaluation_metric: 'meteor' } },
      'method.reinforcement.grader.evaluation_metric',
    ],
    [
      { grader: exact, hyperparameters: { eval_samples: 4 } },
      'method.reinforcement.hyperparameters.eval_samples',
    ],
    [
      { grader: exact, hyperparameters: { compute_multiplier: 0 } },
      'method.reinforcement.hyperparameters.compute_multiplier',
    ],
  ])('is refused by name: %j', async (reinforcement, param) => {
    const refused = await refusal(create(reinforced(reinforcement)));
    expect(refused).toMatchObject({ status: 400, param });
  });

  it('is refused if its judge does not exist', async () => {
    const grader = {
      type: 'score_model',
      name: 'j',
      model: 'gpt-5',
      input: [{ role: 'user', content: 'a' }],
    };
    const refused = await refusal(create(reinforced({ grader })));
    expect(refused).toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
