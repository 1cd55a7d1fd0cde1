// What the runner on this machine does beyond what all runners do.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/host/local-parts.js';
import {
  type Artifact,
  type Job,
  type JobConfigInput,
  type PendingRewards,
  runManifest,
} from '../../../lib/contract/index.js';
import { startServer } from '../../engine/train/data/web-server.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { outline } from './jobs-per-test.js';
import { openTestJobs, scope, type TestOptions } from './test-jobs.js';

async function open(options: TestOptions = {}) {
  const modelFolder = await makeModelFolder();
  onTestFinished(() => rm(modelFolder, { recursive: true, force: true }));
  const cloud = await openTestJobs(createLocalRunner(), { modelFolder, ...options });
  onTestFinished(() => cloud.close());
  await cloud.jobs.start();
  return cloud;
}

it("its trainers do not get the Hub token from the cloud's environment", async () => {
  const hub = await startServer((_, response) => response.writeHead(404).end('{}'));
  vi.stubEnv('HF_TOKEN', 'hf_of_the_cloud');
  vi.stubEnv('HF_ENDPOINT', hub.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const cloud = await open();
  const { id } = await cloud.create({ datasetSource: { type: 'huggingface', name: 'some/rows' } });
  expect((await cloud.until(id, 'failed')).error).toContain('some/rows');
  expect(hub.requests.length).toBeGreaterThan(0);
  expect(hub.requests.map(({ headers }) => headers.authorization)).toEqual(hub.requests.map(() => undefined));
});

it('a job that learns preferences logs how they grow, and records its pairs and its method', async () => {
  const cloud = await open();
  const pairs = Array.from({ length: 24 }, (_, i) =>
    JSON.stringify({ prompt: `say ${i}`, chosen: `the answer is ${i}`, rejected: 'no' }),
  );
  const datasetId = await cloud.upload(pairs.join('\n'));
  const training = { loraR: 4, loraAlpha: 8, batchSize: 4, learningRate: 1e-2, maxSteps: 15, saveSteps: 4 };
  const { id } = await cloud.create({
    datasetSource: { type: 'upload', datasetId },
    method: { type: 'dpo', beta: 0.3 },
    evalFraction: 0.25,
    evalSteps: 5,
    ...training,
  });
  await cloud.until(id, 'completed');
  const whole = await cloud.events(id);
  const logs = whole.flatMap(event => (event.type === 'training.log' ? [event] : []));
  expect(logs[0]).toMatchObject({ step: 1, rewardMargin: expect.closeTo(0, 4) });
  expect(logs.at(-1)).toMatchObject({ rewardAccuracy: 1, evalRewardAccuracy: 1 });
  expect(logs.at(-1)!.rewardMargin).toBeGreaterThan(0.5);
  const metrics = { rewardAccuracy: 1, evalRewardAccuracy: 1 };
  expect(whole.find(({ type }) => type === 'training.completed')).toMatchObject({ metrics });
  const prompt = expect.stringMatching(/^say \d+$/);
  const answer = expect.stringMatching(/^the answer is \d+ \(rejected: no\)$/);
  const found = await cloud.json('GET', `/v1/jobs/${id}/rows${scope}&limit=1`);
  expect(found).toMatchObject({ rows: [{ text: { prompt, answer } }] });
  const { manifest } = await cloud.json<{ manifest: unknown }>('GET', `/v1/jobs/${id}/manifest`);
  const method = { type: 'dpo', beta: 0.3, labelSmoothing: 0, sftWeight: 0 };
  expect(runManifest.parse(manifest).run!.options.method).toEqual(method);
});

it('a job that learns from rewards has its answers graded, and logs the rewards with their parts', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const cloud = await open();
  const rows = Array.from({ length: 20 }, (_, i) =>
    JSON.stringify({ messages: [{ role: 'user', content: `Say ${i}` }], wanted: i % 2 ? 'e' : 'a' }),
  );
  const datasetId = await cloud.upload(rows.join('\n'));
  const has = (reference: string) =>
    ({
      type: 'string_check',
      name: 'has',
      input: '{{sample.output_text}}',
      reference,
      operation: 'ilike',
    }) as const;
  const reward = {
    type: 'multi',
    name: 'both',
    graders: { wanted: has('{{item.wanted}}'), any: has('t') },
    calculate_output: '(wanted + any) / 2',
  } as const;
  const { id } = await cloud.create({
    datasetSource: { type: 'upload', datasetId },
    method: { type: 'grpo', group: 4, maxTokens: 6, reward },
    evalFraction: 0.3,
    ...{ loraR: 4, batchSize: 4, maxSteps: 2 },
  });
  await cloud.until(id, 'completed');
  const whole = await cloud.events(id);
  const logs = whole.flatMap(event => (event.type === 'training.log' ? [event] : []));
  expect(logs).toHaveLength(2);
  for (const log of logs)
    expect(log).toMatchObject({ failedRewards: 0, answerTokens: expect.any(Number), kl: expect.any(Number) });
  const { metrics } = whole.find(event => event.type === 'training.completed')!;
  const { reward: mean, 'reward.wanted': wanted, 'reward.any': any } = metrics as Record<string, number>;
  expect(mean).toBeGreaterThan(0);
  expect(mean).toBeCloseTo((wanted! + any!) / 2, 5);
  expect(logs.at(-1)!.evalReward).toBeGreaterThanOrEqual(0);
  const { manifest } = await cloud.json<{ manifest: unknown }>('GET', `/v1/jobs/${id}/manifest`);
  const filled = { updates: 1, beta: 0.04, epsilon: 0.2, temperature: 1 };
  const method = { type: 'grpo', group: 4, maxTokens: 6, ...filled, reward };
  expect(runManifest.parse(manifest).run!.options.method).toEqual(method);
});

