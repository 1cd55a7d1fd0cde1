// POST /v1/data/preview: what a job would train on, with the figures of the job that then does.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLocalRunner } from '../../../lib/cloud/host/local-parts.js';
import type { Db } from '../../../lib/cloud/store/db.js';
import { type DataPreview, dataPreview, NO_CHAT_TEMPLATE } from '../../../lib/contract/index.js';
import type { EngineEvent } from '../../../lib/engine/index.js';
import { startServer } from '../../engine/train/data/web-server.js';
import { createGate } from '../../http/support/routes.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { createScriptedRunner } from './scripted-runner.js';
import { MODEL, openTestJobs, scope, type TestJobs } from './test-jobs.js';

const rows = [
  ...Array.from({ length: 30 }, (_, i) => ({ instruction: `say ${i}`, input: '', output: `it is ${i * i}` })),
  { instruction: 'say 3', input: '', output: 'it is 9' },
  { instruction: 'say more', input: '', output: 'and so on '.repeat(80) },
];
const pairs = Array.from({ length: 24 }, (_, i) => ({
  prompt: `say ${i}`,
  chosen: 'yes, sure',
  rejected: 'no',
}));

let cloud: TestJobs;
let datasetSource: { type: 'upload'; datasetId: string };
beforeAll(async () => {
  const modelFolder = await makeModelFolder();
  cloud = await openTestJobs(createLocalRunner(), { modelFolder });
  datasetSource = await upload(rows);
  return async () => {
    await cloud.close();
    await rm(modelFolder, { recursive: true, force: true });
  };
});

async function upload(list: readonly object[]) {
  const datasetId = await cloud.upload(list.map(row => JSON.stringify(row)).join('\n'));
  return { type: 'upload', datasetId } as const;
}

const learned = { maxLength: 128, batchSize: 8, loraR: 2, numTrainEpochs: 1, saveSteps: 100 };
const options = { ...learned, evalFraction: 0.1 };

async function preview(body: object): Promise<DataPreview> {
  const config = { model: MODEL, datasetSource, ...options };
  return dataPreview.parse(await cloud.json('POST', '/v1/data/preview', { config, ...body })) as DataPreview;
}

describe('the preview of a data set', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('has the figures of the job that then trains on it', async () => {
    const { report } = await preview({});
    await cloud.jobs.start();
    const { id } = await cloud.create({ ...options, datasetSource });
    await cloud.until(id, 'completed');
    const started = (await cloud.events(id)).find(({ type }) => type === 'training.started');
    const { training, totalSteps } = report;
    expect(started).toMatchObject({ trainTokens: training.learned, totalSteps });
    expect(report.formats).toEqual([{ name: 'Alpaca', rows: 32 }]);
    expect(report.findings).toContainEqual(expect.objectContaining({ name: 'cut', rows: 1 }));
  });

  it('lists rows page by page, by finding, and token by token', async () => {
    const first = await preview({ limit: 20 });
    expect([first.rows.length, first.total, first.nextCursor]).toEqual([20, 32, '20']);
    const second = await preview({ limit: 20, cursor: '20' });
    expect([second.rows.length, second.nextCursor]).toEqual([12, null]);
    const about = { row: 20, number: 21, prompt: 'say 20', answer: 'it is 400', views: [] };
    expect(second.rows[0]).toMatchObject(about);
    const cut = await preview({ finding: 'cut', tokens: true });
    expect(cut.rows.map(({ number }) => number)).toEqual([32]);
    expect(cut.rows[0]!.views[0]!.tokens.some(({ kind }) => kind === 'cut')).toBe(true);
    expect((await preview({ row: 31 })).rows).toMatchObject([{ number: 31, findings: [expect.any(String)] }]);
  });

  it('fetches a URL for each first page, whose rows the requests after it show', async () => {
    let served = 1;
    const server = await startServer((_, response) =>
      response.setHeader('content-type', 'application/jsonl').end(
        rows
          .slice(0, served)
          .map(row => JSON.stringify(row))
          .join('\n'),
      ),
    );
    const config = {
      model: MODEL,
      datasetSource: { type: 'blob', url: `${server.url}/rows.jsonl` },
      ...learned,
    };
    const ask = async (query: object = {}) => {
      const { report } = await preview({ config, ...query });
      return [report.rows, server.requests.length];
    };
    expect(await ask()).toEqual([1, 1]);
    served = 2;
    for (const query of [{}, { row: 1 }, { finding: 'cut' }, { measure: true, limit: 1 }])
      expect(await ask({ cursor: '0', ...query })).toEqual([1, 1]);
    expect(await ask({ finding: 'cut' })).toEqual([2, 2]);
    expect(await ask({ cursor: '1' })).toEqual([2, 2]);
    await rm(join(cloud.folder, 'downloads'), { recursive: true });
    expect(await ask({ cursor: '1' })).toEqual([2, 3]);
  });

  it('measures a few steps on request, and leaves no job', async () => {
    const before = await cloud.json('GET', '/v1/jobs');
    const { measurement } = await preview({ measure: true, limit: 0 });
    expect(measurement!.steps).toBeGreaterThan(1);
    expect(measurement!.tokensPerSecond).toBeGreaterThan(0);
    expect(measurement!.seconds).toBeGreaterThan(0);
    expect(measurement!.memory).toBeGreaterThan(10_000_000);
    expect(await cloud.json('GET', '/v1/jobs')).toEqual(before);
  });

  it('measures a run that learns preferences', async () => {
    const method = { type: 'dpo', beta: 0.1, sftWeight: 0.5 };
    const given = { model: MODEL, datasetSource: await upload(pairs), method };
    for (const how of [learned, options]) {
      const { measurement } = await preview({ config: { ...given, ...how }, measure: true, limit: 0 });
      expect(measurement!.steps).toBeGreaterThan(1);
    }
  });
});

