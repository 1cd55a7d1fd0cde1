// A training run from a program's view: upload, request, callbacks in order, and possible outcomes.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type JobEvent, type JobInput } from '../../lib/contract/index.js';
import { eventStream } from '../../lib/http/index.js';
import { openSession, startRun, type TrainerOptions } from '../../lib/sdk/index.js';
import { createJob } from '../../lib/sdk/trainer/create-job.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';
import { createHastyClock } from '../support/hasty-clock.js';

const ID = '6f1f9f4e-4c54-4f7e-9a52-0d8a3c0b9d11';
const at = { jobId: ID, timestamp: '2026-01-01T00:00:00.000Z' };
const artifact = { name: 'final', kind: 'final', step: 2, bytes: 10, sha256: 'a'.repeat(64) } as const;
const started: JobEvent = {
  type: 'training.started',
  ...at,
  model: 'svc/tiny',
  dataset: 'rows.jsonl',
  totalSteps: 2,
  trainableParameters: 10,
  trainTokens: 10,
};
const log = (step: number): JobEvent => ({ type: 'training.log', ...at, step, loss: 1 / step });
const saved: JobEvent = { type: 'checkpoint.saved', ...at, step: 1, artifacts: [] };
const completed: JobEvent = {
  type: 'training.completed',
  ...at,
  artifacts: [artifact],
  metrics: { trainLoss: 0.5 },
};
const end = (status: 'completed' | 'failed' | 'cancelled'): JobEvent => ({ type: 'end', ...at, status });

let root: string;
let clock: ReturnType<typeof createHastyClock>;
let cloud: FakeCloud;
let uploads: { name: string; text: string }[];
let asked: unknown[];
let cancelled: number;
/** The job's event log; below, how many events a connection sends before it closes. */
let served: JobEvent[];
let limit = Number.POSITIVE_INFINITY;
/** How many chats to refuse before answering one. */
let refusals = 0;
/** How many job requests to cut off; below, the Idempotency-Keys of all of them. */
let cuts = 0;
let keys: (string | null)[];
/** How many job requests fail because the database is locked. */
let locks = 0;

function answerUnlessBusy<T>(answer: () => T): T {
  if (refusals-- > 0) throw new ApiError('engine_busy', 'The engine is busy.');
  return answer();
}