it('a job that waits for the program that rewards its answers survives a restart of the cloud', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const modelFolder = await makeModelFolder();
  let cloud = await openTestJobs(createLocalRunner(), { modelFolder });
  onTestFinished(async () => {
    await cloud.close();
    await rm(modelFolder, { recursive: true, force: true });
  });
  await cloud.jobs.start();
  const rows = ['one', 'two'].map(word => JSON.stringify({ messages: [{ role: 'user', content: word }] }));
  const datasetId = await cloud.upload(rows.join('\n'));
  const { id } = await cloud.create({
    datasetSource: { type: 'upload', datasetId },
    method: { type: 'grpo', group: 2, maxTokens: 4, reward: { type: 'function' } },
    ...{ loraR: 2, loraAlpha: 4, batchSize: 2, maxSteps: 3, saveSteps: 100 },
  });
  const path = `/v1/jobs/${id}/rewards`;
  type Asked = { pending: PendingRewards | null };
  async function next(known: string): Promise<PendingRewards> {
    let found: Asked = { pending: null };
    await until(async () => {
      found = await cloud.json<Asked>('GET', `${path}${scope}&known=${known}`);
      return found.pending;
    }).not.toBeNull();
    return found.pending!;
  }
  async function reward(known: string): Promise<string> {
    const pending = await next(known);
    const rewards = pending.groups.map(({ answers }) => answers.map((_, i) => ({ reward: i })));
    await cloud.json('POST', path, { id: pending.id, rewards });
    return pending.id;
  }
  const first = await reward('none');
  const pending = await next(first);
  cloud = await cloud.reopen(createLocalRunner());
  await cloud.jobs.start();
  expect(await next(first)).toEqual(pending);
  await reward(await reward('none'));
  await cloud.until(id, 'completed');
  expect(outline(await cloud.events(id))).toBe(
    'started, log 1, saved 1, started from 1, log 2-3, completed, end completed',
  );
});

it('a job fails with the first error when too many of its answers get no reward', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const cloud = await open();
  const datasetId = await cloud.upload('{"messages":[{"role":"user","content":"Say it"}]}');
  const reward = {
    type: 'string_check',
    name: 'right',
    input: '{{sample.output_text}}',
    reference: '{{item.answer}}',
    operation: 'eq',
  } as const;
  const method = { type: 'grpo', group: 2, maxTokens: 4, reward } as const;
  const job = (reference: string) =>
    cloud.create({
      datasetSource: { type: 'upload', datasetId },
      method: { ...method, reward: { ...reward, reference } },
      maxSteps: 1,
    });
  await expect(job('{{nothing}}')).rejects.toThrow('`config.method.reward`: {{ nothing }} names nothing');
  const { id } = await job(reward.reference);
  expect((await cloud.until(id, 'failed')).error).toMatch(
    /2 of 2 answers got no reward\. The first: .*item\.answer/,
  );
});

