// Jobs that learn from pairs of answers, for real.
import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import { type JobConfigInput, runManifest } from '../../../lib/contract/index.js';
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

describe('a job that learns preferences', () => {
  it('logs how the answers are preferred, and records its pairs and its method', async () => {
    const { id } = await create(createLocalRunner(), pairs);
    await cloud.until(id, 'completed');
    const whole = await cloud.events(id);
    const logs = whole.flatMap(event => (event.type === 'training.log' ? [event] : []));
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

  it('asks for the engine that has the method', async () => {
    const runner = createScriptedRunner();
    await create(runner, pairs);
    const { document } = await runner.next();
    expect(document).toMatchObject({ engine: 'node', options: { method: { type: 'dpo', beta: 0.3 } } });
  });
});
