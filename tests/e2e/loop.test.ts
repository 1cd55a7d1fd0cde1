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
import { askProgram, type Place, runProgram, startProgram } from '../support/program.js';

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
let place: Place;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-loop-'));
  const cwd = join(home, 'my app');
  await mkdir(cwd);
  place = { cwd, env: { SVC_HOME: join(home, '.svc') } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
});

afterAll(async () => {
  await startProgram(['cloud', 'stop'], place).ended;
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
  const { exitCode, stderr } = await program.ended;
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return events;
}

const losses = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [[event.step, event.loss]] : []));

describe('the loop', () => {
  let undisturbed: JobEvent[];
  let job: Job;
  let deployment: Deployment;
  let key: IssuedKey;

  const call = (apiKey: string) =>
    new OpenAI({ apiKey, baseURL: `${deployment.pathUrl}/v1`, maxRetries: 0 }).chat.completions.create({
      model: 'any',
      messages: [{ role: 'user', content: 'The page is blank.' }],
      temperature: 0,
      max_tokens: 8,
    });

  it('trains, and the cloud is started for it', async () => {
    undisturbed = await train();
    expect(losses(undisturbed).map(([step]) => step)).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
    expect(undisturbed.at(-1)).toMatchObject({ type: 'end', status: 'completed' });
  });

  it('goes on through the death of the trainer and of the cloud, with each event once and the same losses', async () => {
    const killed = new Set<string>();
    const once = (what: string, act: () => Promise<void>) => {
      if (killed.has(what)) return;
      killed.add(what);
      void act();
    };
    const events = await train(event => {
      if (event.type !== 'training.log') return;
      if (event.step >= 8)
        once('trainer', async () => {
          for (const pid of await childrenOf((await cloudFile()).pid)) process.kill(pid, 'SIGKILL');
        });
      if (event.step >= 20) once('cloud', async () => void process.kill((await cloudFile()).pid, 'SIGKILL'));
    });
    expect([...killed]).toEqual(['trainer', 'cloud']);
    expect(losses(events)).toEqual(losses(undisturbed));
    const resumed = events.filter(({ type }) => type === 'training.started');
    expect(resumed.length).toBeGreaterThanOrEqual(2);
    expect(events.filter(({ type }) => type === 'end')).toHaveLength(1);

    const { jobs } = await askProgram<{ jobs: Job[] }>(['jobs', 'list'], place);
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed']);
    job = jobs[0]!;
    const { stdout } = await runProgram(['jobs', 'logs', job.id.slice(0, 8), '--json'], place);
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(events);
  });

  it('publishes the adapter, which the official client calls at once and in a stream', async () => {
    ({ deployment } = await askProgram<{ deployment: Deployment }>(
      ['endpoints', 'create', 'triage', '--job', job.id],
      place,
    ));
    ({ key } = await askProgram<{ key: IssuedKey }>(['keys', 'issue', 'triage', '--label', 'app'], place));
    const whole = await call(key.plaintext);
    expect(whole.choices[0]!.message.content).toBeTypeOf('string');
    expect(whole.usage!.completion_tokens).toBeGreaterThan(0);

    const client = new OpenAI({ apiKey: key.plaintext, baseURL: `${deployment.pathUrl}/v1`, maxRetries: 0 });
    const stream = await client.chat.completions.create({
      model: 'any',
      messages: [{ role: 'user', content: 'The page is blank.' }],
      temperature: 0,
      max_tokens: 8,
      stream: true,
    });
    let text = '';
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
    expect(text).toBe(whole.choices[0]!.message.content);

    // Who gives it the whole address for its base: it appends its own route.
    const misled = client.withOptions({ baseURL: `${deployment.pathUrl}/v1/chat/completions` });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    await expect(misled.chat.completions.create({ model: 'any', messages })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('keeps job, endpoint and key when the cloud is stopped and started', async () => {
    await runProgram(['cloud', 'stop'], place);
    await runProgram(['cloud', 'start'], place);
    expect((await call(key.plaintext)).choices).toHaveLength(1);
  });

  it('refuses a revoked key, opens to all without one, and is gone when it is disabled', async () => {
    await runProgram(['keys', 'revoke', 'triage', key.id], place);
    await expect(call(key.plaintext)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    await runProgram(['endpoints', 'auth', 'triage', 'none'], place);
    expect((await call('not-required')).choices).toHaveLength(1);
    await runProgram(['endpoints', 'disable', 'triage'], place);
    await expect(call('not-required')).rejects.toMatchObject({ status: 404 });
    await runProgram(['endpoints', 'enable', 'triage'], place);
    await runProgram(['endpoints', 'auth', 'triage', 'fixed_api_key'], place);
    await expect(call(key.plaintext)).rejects.toMatchObject({ status: 401 });
  });
});