it('a job goes on from the final adapter of another one, to the bit as if both were one', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const cloud = await open();
  const rows = Array.from({ length: 24 }, (_, i) => JSON.stringify({ text: `row ${i} says ${i * i}` }));
  const datasetSource = { type: 'upload', datasetId: await cloud.upload(rows.join('\n')) } as const;
  const lrSchedulerType = 'constant' as const;
  const training = {
    datasetSource,
    loraR: 4,
    loraAlpha: 8,
    batchSize: 4,
    learningRate: 1e-2,
    lrSchedulerType,
  };
  const train = async (config: Partial<JobConfigInput>) => {
    const { id } = await cloud.create({ ...training, ...config });
    await cloud.until(id, 'completed');
    const losses = (await cloud.events(id)).flatMap(e => (e.type === 'training.log' ? [e.loss] : []));
    const { artifacts } = await cloud.json<{ artifacts: Artifact[] }>('GET', `/v1/jobs/${id}/artifacts`);
    return { id, losses, sha256: artifacts.at(-1)!.sha256 };
  };
  const whole = await train({ maxSteps: 16 });
  const first = await train({ maxSteps: 8 });
  const from = { kind: 'final', jobId: first.id } as const;
  const kept = await train({ maxSteps: 8, from, keepOptimizer: true });
  expect([...first.losses, ...kept.losses]).toEqual(whole.losses);
  expect(kept.sha256).toBe(whole.sha256);
  await cloud.json('DELETE', `/v1/jobs/${first.id}`);
  const body = {
    name: 'again',
    config: (await cloud.json<{ job: Job }>('GET', `/v1/jobs/${kept.id}`)).job.config,
  };
  const refused = await cloud.call('POST', '/v1/jobs', body);
  expect(await refused.json()).toMatchObject({ error: { message: `Job ${first.id} not found.` } });
});

/** A small disk that fills up and is freed. Mounting it requires root on Linux. */
const DISK_BYTES = 8 * 1024 ** 2;
const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && canMount();

it.skipIf(!mayMount)('completes training on a disk that filled up, once space is freed', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'svc-disk-'));
  mount(disk);
  onTestFinished(async () => {
    execFileSync('umount', ['--lazy', disk]);
    await rm(disk, { recursive: true });
  });
  const folder = join(disk, 'cloud');
  mkdirSync(folder);
  const cloud = await open({ folder });
  const datasetId = await cloud.upload('{"text":"a b c"}\n'.repeat(20));
  const training = { maxSteps: 30, saveSteps: 5, loraR: 4, batchSize: 4 };
  const { id } = await cloud.create({ datasetSource: { type: 'upload', datasetId }, ...training });
  const ballast = join(disk, 'ballast');
  fill(ballast);
  const ask = async () => (await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;
  await until(async () => (await ask()).waitingFor).toBe("The cloud's disk is full.");
  expect(cloud.health.problems()).toMatchObject([{ part: 'store' }]);
  rmSync(ballast);
  expect((await cloud.until(id, 'completed')).artifactCount).toBeGreaterThan(1);
  const events = await cloud.events(id);
  const logged = outline(events.filter(({ type }) => type === 'training.log'));
  expect([logged, outline(events.slice(-2))]).toEqual(['log 1-30', 'completed, end completed']);
  await until(() => cloud.health.problems()).toEqual([]);
});

/** Appends until the disk is full. */
function fill(path: string): void {
  for (let bytes = 1024 ** 2; bytes >= 1024; ) {
    try {
      appendFileSync(path, new Uint8Array(bytes));
    } catch {
      bytes /= 2;
    }
  }
}

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' });
}

/** Most containers do not allow mounting, even for root. */
function canMount(): boolean {
  const folder = join(tmpdir(), `svc-mount-${process.pid}`);
  try {
    execFileSync('mkdir', [folder]);
    mount(folder);
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
