// A run that learns from a function of the user's program, which is killed: the job waits at its step and says so, goes on when
// the program is back, and ends as if nothing had happened.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Evaluation, IssuedKey, Job, JobAnswers, JobEvent } from '../../lib/contract/index.js';
import { findFreePort } from '../support/free-port.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import {
  askProgram,
  type ProgramOptions,
  type RunningProgram,
  runProgram,
  startProgram,
  untilEnded,
} from '../support/program.js';
import { openProjectClient } from '../support/project-client.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STEPS = 4;
/** Each test starts several programs, one after the other, and trains. */
const LONG_MS = 3 * JOURNEY_TIMEOUT_MS;
/** Each answer takes a while, so that a step is not over at once. */
const ENTRY = `import { appendFile } from 'node:fs/promises';
import { createService, createTrainer } from 'svc';
const rows = ['red', 'green', 'blue', 'gray'].map(name => ({
  messages: [{ role: 'user', content: 'Say ' + name + '.' }],
  name,
}));
const trainer = createTrainer({
  name: 'letters',
  dataset: { type: 'rows', rows },
  maxSteps: ${STEPS},
  saveSteps: 2,
  batchSize: 2,
  method: {
    type: 'grpo',
    group: 4,
    maxTokens: 8,
    async reward(answer, { row, messages, step }) {
      await new Promise(resolve => setTimeout(resolve, 20));
      await appendFile('calls.txt', step + ' ' + row.name + ' ' + messages.length + '\\n');
      return { reward: answer.length / 100, parts: { named: answer.includes(row.name) ? 1 : 0 } };
    },
  },
});
export const service = createService({ trainer });
`;

let home: string;
let place: ProgramOptions;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-rewards-'));
  const cwd = join(home, 'app');
  await mkdir(cwd);
  const SVC_CLOUD_PORT = String(await findFreePort());
  place = { cwd, env: { SVC_HOME: join(home, '.svc'), SVC_CLOUD_PORT } };
  await runProgram(['init', '--template', 'blank'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
});

afterAll(async () => {
  await untilEnded(startProgram(['cloud', 'stop'], place));
  await rm(home, { recursive: true, force: true });
});

/** A program, and the events that it prints. */
function follow(...args: string[]): { program: RunningProgram; events: JobEvent[] } {
  const events: JobEvent[] = [];
  const program = startProgram([...args, '--json'], place);
  program.onLine(line => events.push(JSON.parse(line) as JobEvent));
  return { program, events };
}

async function toEnd({ program, events }: ReturnType<typeof follow>): Promise<JobEvent[]> {
  const { exitCode, stderr } = await untilEnded(program);
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return events;
}

const steps = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [[event.step, event.loss, event.reward]] : []));

const jobOf = async (id: string) => (await askProgram<{ job: Job }>(['jobs', 'show', id], place)).job;

/** A job whose program is killed once this step is done; it waits for the next one's rewards. */
async function killAt(step: number): Promise<string> {
  const run = follow('start', 'src/svc/index.ts');
  await until(() => steps(run.events).length).toBeGreaterThanOrEqual(step);
  run.program.child.kill('SIGKILL');
  await run.program.ended;
  const { jobId } = run.events[0]!;
  const cloud = await openProjectClient(place);
  await until(async () => (await cloud.getJob(jobId)).job.waitingFor).toBe(
    `Waiting for the program that computes its rewards. Start it again with "svc start --attach ${jobId.slice(0, 8)}".`,
  );
  expect(await jobOf(jobId)).toMatchObject({ status: 'running' });
  return jobId;
}