describe('a measurement', () => {
  /** Each measured run learns 100 tokens a second, and ends once `release` is called. `hooks.onJobs` is awaited when jobs were read. */
  async function openMeter() {
    const { opened, open: release } = createGate();
    const hooks = { onJobs: async () => {} };
    const measure = vi.fn((_: unknown, onEvent: (event: EngineEvent) => void) => {
      const about = { jobId: 'measure', timestamp: new Date(0).toISOString() };
      onEvent({
        ...about,
        type: 'training.log',
        step: 1,
        epoch: 0,
        loss: 1,
        tokensPerSecond: 100,
      } as EngineEvent);
      return { ended: opened.then(() => ({ status: 'completed' as const })), kill: release };
    });
    const ofJobs = new WeakSet<object>();
    const watch: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (JSON.stringify(node).includes('"jobs"')) ofJobs.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (ofJobs.has(queryId)) await hooks.onJobs();
        return result;
      },
    };
    const wrapDb = (db: Db) => db.withPlugin(watch);
    const modelFolder = await makeModelFolder();
    const own = await openTestJobs({ ...createScriptedRunner(), measure }, { modelFolder, wrapDb });
    onTestFinished(async () => {
      release();
      await own.close();
      await rm(modelFolder, { recursive: true, force: true });
    });
    const source = { type: 'upload', datasetId: await own.upload(JSON.stringify(rows[0])) };
    const config = { model: MODEL, datasetSource: source, ...learned };
    const ask = (init: RequestInit = {}) =>
      own.fetch(
        new Request(`http://localhost/v1/data/preview${scope}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ config, measure: true }),
          ...init,
        }),
      );
    return { ask, config, measure, release, hooks };
  }

  it('counts the rows of earlier runs among those of the run, unless its steps are given', async () => {
    const { ask, config, release } = await openMeter();
    release();
    const measureWith = async (changes: object) => {
      const response = await ask({
        body: JSON.stringify({ config: { ...config, batchSize: 1, ...changes }, measure: true }),
      });
      const { measurement, report } = (await response.json()) as DataPreview;
      return { ...measurement!, totalSteps: report.totalSteps };
    };
    const from = { jobId: crypto.randomUUID(), kind: 'final' };
    const [alone, half, most] = [
      await measureWith({ from }),
      await measureWith({ from, replay: 0.5 }),
      await measureWith({ from, replay: 0.75 }),
    ];
    expect(alone.seconds).toBeGreaterThan(0);
    expect([half.seconds, most.seconds]).toEqual([2 * alone.seconds, 4 * alone.seconds]);
    expect([half.totalSteps, most.totalSteps]).toEqual([2 * alone.totalSteps, 4 * alone.totalSteps]);
    expect([half.secondsPerStep, most.secondsPerStep]).toEqual([alone.secondsPerStep, alone.secondsPerStep]);
    expect(await measureWith({ from, replay: 0.5, maxSteps: 1 })).toEqual(alone);
  });

  it('is one at a time', async () => {
    const { ask, measure, release, hooks } = await openMeter();
    const read = createGate();
    hooks.onJobs = () => read.opened;
    const asked = [ask(), ask()];
    const refused = await Promise.race(asked);
    expect(await refused.json()).toMatchObject({ error: { code: 'engine_busy' } });
    read.open();
    release();
    expect((await Promise.all(asked)).filter(({ ok }) => ok)).toHaveLength(1);
    expect(measure).toHaveBeenCalledTimes(1);
  });

  it('works again after one that could not begin', async () => {
    const { ask, release, hooks } = await openMeter();
    hooks.onJobs = async () => {
      for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, import.meta.filename);
    };
    const failed = await ask().finally(() => vi.unstubAllEnvs());
    hooks.onJobs = async () => {};
    expect(failed.status).toBe(500);
    release();
    expect((await ask()).status).toBe(200);
  });

  it('does not begin for a caller who has left', async () => {
    const { ask, measure, hooks } = await openMeter();
    const aborter = new AbortController();
    hooks.onJobs = async () => aborter.abort();
    await ask({ signal: aborter.signal });
    expect([aborter.signal.aborted, measure.mock.calls]).toEqual([true, []]);
  });
});

it('of messages, for a model without a chat template, is one error, and so is the job', async () => {
  const modelFolder = await makeModelFolder({ 'tokenizer_config.json': { eos_token: '<|endoftext|>' } });
  const own = await openTestJobs(createLocalRunner(), { modelFolder });
  onTestFinished(async () => {
    await own.close();
    await rm(modelFolder, { recursive: true, force: true });
  });
  const put = async (row: object) => ({ type: 'upload', datasetId: await own.upload(JSON.stringify(row)) });
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
  ];
  const ask = async (datasetSource: object) => {
    const config = { model: MODEL, datasetSource, ...learned };
    return (await own.call('POST', '/v1/data/preview', { config })).json();
  };
  const source = await put({ messages });
  expect(await ask(source)).toMatchObject({ error: { code: 'dataset_invalid', message: NO_CHAT_TEMPLATE } });
  const report = { findings: [], formats: [{ name: 'prompt and completion', rows: 1 }] };
  expect(await ask(await put({ prompt: 'hi ', completion: 'hello' }))).toMatchObject({ report });
  await own.jobs.start();
  const { id } = await own.create({ ...learned, datasetSource: source } as never);
  expect((await own.until(id, 'failed')).error).toBe(NO_CHAT_TEMPLATE);
});
