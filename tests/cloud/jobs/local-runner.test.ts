// Jobs that train for real, in processes that are killed for real.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import type { JobConfigInput, JobEvent } from '../../../lib/contract/index.js';
import type { TrainingRun } from '../../../lib/engine/index.js';
import { startServer } from '../../engine/train/data/web-server.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

const config: Partial<JobConfigInput> = {
  loraR: 4,
  loraAlpha: 8,
  batchSize: 8,
  learningRate: 1e-2,
  maxSteps: 50,
  saveSteps: 10,
};
const rows = Array.from({ length: 24 }, (_, i) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `say ${i}` },
      { role: 'assistant', content: `the answer is ${i}` },
    ],
  }),
).join('\n');

/** Runs jobs for real, and calls `meddle` once, when the first trainer logs this step. */
function createMeddlingRunner(step: number, meddle: (run: TrainingRun) => void): JobRunner {
  const local = createLocalRunner();
  let isDone = false;
  return {
    start(document, desk) {
      const run = local.start(document, {
        ...desk,
        record(event) {
          desk.record(event);
          if (isDone || event.type !== 'training.log' || event.step !== step) return;
          isDone = true;
          meddle(run);
        },
      });
      return run;
    },
  };
}

const told = (events: readonly JobEvent[]) =>
  events.flatMap(event =>
    event.type === 'training.started' ? [] : [[event.type, 'step' in event && event.step]],
  );
const losses = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [[event.step, event.loss]] : []));

let modelFolder: string;
/** The events of an undisturbed run. */
let whole: JobEvent[];
let cloud: TestJobs;

async function openWith(runner: JobRunner): Promise<TestJobs> {
  cloud = await openTestJobs(runner, { modelFolder });
  await cloud.jobs.start();
  return cloud;
}

async function createUploaded(): Promise<string> {
  const datasetId = await cloud.upload(rows);
  return (await cloud.create({ ...config, datasetSource: { type: 'upload', datasetId } })).id;
}

beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterEach(() => cloud.close());
afterAll(() => rm(modelFolder, { recursive: true, force: true }));

describe('a job on this machine', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('trains, logs the events of the contract, and keeps only its adapters', async () => {
    await openWith(createLocalRunner());
    const id = await createUploaded();
    const job = await cloud.until(id, 'completed');
    whole = await cloud.events(id);
    const all = ['checkpoint-10', 'checkpoint-20', 'checkpoint-30', 'checkpoint-40', 'final'];
    expect(job).toMatchObject({ step: 50, totalSteps: 50, error: null, artifactCount: 5 });
    expect(losses(whole).map(([step]) => step)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(whole[0]).toMatchObject({ type: 'training.started', model: 'svc/tiny', dataset: 'rows.jsonl' });
    expect(whole.at(-2)).toMatchObject({
      type: 'training.completed',
      artifacts: all.map(name => ({ name })),
    });
    await cloud.jobs.close();
    const folder = join(cloud.folder, 'jobs', id);
    expect((await readdir(folder)).sort()).toEqual([
      'adapters',
      'attempt',
      'row-losses.bin',
      'run-manifest.json',
    ]);
    const kept = (await readdir(join(folder, 'adapters'))).sort();
    expect(kept).toEqual(all);
    expect(existsSync(join(folder, 'adapters', 'checkpoint-20', 'optimizer.safetensors'))).toBe(false);
  });

  it('survives kill -9 of its trainer, with each event once and the same losses', async () => {
    await openWith(createMeddlingRunner(12, ({ pid }) => process.kill(pid, 'SIGKILL')));
    const id = await createUploaded();
    await cloud.until(id, 'completed');
    const events = await cloud.events(id);
    expect(told(events)).toEqual(told(whole));
    expect(losses(events)).toEqual(losses(whole));
    expect(events.filter(({ type }) => type === 'training.started')).toMatchObject([
      {},
      { resumedFromStep: expect.toSatisfy(step => step % 10 === 0) },
    ]);
    expect(events.at(-2)).toMatchObject({ artifacts: (whole.at(-2) as { artifacts: unknown[] }).artifacts });
  });

  it('survives a restart of its cloud, with each event once and the same losses', async () => {
    const isThere = vi.fn();
    const runner = createMeddlingRunner(13, run => {
      // Stop the process until it is paused, so that it cannot finish first.
      process.kill(run.pid, 'SIGSTOP');
      const { pause } = run;
      run.pause = () => {
        pause();
        process.kill(run.pid, 'SIGCONT');
      };
      isThere();
    });
    await openWith(runner);
    const id = await createUploaded();
    await until(() => isThere).toHaveBeenCalled();
    cloud = await cloud.reopen(createLocalRunner());
    const { step } = await cloud.until(id, 'running');
    await cloud.jobs.start();
    await cloud.until(id, 'completed');
    const events = await cloud.events(id);
    expect(losses(events)).toEqual(losses(whole));
    expect(events.find(event => 'resumedFromStep' in event)).toMatchObject({ resumedFromStep: step });
    // Pausing saves an extra checkpoint, which is reported too.
    const saved = events.flatMap(event => (event.type === 'checkpoint.saved' ? [event.step] : []));
    expect(saved).toEqual(
      [10, step, 20, 30, 40].filter((at, i, all) => all.indexOf(at) === i).sort((a, b) => a! - b!),
    );
  });

  it('stops when it is cancelled', async () => {
    await openWith(createMeddlingRunner(3, () => void cloud.call('POST', `/v1/jobs/${id}/cancel`)));
    const datasetId = await cloud.upload(rows);
    const long = { ...config, maxSteps: 100_000, datasetSource: { type: 'upload', datasetId } as const };
    const { id } = await cloud.create(long);
    await cloud.until(id, 'cancelled');
    await cloud.jobs.close();
    expect((await cloud.events(id)).at(-1)).toMatchObject({ type: 'end', status: 'cancelled' });
  });

  it("does not get the Hub token from the cloud's environment", async () => {
    const hub = await startServer((_, response) => response.writeHead(404).end('{}'));
    const { HF_TOKEN, HF_ENDPOINT } = process.env;
    Object.assign(process.env, { HF_TOKEN: 'hf_of_the_cloud', HF_ENDPOINT: hub.url });
    try {
      await openWith(createLocalRunner());
      const { id } = await cloud.create({ datasetSource: { type: 'huggingface', name: 'some/rows' } });
      expect((await cloud.until(id, 'failed')).error).toContain('some/rows');
    } finally {
      restore({ HF_TOKEN, HF_ENDPOINT });
    }
    expect(hub.requests.length).toBeGreaterThan(0);
    expect(hub.requests.map(({ headers }) => headers.authorization)).toEqual(
      hub.requests.map(() => undefined),
    );
  });
});

function restore(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
