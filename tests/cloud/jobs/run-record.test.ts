// What a job that trains for real records: the losses of its rows, with excerpts, and its manifest.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/stage.js';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import {
  type JobConfigInput,
  type RowLosses,
  type RunManifest,
  rowLosses,
  runManifest,
} from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { openTestJobs, scope, type TestJobs } from './test-jobs.js';

const ROWS = 24;
const answerOf = (i: number) => `the answer is ${i}`;
const rows = Array.from({ length: ROWS }, (_, i) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `say ${i}` },
      { role: 'assistant', content: answerOf(i) },
    ],
  }),
).join('\n');
const config: Partial<JobConfigInput> = {
  loraR: 4,
  loraAlpha: 8,
  batchSize: 8,
  learningRate: 1e-2,
  numTrainEpochs: 4,
  saveSteps: 3,
};

/** Runs jobs for real, and kills the trainer of the next attempt once, when it logs this step. */
let killAt: number | null = null;
const local = createLocalRunner();
const runner: JobRunner = {
  start(document, desk) {
    const run = local.start(document, {
      ...desk,
      record(event) {
        if (event.type === 'training.log' && event.step === killAt) {
          killAt = null;
          process.kill(run.pid, 'SIGKILL');
        }
        return desk.record(event);
      },
    });
    return run;
  },
};

let modelFolder: string;
let cloud: TestJobs;
/** A job that nobody disturbed; and one that held rows out. */
let whole: string;
let holding: string;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
  cloud = await openTestJobs(runner, { modelFolder });
  await cloud.jobs.start();
  whole = await train();
  holding = await train({ evalFraction: 0.25, seed: 7 });
});
afterAll(async () => {
  await cloud.close();
  await rm(modelFolder, { recursive: true, force: true });
});

async function train(more: Partial<JobConfigInput> = {}, text = rows): Promise<string> {
  const datasetId = await cloud.upload(text);
  const { id } = await cloud.create({ ...config, datasetSource: { type: 'upload', datasetId }, ...more });
  await cloud.until(id, 'completed');
  return id;
}

const read = async (id: string, query = '') =>
  rowLosses.parse(await cloud.json('GET', `/v1/jobs/${id}/rows${scope}${query}`)) as RowLosses;
const folderOf = (id: string) => join(cloud.folder, 'jobs', id);
const manifestOf = async (id: string, test = cloud): Promise<RunManifest> => {
  const { manifest } = await test.json<{ manifest: unknown }>('GET', `/v1/jobs/${id}/manifest`);
  return runManifest.parse(manifest) as RunManifest;
};

describe('the rows of a job', () => {
  it('are listed worst first, page by page, with what they say', async () => {
    const all = await read(whole);
    expect(all).toMatchObject({ total: ROWS, recorded: ROWS, every: 1, nextCursor: null });
    const lasts = all.rows.map(({ last }) => last);
    expect(lasts).toEqual(lasts.toSorted((a, b) => b - a));
    for (const { row, visits, losses, first, last, text } of all.rows) {
      expect(text).toEqual({
        file: 'rows.jsonl',
        number: row + 1,
        prompt: `say ${row}`,
        answer: answerOf(row),
      });
      expect([visits, losses.length]).toEqual([4, 4]);
      expect([losses[0]!.loss, losses.at(-1)!.loss]).toEqual([first, last]);
    }
    const first = await read(whole, '&limit=20');
    const second = await read(whole, `&limit=20&cursor=${first.nextCursor}`);
    expect([...first.rows, ...second.rows]).toEqual(all.rows);
    expect(second.nextCursor).toBeNull();
  });

  it('can be only those of one step, whose losses make up its loss', async () => {
    const events = await cloud.events(whole);
    const log = events.find(event => event.type === 'training.log' && event.step === 5);
    const { rows: found, total } = await read(whole, '&step=5');
    expect(total).toBe(8);
    const labels = found.reduce((sum, row) => sum + row.labels, 0);
    const mean = found.reduce((sum, row) => sum + row.labels * row.inStep!, 0) / labels;
    expect(mean).toBeCloseTo((log as { loss: number }).loss, 5);
    const losses = found.map(({ inStep }) => inStep!);
    expect(losses).toEqual(losses.toSorted((a, b) => b - a));
  });

  it('can be only those whose loss rises', async () => {
    const all = await read(whole);
    const rising = await read(whole, '&rising=true&sort=rise');
    expect(rising.total).toBe(all.rows.filter(({ first, last }) => last > first).length);
    expect(rising.rows.every(({ first, last }) => last > first)).toBe(true);
  });

  it('are numbered as in the data set, also if some are held out for evaluation', async () => {
    const { rows: found } = await read(holding);
    expect(found).toHaveLength(18);
    for (const { row, text } of found) expect(text!.answer).toBe(answerOf(row));
    expect(new Set(found.map(({ row }) => row)).size).toBe(18);
  });

  it('come at least one at a time', async () => {
    expect((await cloud.call('GET', `/v1/jobs/${whole}/rows${scope}&limit=0`)).status).toBe(400);
  });

  it('keep their losses when the data set’s file is gone', async () => {
    // Only the data set that was read last stays open.
    await read(holding);
    const [datasets, elsewhere] = ['datasets', 'elsewhere'].map(name => join(cloud.folder, name));
    await rename(datasets!, elsewhere!);
    const { rows: found } = await read(whole);
    await rename(elsewhere!, datasets!);
    expect(found).toHaveLength(ROWS);
    expect(found.every(({ text }) => text === null)).toBe(true);
  });
});

