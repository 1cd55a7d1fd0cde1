// What a job that trains for real records: the losses of its rows, with excerpts, and its manifest.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stageBackup } from '../../../lib/cloud/backup/make-backup.js';
import { createLocalRunner } from '../../../lib/cloud/host/local-parts.js';
import {
  type JobConfigInput,
  type RowLosses,
  type RunManifest,
  rowLosses,
  runManifest,
} from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { createScriptedRunner } from './scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from './test-jobs.js';

const ROWS = 24;
const answerOf = (i: number) => `the answer is ${i}`;
const toMessages = (i: number) => [
  { role: 'user', content: `say ${i}` },
  { role: 'assistant', content: answerOf(i) },
];
const rows = Array.from({ length: ROWS }, (_, i) => JSON.stringify({ messages: toMessages(i) })).join('\n');
const lora = { loraR: 4, loraAlpha: 8 };
const config = { ...lora, batchSize: 8, learningRate: 1e-2, numTrainEpochs: 4, saveSteps: 3 };

let cloud: TestJobs;
/** One job, and one that held rows out. */
let whole: string;
let holding: string;
beforeAll(async () => {
  const modelFolder = await makeModelFolder();
  cloud = await openTestJobs(createLocalRunner(), { modelFolder });
  await cloud.jobs.start();
  whole = await train();
  holding = await train({ evalFraction: 0.25, seed: 7 });
  return async () => {
    await cloud.close();
    await rm(modelFolder, { recursive: true, force: true });
  };
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
      const said = { file: 'rows.jsonl', number: row + 1, prompt: `say ${row}`, answer: answerOf(row) };
      expect([text, visits, losses.length]).toEqual([said, 4, 4]);
      expect([losses[0]!.loss, losses.at(-1)!.loss]).toEqual([first, last]);
    }
    const first = await read(whole, '&limit=20');
    const second = await read(whole, `&limit=20&cursor=${first.nextCursor}`);
    expect([...first.rows, ...second.rows]).toEqual(all.rows);
    expect(second.nextCursor).toBeNull();
    expect((await cloud.call('GET', `/v1/jobs/${whole}/rows${scope}&limit=0`)).status).toBe(400);
  });

  it('can be only those of one step, whose losses make up its loss, or those whose loss rises', async () => {
    const log = (await cloud.events(whole)).find(event => event.type === 'training.log' && event.step === 5);
    const { rows: found, total } = await read(whole, '&step=5');
    expect(total).toBe(8);
    const labels = found.reduce((sum, row) => sum + row.labels, 0);
    const mean = found.reduce((sum, row) => sum + row.labels * row.inStep!, 0) / labels;
    expect(mean).toBeCloseTo((log as { loss: number }).loss, 5);
    const losses = found.map(({ inStep }) => inStep!);
    expect(losses).toEqual(losses.toSorted((a, b) => b - a));
    const rises = ({ first, last }: RowLosses['rows'][number]) => last > first;
    const rising = await read(whole, '&rising=true&sort=rise');
    expect(rising.total).toBe((await read(whole)).rows.filter(rises).length);
    expect(rising.rows.every(rises)).toBe(true);
  });

  it('are numbered as in the data set, also if some are held out for evaluation', async () => {
    const { rows: found } = await read(holding);
    expect(new Set(found.map(({ row }) => row)).size).toBe(18);
    expect(found.map(({ text }) => text!.answer)).toEqual(found.map(({ row }) => answerOf(row)));
  });

  it('keep their losses when the data set’s file is gone', async () => {
    // Only the data set that was read last stays open.
    await read(holding);
    const [datasets, elsewhere] = [join(cloud.folder, 'datasets'), join(cloud.folder, 'elsewhere')];
    await rename(datasets, elsewhere);
    const { rows: found } = await read(whole);
    await rename(elsewhere, datasets);
    expect(found.map(({ text }) => text)).toEqual(Array.from({ length: ROWS }, () => null));
  });
});

describe('the files of a run', () => {
  it('are its record and its adapters, and nothing that only training needs', async () => {
    const files = await readdir(folderOf(whole), { recursive: true });
    const adapters = ['checkpoint-3', 'checkpoint-6', 'checkpoint-9', 'final'].flatMap(name =>
      ['', '/adapter_config.json', '/adapter_model.safetensors'].map(file => `adapters/${name}${file}`),
    );
    const state = ['SHA256SUMS', 'optimizer.safetensors', 'trainer_state.json'];
    adapters.push(...state.map(file => `adapters/final/${file}`));
    const record = ['attempt', 'row-losses.bin', 'run-manifest.json'];
    expect(files.sort()).toEqual(['adapters', ...adapters, ...record].sort());
  });

  it('name the data by its digest, are in backups, and are deleted with the job', async () => {
    const id = await train({ maxSteps: 1 }, `${rows}\n${JSON.stringify({ text: 'one more' })}\n`);
    const digests = [whole, holding, id].map(async one => (await manifestOf(one)).run!.data.training.digest);
    expect(new Set(await Promise.all(digests)).size).toBe(2);
    const { stage } = await stageBackup(cloud.folder, () => mkdtemp(join(cloud.folder, 'backup-')));
    for (const file of ['row-losses.bin', 'run-manifest.json', 'adapters/final/optimizer.safetensors'])
      expect(await readFile(join(stage, 'jobs', id, file))).toEqual(await readFile(join(folderOf(id), file)));
    await cloud.json('DELETE', `/v1/jobs/${id}`);
    expect(existsSync(folderOf(id))).toBe(false);
  });
});

describe('the manifest of a job', () => {
  it('says what the results depend on', async () => {
    const manifest = await manifestOf(holding);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const about = { jobId: holding, status: 'completed', model: { name: 'svc/tiny' }, seed: 7 };
    const machine = { platform: process.platform, arch: process.arch, threads: 1 };
    expect(manifest).toMatchObject({
      ...about,
      config: { evalFraction: 0.25, batchSize: 8 },
      run: {
        data: { training: { rows: ROWS, digest }, evaluation: null },
        weights: 'f32',
        options: { loraR: 4, seed: 7, learningRate: 1e-2 },
        environments: [{ fromStep: 0, svc: { digest }, node: process.versions.node, machine }],
      },
      adapter: { kind: 'final', step: 12 },
    });
    expect(JSON.stringify(manifest)).not.toContain(cloud.folder);
  });

  it('is the same for a job that is repeated', async () => {
    const [one, same] = [await manifestOf(whole), await manifestOf(await train())];
    expect(same).toEqual({ ...one, jobId: same.jobId });
  });
});

it('a job that has not started has no rows and no run', async () => {
  const idle = await openTestJobs(createScriptedRunner());
  onTestFinished(() => idle.close());
  const { id } = await idle.create();
  const nothing = { rows: [], total: 0, recorded: 0, every: 1, nextCursor: null, unrecorded: null };
  expect(await idle.json('GET', `/v1/jobs/${id}/rows`)).toEqual(nothing);
  expect(await manifestOf(id, idle)).toMatchObject({ status: 'queued', run: null, adapter: null });
});
