// A training run from a program's view: upload, request, callbacks in order, and possible outcomes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type JobEvent, type JobInput } from '../../lib/contract/index.js';
import { eventStream } from '../../lib/http/index.js';
import { startRun, type TrainerOptions } from '../../lib/sdk/index.js';
import { createJob } from '../../lib/sdk/trainer/run.js';
import { checkpoint, completed, ended, failed, log, started } from '../cli/support/job-events.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { JOB_ID, sampleJob } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openFakeCloud, openPromise, sessionIn, toCompletion } from './support.js';

const saved = checkpoint({ step: 1 });
const LOCKED = 'It is locked. This usually passes.';
const messages = [{ role: 'user', content: 'hi' }] as const;

let root: string;
let clock: ReturnType<typeof createHastyClock>;
let cloud: FakeCloud;
let uploads: { name: string; text: string }[];
let asked: unknown[];
/** The job's events, of which a connection sends two before it is cut. */
let served: JobEvent[];
/** The Idempotency-Keys of all requests for a job. */
let keys: (string | null)[];
/** How many of them are cut off, and fail because the database is locked; and how many chats are refused. */
let faults: { cuts: number; locks: number; refusals: number };

beforeEach(async () => {
  clock = createHastyClock();
  root = temporaryFolder('svc-run');
  [uploads, asked, served, keys] = [[], [], [], []];
  faults = { cuts: 0, locks: 0, refusals: 0 };
  const job = sampleJob({ status: 'queued' });
  cloud = await openFakeCloud({
    uploadDataset: async ({ body, request }) => {
      uploads.push({ name: request.headers.get('x-filename'), text: await new Response(body).text() });
      return { dataset: { id: 'd-1', sha256: 'a'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' } };
    },
    createJob: ({ body, request, idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (faults.cuts-- > 0) request.runtime.node.res.destroy();
      if (faults.locks-- > 0) throw new ApiError('storage_unavailable', LOCKED);
      asked.push(body);
      return { job };
    },
    cancelJob: () => ({ job }),
    streamJobEvents: ({ request }) => {
      const after = Number(request.headers.get('last-event-id') ?? 0);
      return eventStream(async ({ send }) => {
        for (const [i, event] of served.slice(after, after + 2).entries())
          await send({ id: after + i + 1, event: event.type, data: JSON.stringify(event) });
      });
    },
    chat: ({ body }) => {
      if (faults.refusals-- > 0) throw new ApiError('engine_busy', 'The engine is busy.');
      const common = { id: 'chatcmpl-1', created: 1, model: JSON.stringify(body.adapter) };
      return body.stream ? streamWords(common) : toCompletion('hi', common);
    },
  });
});

const cancellations = () => cloud.calls.filter(call => call.endsWith('/cancel')).length;

const streamWords = (common: object) =>
  eventStream(async ({ send }) => {
    for (const content of ['h', 'i']) {
      const choices = [{ index: 0, delta: { content }, finish_reason: null }];
      await send({ data: JSON.stringify({ ...common, object: 'chat.completion.chunk', choices }) });
    }
    await send({ data: '[DONE]' });
  });

const session = () => sessionIn(root, cloud, clock);
const rows = { type: 'rows', rows: [{ prompt: 'a', completion: 'b' }] } as const;
const start = (options: Partial<TrainerOptions> = {}, listeners: Parameters<typeof startRun>[2] = {}) =>
  startRun({ name: 'x', dataset: rows, ...options }, session(), listeners);
/** Starts a run that these events are told of, and waits for it. */
const waitFor = async (events: JobEvent[], callbacks: TrainerOptions['callbacks'] = {}) => {
  served = events;
  return (await start({ callbacks })).wait();
};

describe('starting a run', () => {
  const config = { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'd-1' } } as const;

  it("creates a job for the uploaded rows with the cloud's base model", async () => {
    await start({ maxSteps: 2 });
    expect(uploads).toEqual([{ name: 'rows.jsonl', text: '{"prompt":"a","completion":"b"}\n' }]);
    expect(asked).toEqual([{ name: 'x', config: { ...config, maxSteps: 2 } }]);
  });

  it.each([
    // More than the client's own retries, since the local cloud may have to be restarted.
    ['until there is an answer', { cuts: 5 }, 6, []],
    ["while the cloud's storage is unavailable, which is told once", { locks: 2 }, 3, [LOCKED]],
  ])('repeats the request with one key %s', async (_, wrong, times, expected) => {
    Object.assign(faults, wrong);
    const told: string[] = [];
    const { job } = await start({}, { onStorageWait: problem => told.push(problem) });
    expect([job.id, told]).toEqual([JOB_ID, expected]);
    expect([keys.length, new Set(keys).size]).toEqual([times, 1]);
  });

  it('stops repeating the request after a minute', async () => {
    faults.locks = Number.POSITIVE_INFINITY;
    const input: JobInput = { name: 'x', config };
    const fault = { code: 'storage_unavailable', message: LOCKED };
    await expect(createJob(input, session())).rejects.toMatchObject(fault);
    expect([keys.length, new Set(keys).size]).toEqual([clock.slept.length + 1, 1]);
    expect(clock.elapsed()).toBeGreaterThanOrEqual(60_000);
    expect(clock.elapsed()).toBeLessThan(64_000);
  });

  it('uploads files with their names, and passes on sources that the cloud can load itself', async () => {
    await writeFile(join(root, 'träin.jsonl'), '{"text":"a"}\n');
    const evalDataset = { type: 'huggingface', name: 'a/b', split: 'test' } as const;
    await start({ dataset: { type: 'file', path: 'träin.jsonl' }, evalDataset });
    expect(uploads).toEqual([{ name: encodeURIComponent('träin.jsonl'), text: '{"text":"a"}\n' }]);
    expect(asked).toMatchObject([{ config: { evalDatasetSource: evalDataset } }]);
  });

  it('rejects and names the row that JSON cannot hold', async () => {
    const run = start({ dataset: { type: 'rows', rows: [{ text: 'a' }, { text: 'b', id: 1n }] } });
    const message = 'Row 2 has what JSON cannot hold: Do not know how to serialize a BigInt.';
    await expect(run).rejects.toMatchObject({ code: 'dataset_invalid', message });
    expect(asked).toEqual([]);
  });

  it('rejects and creates no job when its signal is aborted while the data is checked', async () => {
    const aborter = new AbortController();
    const onReady = () => aborter.abort(new Error('enough'));
    await expect(start({ abortSignal: aborter.signal }, { onReady })).rejects.toThrow('enough');
    expect(asked).toEqual([]);
  });

  it('rejects and creates no job when the file is missing', async () => {
    const message = expect.stringContaining('does not exist');
    const run = start({ dataset: { type: 'file', path: 'none.jsonl' } });
    await expect(run).rejects.toMatchObject({ code: 'dataset_invalid', message });
    expect(asked).toEqual([]);
  });
});

describe('waiting for a run', () => {
  it('awaits the callback of each event, once and in order whatever is cut, and returns the result', async () => {
    const metrics = { trainLoss: 0.5 };
    const end = completed({ metrics });
    const told: string[] = [];
    const tell = (what: string) => async () => {
      await clock.sleep(2000);
      told.push(what);
    };
    const result = await waitFor([started(), log(), saved, log({ step: 2 }), end, ended()], {
      onStarted: tell('started'),
      onLog: ({ step }) => tell(`log ${step}`)(),
      onCheckpoint: async ({ step, adapter, infer }) => {
        const { model } = await infer({ messages: [...messages] });
        told.push(`checkpoint ${step} ${JSON.parse(model).step} ${adapter.kind}`);
      },
      onCompleted: ({ adapter }) => tell(`completed ${adapter.kind}`)(),
      onFailed: tell('failed'),
    });
    const { artifacts } = end as Extract<JobEvent, { type: 'training.completed' }>;
    expect(result).toEqual({ jobId: JOB_ID, status: 'completed', artifacts, metrics });
    expect(told).toEqual(['started', 'log 1', 'checkpoint 1 1 checkpoint', 'log 2', 'completed final']);
  });

  it("lets a checkpoint's callback stream an answer of that checkpoint, and cancel the training", async () => {
    const told: string[] = [];
    const result = await waitFor([started(), log(), saved, ended('cancelled')], {
      onCheckpoint: async ({ infer, cancel }) => {
        const chunks = infer({ messages: [...messages], stream: true });
        for await (const { model, choices } of chunks) told.push(model, choices[0]!.delta.content!);
        await cancel();
      },
    });
    expect(result).toEqual({ jobId: JOB_ID, status: 'cancelled' });
    const adapter = JSON.stringify({ kind: 'checkpoint', jobId: JOB_ID, step: 1 });
    expect(told).toEqual([adapter, 'h', adapter, 'i']);
    expect(cancellations()).toBe(1);
  });

  it("retries a callback's inference while the engine is busy", async () => {
    faults.refusals = 3;
    const answers: (string | null | undefined)[] = [];
    const result = await waitFor([started(), completed(), ended()], {
      onCompleted: async ({ infer }) => {
        const asking = [1, 2, 3].map(() => infer({ messages: [...messages] }));
        for (const { choices } of await Promise.all(asking)) answers.push(choices[0]?.message.content);
      },
    });
    expect(result).toMatchObject({ status: 'completed' });
    expect(answers).toEqual(['hi', 'hi', 'hi']);
  });

  it("rejects with a callback's error, and does not cancel the job", async () => {
    const onLog = () => {
      throw new Error('my own');
    };
    await expect(waitFor([started(), log(), completed(), ended()], { onLog })).rejects.toThrow('my own');
    expect(cancellations()).toBe(0);
  });

  it('returns a failure with its error, and a cancellation', async () => {
    const failures: string[] = [];
    const failure = [started(), failed({ error: 'No memory.' }), ended('failed')];
    const result = await waitFor(failure, { onFailed: ({ error }) => void failures.push(error) });
    expect(result).toEqual({ jobId: JOB_ID, status: 'failed', error: 'No memory.' });
    expect(failures).toEqual(['No memory.']);
    expect(await waitFor([started(), ended('cancelled')])).toEqual({ jobId: JOB_ID, status: 'cancelled' });
  });

  it('cancels the job when its signal is aborted, and rejects with the reason', async () => {
    served = [started(), log(), log({ step: 2 }), ended('cancelled')];
    const aborter = new AbortController();
    const run = await start({
      abortSignal: aborter.signal,
      callbacks: { onLog: ({ step }) => void (step === 1 && aborter.abort(new Error('enough'))) },
    });
    await expect(run.wait()).rejects.toThrow('enough');
    expect(cancellations()).toBe(1);
  });

  it('leaves an eval that hangs when its signal is aborted after the job has ended', async () => {
    served = [started(), completed(), ended()];
    const aborter = new AbortController();
    const hasEnded = openPromise();
    const run = await start(
      { abortSignal: aborter.signal, evals: { hangs: () => new Promise<number>(() => {}) } },
      { onEvent: ({ type }) => type === 'end' && hasEnded.resolve() },
    );
    const end = run.wait();
    await hasEnded.promise;
    // The stream is closed.
    await setImmediate();
    aborter.abort(new Error('enough'));
    await expect(end).rejects.toThrow('enough');
  });
});
