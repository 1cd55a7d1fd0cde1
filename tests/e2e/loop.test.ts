// The whole loop from an empty home, with nothing but the program: a project is made, its trainer runs through the
// death of its process and of the cloud, its adapter is published, called by the official client, and taken down.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment, IssuedKey, Job, JobEvent } from '../../lib/contract/index.js';
import { killIfThere } from '../sdk/local-cloud/homes.js';
import { findFreePort } from '../support/free-port.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { askProgram, type ProgramOptions, runProgram, startProgram, untilEnded } from '../support/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STEPS = 40;
const ENTRY = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'undisturbed',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  maxSteps: ${STEPS},
  saveSteps: 5,
  batchSize: 4,
  learningRate: 2e-3,
});
export const service = createService({ trainer });
`;

let home: string;
let place: ProgramOptions;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-loop-'));
  const cwd = join(home, 'my app');
  await mkdir(cwd);
  // Its own: by default it is the first free one from 4100 on, which another cloud may take while this one is stopped.
  const SVC_CLOUD_PORT = String(await findFreePort());
  place = { cwd, env: { SVC_HOME: join(home, '.svc'), SVC_CLOUD_PORT } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
});

afterAll(async () => {
  await untilEnded(startProgram(['cloud', 'stop'], place));
  await rm(home, { recursive: true, force: true });
});

const cloudFile = async () =>
  JSON.parse(await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8')) as {
    pid: number;
    url: string;
  };

/** The processes that the cloud has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child, parent]) => (parent === pid ? [child!] : []));
}

/** `svc start`, whose events are handed on as they are printed. */
async function train(onEvent: (event: JobEvent) => void = () => {}): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  const program = startProgram(['start', 'src/svc/index.ts', '--json'], place);
  program.onLine(line => {
    const event = JSON.parse(line) as JobEvent;
    events.push(event);
    onEvent(event);
  });
  const { exitCode, stderr } = await untilEnded(program);
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return events;
}

const losses = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [[event.step, event.loss]] : []));

interface Published {
  deployment: Deployment;
  key: IssuedKey;
}

/** Each stage is made once, by the first test that needs it: any test can be run alone, and in any order. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const undisturbed = once(() => train());

/** A run whose trainer and whose cloud are killed on the way. */
const disturbed = once(async () => {
  await undisturbed();
  const killed: string[] = [];
  const kill = (what: string, act: () => Promise<void>) => {
    if (killed.includes(what)) return;
    killed.push(what);
    void act();
  };
  const events = await train(event => {
    if (event.type !== 'training.log') return;
    if (event.step >= 8)
      kill('trainer', async () => {
        for (const pid of await childrenOf((await cloudFile()).pid)) killIfThere(pid);
      });
    if (event.step >= 20) kill('cloud', async () => void process.kill((await cloudFile()).pid, 'SIGKILL'));
  });
  return { events, killed };
});

async function publish(slug: string): Promise<Published> {
  const { events } = await disturbed();
  const { jobId } = events.find(event => event.type === 'training.started')!;
  const { deployment } = await askProgram<{ deployment: Deployment }>(
    ['endpoints', 'create', slug, '--job', jobId],
    place,
  );
  const { key } = await askProgram<{ key: IssuedKey }>(['keys', 'issue', slug, '--label', 'app'], place);
  return { deployment, key };
}

const published = once(() => publish('triage'));

const clientOf = ({ deployment, key }: Published, apiKey = key.plaintext) =>
  new OpenAI({ apiKey, baseURL: `${deployment.pathUrl}/v1`, maxRetries: 0 });

const QUESTION = {
  model: 'any',
  messages: [{ role: 'user' as const, content: 'The page is blank.' }],
  temperature: 0,
  max_tokens: 8,
};

const call = (endpoint: Published, apiKey?: string) =>
  clientOf(endpoint, apiKey).chat.completions.create(QUESTION);

/** Each test starts many programs, below the priority of others, and the first one makes what the rest need. */
const LONG_MS = 3 * JOURNEY_TIMEOUT_MS;

describe('the loop', { timeout: LONG_MS }, () => {
  it('trains, and the cloud is started for it', async () => {
    const events = await undisturbed();
    expect(losses(events).map(([step]) => step)).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
    expect(events.at(-1)).toMatchObject({ type: 'end', status: 'completed' });
  });

  it('continues when the trainer and the cloud are killed, with each event once and the same losses', async () => {
    const { events, killed } = await disturbed();
    expect(killed).toEqual(['trainer', 'cloud']);
    expect(losses(events)).toEqual(losses(await undisturbed()));
    const resumed = events.filter(({ type }) => type === 'training.started');
    expect(resumed.length).toBeGreaterThanOrEqual(2);
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);

    const { jobs } = await askProgram<{ jobs: Job[] }>(['jobs', 'list'], place);
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed']);
    const { stdout } = await runProgram(['jobs', 'logs', jobs[0]!.id.slice(0, 8), '--json'], place);
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(events);
  });

  it('publishes the adapter, which the official client calls at once and in a stream', async () => {
    const endpoint = await published();
    const whole = await call(endpoint);
    expect(whole.choices[0]!.message.content).toBeTypeOf('string');
    expect(whole.usage!.completion_tokens).toBeGreaterThan(0);

    const stream = await clientOf(endpoint).chat.completions.create({ ...QUESTION, stream: true });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe(whole.choices[0]!.message.content);

    // Given the whole address for its base, the client appends its own route.
    const misled = clientOf(endpoint).withOptions({
      baseURL: `${endpoint.deployment.pathUrl}/v1/chat/completions`,
    });
    await expect(misled.chat.completions.create(QUESTION)).rejects.toMatchObject({ status: 404 });
  });

  it("opens all of the project's models to one key, where they answer as their endpoints do", async () => {
    const endpoint = await published();
    const { key } = await askProgram<{ key: IssuedKey }>(
      ['keys', 'issue', '--project', '--label', 'all'],
      place,
    );
    const baseURL = `${(await cloudFile()).url}/openai/v1`;
    const client = new OpenAI({ apiKey: key.plaintext, baseURL, maxRetries: 0 });
    const { target } = endpoint.deployment;
    const job = target.kind === 'adapter' ? target.adapter.jobId : '';
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids.filter(id => id.includes(job))).toHaveLength(1 + STEPS / 5 - 1);

    const model = ids.find(id => id.endsWith(job))!;
    const answers = await Promise.all([
      client.chat.completions.create({ ...QUESTION, model }),
      call(endpoint),
    ]);
    const [mine, theirs] = answers.map(({ choices }) => choices[0]!.message.content);
    expect(mine).toBe(theirs);
    expect(answers[0]!.model).toBe(model);

    const used = client.models.delete(model);
    await expect(used).rejects.toMatchObject({ status: 409, code: 'job_in_use' });
    await runProgram(['keys', 'revoke', '--project', key.id], place);
    await expect(client.models.list()).rejects.toMatchObject({ status: 401 });
  });

  it('ships the better of two adapters in place of the worse, and not the other way round', async () => {
    const { jobId } = (await undisturbed()).find(event => event.type === 'training.started')!;
    const ship = async (...adapter: string[]) => {
      const rows = ['--on', 'data/train.jsonl', '--no-general', '--json'];
      const program = startProgram(['ship', 'gated', '--job', jobId, ...adapter, ...rows], place);
      const { exitCode, stdout, stderr } = await untilEnded(program);
      expect(stdout, stderr).toMatch(/^\{/);
      const { shipped, evaluation, deployment } = JSON.parse(stdout);
      const { verdict } = evaluation.comparison.scores[0];
      return { exitCode, shipped, verdict, served: deployment?.target.adapter };
    };
    const [early, last] = [
      { kind: 'checkpoint', jobId, step: 5 },
      { kind: 'final', jobId },
    ];
    expect(await ship('--step', '5')).toMatchObject({ exitCode: 0, shipped: 'all', served: early });
    const better = { exitCode: 0, shipped: 'all', verdict: 'better', served: last };
    expect(await ship()).toEqual(better);
    expect(await ship('--step', '5')).toEqual({ exitCode: 1, shipped: null, verdict: 'worse', served: last });
  });

  it('keeps job, endpoint and key when the cloud is stopped and started', async () => {
    const endpoint = await published();
    await runProgram(['cloud', 'stop'], place);
    await runProgram(['cloud', 'start'], place);
    expect((await call(endpoint)).choices).toHaveLength(1);
  });

  it('refuses a revoked key, opens to all without one, and is gone when it is disabled', async () => {
    const endpoint = await publish('revoked');
    await runProgram(['keys', 'revoke', 'revoked', endpoint.key.id], place);
    await expect(call(endpoint)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await runProgram(['endpoints', 'auth', 'revoked', 'none'], place);
    expect((await call(endpoint, 'not-required')).choices).toHaveLength(1);
    await runProgram(['endpoints', 'disable', 'revoked'], place);
    await expect(call(endpoint, 'not-required')).rejects.toMatchObject({ status: 404 });
    await runProgram(['endpoints', 'enable', 'revoked'], place);
    await runProgram(['endpoints', 'auth', 'revoked', 'fixed_api_key'], place);
    await expect(call(endpoint)).rejects.toMatchObject({ status: 401 });
  });
});
