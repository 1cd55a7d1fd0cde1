// Jobs that learn from pairs of answers, for real, in processes that are killed for real.
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import { type JobConfigInput, type JobEvent, runManifest } from '../../../lib/contract/index.js';
import type { TrainingRun } from '../../../lib/engine/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { createScriptedRunner } from './scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from './test-jobs.js';

const pair = (i: number) => ({ prompt: `say ${i}`, chosen: `the answer is ${i}`, rejected: 'no' });
const lines = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).join('\n');
const pairs = Array.from({ length: 24 }, (_, i) => pair(i));
const config: Partial<JobConfigInput> = {
  method: { type: 'dpo', beta: 0.3 },
  loraR: 4,
  loraAlpha: 8,
  batchSize: 4,
  learningRate: 1e-2,
  evalFraction: 0.25,
  evalSteps: 5,
  maxSteps: 15,
  saveSteps: 4,
};

let modelFolder: string;
let cloud: TestJobs;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterEach(() => cloud.close());
afterAll(() => rm(modelFolder, { recursive: true, force: true }));

async function create(runner: JobRunner, rows: readonly object[], more: Partial<JobConfigInput> = {}) {
  cloud = await openTestJobs(runner, { modelFolder });
  await cloud.jobs.start();
  const datasetId = await cloud.upload(lines(rows));
  return cloud.create({ ...config, datasetSource: { type: 'upload', datasetId }, ...more });
}

/** Kills the first trainer when it logs this step. */
function createKillingRunner(step: number): JobRunner {
  const local = createLocalRunner();
  let isDone = false;
  return {
    start(document, desk) {
      const run: TrainingRun = local.start(document, {
        ...desk,
        record(event) {
          desk.record(event);
          if (isDone || event.type !== 'training.log' || event.step !== step) return;
          isDone = true;
          process.kill(run.pid, 'SIGKILL');
        },
      }) as TrainingRun;
      return run;
    },
  };
}

/** Without what depends on time and on the process. */
const measured = (events: readonly JobEvent[]) =>
  events.flatMap(event => {
    if (event.type !== 'training.log') return [];
    const { timestamp: _1, tokensPerSecond: _2, jobId: _3, memoryBytes: _4, cpuPercent: _5, ...rest } = event;
    return [rest];
  });

describe('a job that learns preferences', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  let whole: JobEvent[];

  it('logs how the answers are preferred, and records its pairs and its method', async () => {
    const { id } = await create(createLocalRunner(), pairs);
    await cloud.until(id, 'completed');
    whole = await cloud.events(id);
    const logs = measured(whole);
    expect(logs[0]).toMatchObject({ step: 1, rewardMargin: expect.closeTo(0, 4) });
    expect(logs.at(-1)).toMatchObject({ rewardAccuracy: 1, evalRewardAccuracy: 1 });
    expect(logs.at(-1)!.rewardMargin).toBeGreaterThan(0.5);
    expect(whole.find(({ type }) => type === 'training.completed')).toMatchObject({
      metrics: { rewardAccuracy: 1, evalRewardAccuracy: 1 },
    });
    const { rows } = await cloud.json<{ rows: { text: { prompt: string; answer: string } }[] }>(
      'GET',
      `/v1/jobs/${id}/rows${scope}&limit=1`,
    );
    expect(rows[0]!.text).toMatchObject({
      prompt: expect.stringMatching(/^say \d+$/),
      answer: expect.stringMatching(/^the answer is \d+ \(rejected: no\)$/),
    });
    const { manifest } = await cloud.json<{ manifest: unknown }>('GET', `/v1/jobs/${id}/manifest`);
    expect(runManifest.parse(manifest).run!.options.method).toEqual({
      type: 'dpo',
      beta: 0.3,
      labelSmoothing: 0,
      sftWeight: 0,
    });
  });

  it('survives kill -9 of its trainer with exactly the same measurements', async () => {
    const { id } = await create(createKillingRunner(10), pairs);
    await cloud.until(id, 'completed');
    const events = await cloud.events(id);
    expect(events.filter(({ type }) => type === 'training.started')).toHaveLength(2);
    expect(measured(events)).toEqual(measured(whole));
  });

  it('fails with advice for rows that are not pairs, and the other way round', async () => {
    const chats = [
      {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
    ];
    const { id } = await create(createLocalRunner(), [pair(1), ...chats, pair(2)]);
    const { error } = await cloud.until(id, 'failed');
    expect(error).toContain(
      'row 2: the method dpo compares two answers, so it needs the column chosen and rejected',
    );
    await cloud.close();
    const sft = await create(createLocalRunner(), pairs, { method: { type: 'sft' } });
    const refused = await cloud.until(sft.id, 'failed');
    expect(refused.error).toContain('row 1: it has a preferred and a rejected answer; train with method');
  });

  it('asks for the engine that has the method', async () => {
    const runner = createScriptedRunner();
    await create(runner, pairs);
    const { document } = await runner.next();
    expect(document).toMatchObject({ engine: 'node', options: { method: { type: 'dpo', beta: 0.3 } } });
  });
});