describe('the files of a run', () => {
  it('are its record and its adapters, and nothing that only training needs', async () => {
    const files = (await readdir(folderOf(whole), { recursive: true })).sort();
    const adapters = ['checkpoint-3', 'checkpoint-6', 'checkpoint-9', 'final'];
    expect(files).toEqual(
      [
        'adapters',
        ...adapters.flatMap(name => [
          `adapters/${name}`,
          `adapters/${name}/adapter_config.json`,
          `adapters/${name}/adapter_model.safetensors`,
        ]),
        'attempt',
        'row-losses.bin',
        'run-manifest.json',
      ].sort(),
    );
  });

  it('are in backups, and deleted with the job', async () => {
    const id = await train({ maxSteps: 1 });
    const { stage } = await stageBackup(cloud.folder, () => mkdtemp(join(cloud.folder, 'backup-')));
    for (const file of ['row-losses.bin', 'run-manifest.json'])
      expect(await readFile(join(stage, 'jobs', id, file))).toEqual(await readFile(join(folderOf(id), file)));
    await cloud.json('DELETE', `/v1/jobs/${id}`);
    expect(existsSync(folderOf(id))).toBe(false);
  });

  it('are the same after kill -9 of the trainer, which goes on from its last checkpoint', async () => {
    killAt = 5;
    const id = await train();
    const [first, second, ...others] = (await cloud.events(id)).filter(
      ({ type }) => type === 'training.started',
    );
    expect([first, second, others]).toMatchObject([
      {},
      { resumedFromStep: expect.toSatisfy(step => step > 0 && step % 3 === 0) },
      [],
    ]);
    const losses = (job: string) => readFile(join(folderOf(job), 'row-losses.bin'));
    expect(await losses(id)).toEqual(await losses(whole));
  });
});

describe('the manifest of a job', () => {
  it('says what the results depend on', async () => {
    const manifest = await manifestOf(holding);
    expect(manifest).toMatchObject({
      jobId: holding,
      status: 'completed',
      model: { name: 'svc/tiny' },
      seed: 7,
      config: { evalFraction: 0.25, batchSize: 8 },
      run: {
        data: { training: { rows: ROWS, digest: expect.stringMatching(/^[0-9a-f]{64}$/) }, evaluation: null },
        weights: 'f32',
        options: { rank: 4, seed: 7, learningRate: 1e-2 },
        environments: [
          {
            fromStep: 0,
            svc: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
            node: process.versions.node,
            machine: { platform: process.platform, arch: process.arch, threads: null },
          },
        ],
      },
      adapter: { kind: 'final', step: 12 },
    });
    expect(JSON.stringify(manifest)).not.toContain(cloud.folder);
  });

  it('is the same for a job that is repeated, and another for other rows', async () => {
    const [one, same] = [await manifestOf(whole), await manifestOf(await train())];
    expect(same).toEqual({ ...one, jobId: same.jobId });
    const more = `${rows}\n${JSON.stringify({ text: 'one more' })}\n`;
    const other = await manifestOf(await train({ maxSteps: 1 }, more));
    expect(other.run!.data.training.digest).not.toBe(one.run!.data.training.digest);
  });
});

it('a job that has not started has no rows and no run', async () => {
  const idle = await openTestJobs(runner);
  onTestFinished(() => idle.close());
  const { id } = await idle.create();
  expect(await idle.json('GET', `/v1/jobs/${id}/rows`)).toEqual({
    rows: [],
    total: 0,
    recorded: 0,
    every: 1,
    nextCursor: null,
  });
  expect(await manifestOf(id, idle)).toMatchObject({ status: 'queued', run: null, adapter: null });
});