// Each test goes on where the one before has ended.
describe('a trainer with a reward function', { shuffle: false }, () => {
  it('goes on with the same rewards and losses after its program was killed', {
    timeout: LONG_MS,
  }, async () => {
    const first = await toEnd(follow('start', 'src/svc/index.ts'));
    const undisturbed = steps(first);
    expect(undisturbed.map(([step]) => step)).toEqual([1, 2, 3, 4]);
    for (const [, , reward] of undisturbed) expect(reward).toBeGreaterThan(0);

    const jobId = await killAt(1);
    const { stdout } = await runProgram(['jobs', 'list'], place);
    expect(stdout).toContain('letters');
    const rest = steps(await toEnd(follow('start', 'src/svc/index.ts', '--attach', jobId.slice(0, 8))));
    const log = (await runProgram(['jobs', 'logs', jobId, '--json'], place)).stdout.trim().split('\n');
    const all = log.map(line => JSON.parse(line) as JobEvent);
    expect(steps(all)).toEqual(undisturbed);
    expect(all.filter(({ type }) => type === 'training.started')).toHaveLength(1);
    expect(undisturbed.slice(-rest.length)).toEqual(rest);
    expect(await jobOf(jobId)).toMatchObject({ status: 'completed', waitingFor: null });
    const calls = (await readFile(join(place.cwd, 'calls.txt'), 'utf8')).trim().split('\n');
    expect(calls.length).toBeGreaterThanOrEqual(2 * STEPS * 2 * 4);
    expect(new Set(calls.map(call => call.split(' ')[2]))).toEqual(new Set(['1']));
    const answersOf = (id: string, step: string) =>
      askProgram<JobAnswers>(['jobs', 'answers', id, '--step', step], place);
    const answers = await answersOf(jobId, '3');
    expect(answers).toMatchObject({ steps: [1, 2, 3, 4], total: 2 });
    expect(answers.groups[0]!.best!.parts).toHaveProperty('named');
    expect(answers).toEqual(await answersOf(first[0]!.jobId, '3'));
  });

  it('is repeated with the rewards of the same function, bit for bit', { timeout: LONG_MS }, async () => {
    const { jobs } = await askProgram<{ jobs: Job[] }>(['jobs', 'list'], place);
    const { stdout, stderr, exitCode } = await untilEnded(
      startProgram(['verify', jobs[0]!.id, '--json'], place),
    );
    expect(stderr).toContain('Rewards come from the trainer letters as it is now.');
    const verdict = JSON.parse(stdout);
    expect(verdict).toMatchObject({ verified: true, exact: true, compared: STEPS, sameAdapter: true });
    expect(exitCode).toBe(0);

    const entry = join(place.cwd, 'src', 'svc', 'index.ts');
    await writeFile(entry, ENTRY.replace('answer.length / 100', 'answer.length / 50'));
    await runProgram(['build'], place);
    const changed = await untilEnded(startProgram(['verify', jobs[0]!.id, '--steps', '1', '--json'], place));
    expect(JSON.parse(changed.stdout).differences).toContainEqual(
      expect.objectContaining({ step: 1, what: 'reward' }),
    );
    await writeFile(entry, ENTRY);
    await runProgram(['build'], place);
  });

  it('scores an adapter by the function that it learned from', { timeout: LONG_MS }, async () => {
    const prompts = ['red', 'pink'].map(name => ({
      messages: [{ role: 'user', content: `Say ${name}.` }],
      name,
    }));
    await writeFile(
      join(place.cwd, 'prompts.jsonl'),
      prompts.map(row => `${JSON.stringify(row)}\n`).join(''),
    );
    const asked = ['eval', 'latest', '--on', 'prompts.jsonl', '--against', 'base'];
    const { evaluation } = await askProgram<{ evaluation: Evaluation }>(asked, place);
    expect(evaluation).toMatchObject({ task: { kind: 'reward' }, data: { rows: 2 } });
    expect(evaluation.scores.map(({ name }) => name)).toEqual(['reward', 'rewardSpread', 'reward.named']);
    expect(evaluation.scores[0]!.value).toBeGreaterThan(0);
    const calls = (await readFile(join(place.cwd, 'calls.txt'), 'utf8')).split('\n');
    expect(calls.filter(call => call.startsWith('0 pink'))).toHaveLength(2);
  });

  it('goes on from its checkpoint if the cloud was killed, too, and can be canceled while it waits', {
    timeout: LONG_MS,
  }, async () => {
    const jobId = await killAt(3);
    const { pid } = JSON.parse(await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8'));
    process.kill(pid as number, 'SIGKILL');
    const events = await toEnd(follow('start', 'src/svc/index.ts', '--attach', jobId));
    expect(events.at(-1)).toMatchObject({ type: 'end', status: 'completed' });

    const other = await killAt(1);
    const { job } = await askProgram<{ job: Job }>(['jobs', 'cancel', other], place);
    expect(job.status).toBe('cancelled');
    const refused = await startProgram(['start', 'src/svc/index.ts', '--attach', other], place).ended;
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has ended') });
  });

  it("learns from a grader by OpenAI's client, with nobody's program", { timeout: LONG_MS }, async () => {
    const { key } = await askProgram<{ key: IssuedKey }>(
      ['keys', 'issue', '--project', '--label', 'ci'],
      place,
    );
    const { url } = JSON.parse(await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8'));
    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${url}/openai/v1`, maxRetries: 0 });
    const rows = ['red', 'green'].map(answer => ({
      messages: [{ role: 'user', content: `Say ${answer}.` }],
      answer,
    }));
    const lines = Buffer.from(rows.map(row => `${JSON.stringify(row)}\n`).join(''));
    const file = await client.files.create({
      file: await toFile(lines, 'colors.jsonl'),
      purpose: 'fine-tune',
    });
    const { data: models } = await client.models.list();
    const grader = {
      type: 'text_similarity' as const,
      name: 'close',
      evaluation_metric: 'fuzzy_match' as const,
      input: '{{ sample.output_json.color }}',
      reference: '{{ item.answer }}',
    };
    const schema = {
      type: 'object',
      properties: { color: { enum: ['red', 'green', 'blue'] } },
      required: ['color'],
      additionalProperties: false,
    };
    const format = { type: 'json_schema', json_schema: { name: 'color', schema } };
    const hyperparameters = { n_epochs: 1, batch_size: 1, compute_multiplier: 0.5 };
    const { id } = await client.fineTuning.jobs.create({
      model: models[0]!.id,
      training_file: file.id,
      validation_file: file.id,
      method: {
        type: 'reinforcement',
        // The client's types lack the format of answers, which the API has.
        reinforcement: { grader, hyperparameters, response_format: format } as object as {
          grader: typeof grader;
        },
      },
    });
    const eventsOf = async () => (await client.fineTuning.jobs.listEvents(id)).data;
    await until(async () => (await client.fineTuning.jobs.retrieve(id)).status, {
      progress: async () => `${(await eventsOf()).length} events`,
      beside: eventsOf,
    }).toBe('succeeded');
    const { fine_tuned_model: model } = await client.fineTuning.jobs.retrieve(id);
    const rewards = (await eventsOf()).flatMap(
      ({ data }) => (data as { train_reward_mean?: number }).train_reward_mean ?? [],
    );
    expect(rewards).toHaveLength(2);
    const { data: checkpoints } = await client.fineTuning.jobs.checkpoints.list(id);
    expect(checkpoints[0]!.metrics).toMatchObject({ valid_reward_mean: expect.any(Number) });
    const { choices } = await client.chat.completions.create({
      model: model!,
      messages: [{ role: 'user', content: 'Say red.' }],
      max_tokens: 8,
    });
    expect(choices[0]!.message.content).toEqual(expect.any(String));
  });
});
