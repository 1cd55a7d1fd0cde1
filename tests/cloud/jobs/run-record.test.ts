// What a job that trains for real records: the losses of its rows, with excerpts, and its manifest.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/stage.js';
import { createLocalRunner } from '../../../lib/cloud/jobs/local-runner.js';
import {
  type JobConfigInput,
  type RowLosses,
  type RunManifest,
  rowLosses,
  runManifest,
} from '../../../lib/contract/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
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

let modelFolder: string;
let cloud: TestJobs;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
beforeEach(async () => {
  cloud = await openTestJobs(createLocalRunner(), { modelFolder });
});
afterEach(() => cloud.close());
afterAll(() => rm(modelFolder, { recursive: true, force: true }));

async function train(more: Partial<JobConfigInput> = {}): Promise<string> {
  const datasetId = await cloud.upload(rows);
  await cloud.jobs.start();
  const { id } = await cloud.create({ ...config, datasetSource: { type: 'upload', datasetId }, ...more });
  await cloud.until(id, 'completed');
  return id;
}

const read = async (id: string, query = '') =>
  rowLosses.parse(await cloud.json('GET', `/v1/jobs/${id}/rows${scope}${query}`)) as RowLosses;

describe('the rows of a job', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('are listed worst first, page by page, with what they say', async () => {
    const id = await train();
    const all = await read(id);
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
    const first = await read(id, '&limit=20');
    const second = await read(id, `&limit=20&cursor=${first.nextCursor}`);
    expect([...first.rows, ...second.rows]).toEqual(all.rows);
    expect(second.nextCursor).toBeNull();
  });

  it('can be only those of one step, whose losses make up its loss', async () => {
    const id = await train();
    const log = (await cloud.events(id)).find(event => event.type === 'training.log' && event.step === 5);
    const { rows: found, total } = await read(id, '&step=5');
    expect(total).toBe(8);
    const labels = found.reduce((sum, row) => sum + row.labels, 0);
    const mean = found.reduce((sum, row) => sum + row.labels * row.inStep!, 0) / labels;
    expect(mean).toBeCloseTo((log as { loss: number }).loss, 5);
    const losses = found.map(({ inStep }) => inStep!);
    expect(losses).toEqual(losses.toSorted((a, b) => b - a));
  });

  it('can be only those whose loss rises', async () => {
    const id = await train();
    const all = await read(id);
    const rising = await read(id, '&rising=true&sort=rise');
    expect(rising.total).toBe(all.rows.filter(({ first, last }) => last > first).length);
    expect(rising.rows.every(({ first, last }) => last > first)).toBe(true);
  });

  it('are numbered as in the data set, also if some are held out for evaluation', async () => {
    const id = await train({ evalFraction: 0.25 });
    const { rows: found } = await read(id);
    expect(found).toHaveLength(18);
    for (const { row, text } of found) expect(text!.answer).toBe(answerOf(row));
    expect(new Set(found.map(({ row }) => row)).size).toBe(18);
  });

  it('are empty for a job that has not trained, and not there for other projects', async () => {
    const { id } = await cloud.create();
    expect(await read(id)).toEqual({ rows: [], total: 0, recorded: 0, every: 1, nextCursor: null });
    const other = await cloud.call('GET', `/v1/jobs/${id}/rows?orgSlug=org-b&projectSlug=one`);
    expect([other.status, ((await other.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      'job_not_found',
    ]);
    expect((await cloud.call('GET', `/v1/jobs/${id}/rows${scope}&limit=0`)).status).toBe(400);
  });

  it('keep their losses when the data set’s file is gone', async () => {
    const id = await train();
    await rm(join(cloud.folder, 'datasets'), { recursive: true });
    const { rows: found } = await read(id);
    expect(found).toHaveLength(ROWS);
    expect(found.every(({ text }) => text === null)).toBe(true);
  });
});

describe('the files of a run', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('are in backups, and deleted with the job', async () => {
    const id = await train();
    const folder = join(cloud.folder, 'jobs', id);
    const files = ['row-losses.bin', 'run-manifest.json'];
    const { stage } = await stageBackup(cloud.folder, () => mkdtemp(join(cloud.folder, 'backup-')));
    for (const file of files)
      expect(await readFile(join(stage, 'jobs', id, file))).toEqual(await readFile(join(folder, file)));
    await cloud.json('DELETE', `/v1/jobs/${id}`);
    expect(existsSync(folder)).toBe(false);
  });

  it('are the same after kill -9 of the trainer', async () => {
    const whole = await train();
    const losses = (id: string) => readFile(join(cloud.folder, 'jobs', id, 'row-losses.bin'));
    const expected = await losses(whole);
    await cloud.close();
    let isDone = false;
    const local = createLocalRunner();
    cloud = await openTestJobs(
      {
        start(document, desk) {
          const run = local.start(document, {
            ...desk,
            record(event) {
              if (!isDone && event.type === 'training.log' && event.step === 5) {
                isDone = true;
                process.kill(run.pid, 'SIGKILL');
              }
              return desk.record(event);
            },
          });
          return run;
        },
      },
      { modelFolder },
    );
    const id = await train();
    expect((await cloud.events(id)).filter(({ type }) => type === 'training.started')).toHaveLength(2);
    expect(await losses(id)).toEqual(expected);
  });
});

describe('the manifest of a job', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const manifestOf = async (id: string): Promise<RunManifest> => {
    const { manifest } = await cloud.json<{ manifest: unknown }>('GET', `/v1/jobs/${id}/manifest`);
    return runManifest.parse(manifest) as RunManifest;
  };

  it('says what the results depend on', async () => {
    const id = await train({ evalFraction: 0.25, seed: 7 });
    const manifest = await manifestOf(id);
    expect(manifest).toMatchObject({
      jobId: id,
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
    const [one, same] = [await manifestOf(await train()), await manifestOf(await train())];
    expect(same).toEqual({ ...one, jobId: same.jobId });
    const datasetId = await cloud.upload(`${rows}\n${JSON.stringify({ text: 'one more' })}\n`);
    const other = await manifestOf(await train({ datasetSource: { type: 'upload', datasetId } }));
    expect(other.run!.data.training.digest).not.toBe(one.run!.data.training.digest);
  });

  it('has no run before the job has started', async () => {
    const { id } = await cloud.create();
    expect(await manifestOf(id)).toMatchObject({ status: 'queued', run: null, adapter: null });
  });
});