beforeEach(async () => {
  clock = createHastyClock();
  root = await mkdtemp(join(tmpdir(), 'svc-run-'));
  await mkdir(join(root, 'data'));
  [uploads, asked, served, cancelled, keys] = [[], [], [], 0, []];
  const job = { id: ID, name: 'x', status: 'queued', createdAt: at.timestamp, artifactCount: 0 };
  cloud = await startFakeCloud({
    uploadDataset: async ({ body, request }) => {
      uploads.push({ name: request.headers.get('x-filename'), text: await new Response(body).text() });
      return {
        dataset: { id: `d-${uploads.length}`, sha256: 'a'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' },
      };
    },
    createJob: ({ body, request, idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (cuts-- > 0) request.runtime.node.res.destroy();
      if (locks-- > 0) throw new ApiError('storage_unavailable', 'It is locked. This usually passes.');
      asked.push(body);
      return { job };
    },
    cancelJob: () => {
      cancelled++;
      return { job };
    },
    streamJobEvents: ({ request }) => {
      const after = Number(request.headers.get('last-event-id') ?? 0);
      return eventStream(async ({ send }) => {
        for (const [i, event] of served.slice(after, after + limit).entries())
          await send({ id: after + i + 1, event: event.type, data: JSON.stringify(event) });
      });
    },
    chat: ({ body }) =>
      answerUnlessBusy(() => {
        const common = { id: 'chatcmpl-1', created: 1, model: JSON.stringify(body.adapter) };
        return body.stream ? streamWords(common) : toCompletion(common);
      }),
  });
});
afterEach(async () => {
  limit = Number.POSITIVE_INFINITY;
  locks = 0;
  await cloud.close();
  await rm(root, { recursive: true, force: true });
});

const toCompletion = (common: object) => ({
  ...common,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'hi' }, logprobs: null, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const streamWords = (common: object) =>
  eventStream(async ({ send }) => {
    for (const content of ['h', 'i']) {
      const choices = [{ index: 0, delta: { content }, finish_reason: null }];
      await send({ data: JSON.stringify({ ...common, object: 'chat.completion.chunk', choices }) });
    }
    await send({ data: '[DONE]' });
  });

const session = () =>
  openSession({ folder: root, env: { SVC_HOME: join(root, 'home'), SVC_CLOUD_URL: cloud.url }, clock });
const rows = { type: 'rows', rows: [{ prompt: 'a', completion: 'b' }] } as const;
const start = (options: Partial<TrainerOptions> = {}) =>
  startRun({ name: 'x', dataset: rows, ...options }, session());

describe('starting a run', () => {
  it("creates a job for the uploaded rows with the cloud's base model", async () => {
    await start({ maxSteps: 2 });
    expect(uploads).toEqual([{ name: 'rows.jsonl', text: '{"prompt":"a","completion":"b"}\n' }]);
    expect(asked).toEqual([
      {
        name: 'x',
        config: { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'd-1' }, maxSteps: 2 },
      },
    ]);
  });

  it('repeats the request with one key until there is an answer', async () => {
    // More than the client's own retries, since the local cloud may have to be restarted.
    cuts = 5;
    expect((await start()).job.id).toBe(ID);
    expect(keys).toHaveLength(6);
    expect(new Set(keys).size).toBe(1);
  });

  it("repeats the request with that key while the cloud's storage is unavailable, and reports this once", async () => {
    locks = 2;
    const told: string[] = [];
    const { job } = await startRun({ name: 'x', dataset: rows }, session(), {
      onStorageWait: problem => told.push(problem),
    });
    expect(job.id).toBe(ID);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(told).toEqual(['It is locked. This usually passes.']);
  });

  it('stops repeating the request after a minute', async () => {
    locks = Number.POSITIVE_INFINITY;
    const input: JobInput = {
      name: 'x',
      config: { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'd-1' } },
    };
    await expect(createJob(input, session())).rejects.toMatchObject({
      code: 'storage_unavailable',
      message: 'It is locked. This usually passes.',
    });
    expect([keys.length, new Set(keys).size]).toEqual([clock.slept.length + 1, 1]);
    const waited = clock.elapsed();
    expect(waited).toBeGreaterThanOrEqual(60_000);
    expect(waited).toBeLessThan(64_000);
  });

  it('uploads files with their names, and passes on sources that the cloud can load itself', async () => {
    await writeFile(join(root, 'data', 'träin.jsonl'), '{"text":"a"}\n');
    const evalDataset = { type: 'huggingface', name: 'a/b', split: 'test' } as const;
    await start({ dataset: { type: 'file', path: 'data/träin.jsonl' }, evalDataset });
    expect(uploads).toEqual([{ name: encodeURIComponent('träin.jsonl'), text: '{"text":"a"}\n' }]);
    expect(asked).toMatchObject([{ config: { evalDatasetSource: evalDataset } }]);
  });

  it('rejects and creates no job when the file is missing', async () => {
    const run = start({ dataset: { type: 'file', path: 'data/none.jsonl' } });
    await expect(run).rejects.toMatchObject({
      code: 'dataset_invalid',
      message: expect.stringContaining('does not exist'),
    });
    expect(asked).toEqual([]);
  });
});

describe('waiting for a run', () => {
  it('awaits the callback of each event in order, and returns the result', async () => {
    served = [started, log(1), saved, log(2), completed, end('completed')];
    const told: string[] = [];
    const tell = (what: string) => async () => {
      await clock.sleep(2000);
      told.push(what);
    };
    const run = await start({
      callbacks: {
        onStarted: tell('started'),
        onLog: ({ step }) => tell(`log ${step}`)(),
        onCheckpoint: async ({ step, adapter, infer }) => {
          const { model } = await infer({ messages: [{ role: 'user', content: 'hi' }] });
          told.push(`checkpoint ${step} ${JSON.parse(model).step} ${adapter.kind}`);
        },
        onCompleted: ({ adapter }) => tell(`completed ${adapter.kind}`)(),
        onFailed: tell('failed'),
      },
    });
    expect(await run.wait()).toEqual({
      jobId: ID,
      status: 'completed',
      artifacts: [artifact],
      metrics: { trainLoss: 0.5 },
    });
    expect(told).toEqual(['started', 'log 1', 'checkpoint 1 1 checkpoint', 'log 2', 'completed final']);
  });

  it("lets a checkpoint's callback stream an answer of that checkpoint, and cancel the training", async () => {
    served = [started, log(1), saved, end('cancelled')];
    const told: string[] = [];
    const run = await start({
      callbacks: {
        onCheckpoint: async ({ infer, cancel }) => {
          const chunks = infer({ messages: [{ role: 'user', content: 'hi' }], stream: true });
          for await (const { model, choices } of chunks) told.push(model, choices[0]!.delta.content!);
          await cancel();
        },
      },
    });
    expect(await run.wait()).toEqual({ jobId: ID, status: 'cancelled' });
    const checkpoint = JSON.stringify({ kind: 'checkpoint', jobId: ID, step: 1 });
    expect(told).toEqual([checkpoint, 'h', checkpoint, 'i']);
    expect(cancelled).toBe(1);
  });

  it("retries a callback's inference while the engine is busy", async () => {
    served = [started, completed, end('completed')];
    refusals = 3;
    const answers: (string | null | undefined)[] = [];
    const run = await start({
      callbacks: {
        onCompleted: async ({ infer }) => {
          const asking = Array.from({ length: 3 }, () =>
            infer({ messages: [{ role: 'user', content: 'hi' }] }),
          );
          for (const { choices } of await Promise.all(asking)) answers.push(choices[0]?.message.content);
        },
      },
    });
    expect(await run.wait()).toMatchObject({ status: 'completed' });
    expect(answers).toEqual(['hi', 'hi', 'hi']);
  });

  it('reconnects after dropped connections, with each event once', async () => {
    served = [started, log(1), log(2), completed, end('completed')];
    limit = 2;
    const steps: number[] = [];
    const run = await start({ callbacks: { onLog: ({ step }) => void steps.push(step) } });
    expect(await run.wait()).toMatchObject({ status: 'completed' });
    expect(steps).toEqual([1, 2]);
  });

  it("rejects with a callback's error, and does not cancel the job", async () => {
    served = [started, log(1), completed, end('completed')];
    const run = await start({
      callbacks: {
        onLog: () => {
          throw new Error('my own');
        },
      },
    });
    await expect(run.wait()).rejects.toThrow('my own');
    expect(cancelled).toBe(0);
  });

  it('returns a failure with its error, and a cancellation', async () => {
    served = [started, { type: 'training.failed', ...at, error: 'No memory.' }, end('failed')];
    const failures: string[] = [];
    const run = await start({ callbacks: { onFailed: ({ error }) => void failures.push(error) } });
    expect(await run.wait()).toEqual({ jobId: ID, status: 'failed', error: 'No memory.' });
    expect(failures).toEqual(['No memory.']);
    served = [started, end('cancelled')];
    expect(await (await start()).wait()).toEqual({ jobId: ID, status: 'cancelled' });
  });

  it('cancels the job when its signal is aborted, and rejects with the reason', async () => {
    served = [started, log(1), log(2), end('cancelled')];
    const aborter = new AbortController();
    const run = await start({
      abortSignal: aborter.signal,
      callbacks: { onLog: ({ step }) => void (step === 1 && aborter.abort(new Error('enough'))) },
    });
    await expect(run.wait()).rejects.toThrow('enough');
    expect(cancelled).toBe(1);
  });
});
