// How rows get into a run: a small data set is read completely before training, a large one during training, with the
// same results.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openModel } from '../../../lib/engine/model/index.js';
import { prepareTraining, type TrainRequest } from '../../../lib/engine/train/prepare.js';
import type { PrepareOptions } from '../../../lib/engine/train/prepare-rows.js';
import type { TrainEvent } from '../../../lib/engine/train/train-event.js';
import { train } from '../../../lib/engine/train/trainer.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';

let modelFolder: string;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterAll(() => rm(modelFolder, { recursive: true, force: true }));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** So small that a few rows are a large data set. */
const LARGE: PrepareOptions['limits'] = {
  small: { rows: 4, bytes: 1000 },
  opening: { rows: 4, bytes: 1000 },
};

const chat = (i: number, question = 'say it', answer = `it is ${i}`) => ({
  messages: [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ],
});
const chats = (count: number) => Array.from({ length: count }, (_, i) => chat(i));
const long = 'and so on and on '.repeat(12);

interface Given extends Partial<Omit<TrainRequest, 'folder'>> {
  rows?: readonly object[];
  limits?: PrepareOptions['limits'];
  run?: string;
  onPreparing?: PrepareOptions['onPreparing'];
}

async function prepare({ rows = chats(30), limits, run = 'run', options, onPreparing, ...rest }: Given) {
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, rows.map(row => JSON.stringify(row)).join('\n'));
  const out = join(folder, run);
  await mkdir(out, { recursive: true });
  const request: TrainRequest = {
    modelFolder,
    modelName: 'tiny',
    source: { type: 'file', path },
    trainOn: 'assistant',
    options: { rank: 4, batchSize: 4, learningRate: 1e-2, maxSteps: 6, threads: 1, ...options },
    folder: out,
    cacheFolder: folder,
    ...rest,
  };
  return prepareTraining(request, { onPreparing, ...(limits && { limits }) });
}

async function runAll(
  given: Given,
  until: (event: TrainEvent) => boolean = () => false,
): Promise<TrainEvent[]> {
  const prepared = await prepare(given);
  const events: TrainEvent[] = [];
  try {
    for await (const event of train(prepared.job)) {
      events.push(event);
      if (until(event)) break;
    }
  } finally {
    prepared.close();
  }
  return events;
}

const losses = (events: readonly TrainEvent[]) =>
  events.flatMap(event => (event.type === 'log' ? [[event.step, event.loss, event.evalLoss]] : []));
const startedOf = (events: readonly TrainEvent[]) => events.find(event => event.type === 'started')!;
const preparingOf = (events: readonly TrainEvent[]) => events.findLast(event => event.type === 'preparing')!;
const adapterOf = (run: string) => readFile(join(folder, run, 'final', 'adapter_model.safetensors'));

describe('a large data set', () => {
  const options = { maxSteps: 12, evalSteps: 4, saveSteps: 4, dropout: 0.1 };
  const half = { evaluationFraction: 0.2, options };

  it('gives exactly the same losses as one that is read completely first', async () => {
    const whole = await runAll({ ...half, run: 'whole' });
    const streamed = await runAll({ ...half, limits: LARGE, run: 'streamed' });
    expect(losses(streamed)).toEqual(losses(whole));
    expect(await adapterOf('streamed')).toEqual(await adapterOf('whole'));
    expect(startedOf(whole)).toMatchObject({ totalSteps: 12, trainTokens: expect.any(Number) });
    expect(startedOf(streamed)).toMatchObject({ totalSteps: 12, trainTokens: null });
    expect(preparingOf(streamed)).toEqual({
      type: 'preparing',
      rows: 30,
      totalRows: 30,
      trainTokens: (startedOf(whole) as { trainTokens: number }).trainTokens,
    });
    expect(whole.some(({ type }) => type === 'preparing')).toBe(false);
  });

  it('resumes after a stop with the losses of an uninterrupted run', async () => {
    const rows = [...chats(24), chat(24, long), ...chats(5), chat(30, 'say it', long)];
    const given = { ...half, rows, limits: LARGE };
    const whole = await runAll({ ...given, run: 'whole' });
    await runAll({ ...given, run: 'stopped' }, event => event.type === 'checkpoint' && event.step === 8);
    const resumed = await runAll({ ...given, run: 'stopped' });
    expect(startedOf(resumed)).toMatchObject({ resumedFromStep: 8 });
    expect(losses(resumed)).toEqual(losses(whole).slice(8));
    expect(await adapterOf('stopped')).toEqual(await adapterOf('whole'));
  });

  it.each<[string, PrepareOptions['limits']?]>([['small'], ['large', LARGE]])(
    'resumes with the evaluation rows that a %s one began with, or not at all',
    async (_, limits) => {
      const given = { ...half, ...(limits && { limits }), evaluationSplit: 'position' } as const;
      const whole = await runAll({ ...given, run: 'whole' });
      await runAll({ ...given, run: 'old' }, event => event.type === 'checkpoint' && event.step === 8);
      const { evaluationSplit: _rule, ...now } = given;
      await expect(runAll({ ...now, run: 'old' })).rejects.toThrow('another run');
      const resumed = await runAll({ ...given, run: 'old' });
      expect(losses(resumed)).toEqual(losses(whole).slice(8));
      expect(losses(whole)).not.toEqual(losses(await runAll({ ...now, run: 'new' })));
    },
  );

  it('has the digest of earlier versions where its evaluation rows are chosen as they were', async () => {
    const digestOf = async (given: Given) => {
      const { job, data, close } = await prepare({ limits: LARGE, ...given });
      close();
      return { digest: job.reader!.digest, data };
    };
    const { maxPositions: maxLength, vocabulary } = (await openModel(modelFolder)).config;
    const encoding = { trainOn: 'assistant', tooLong: 'truncate', maxLength, vocabulary };
    const digestBefore = (data: { digest: string }[], fraction: number) =>
      createHash('sha256')
        .update(JSON.stringify([data.map(({ digest }) => digest), encoding, fraction]))
        .digest('hex');
    const old = await digestOf({ evaluationFraction: 0.2, evaluationSplit: 'position' });
    expect(old.digest).toBe(digestBefore(old.data, 0.2));
    const whole = await digestOf({});
    expect(whole.digest).toBe(digestBefore(whole.data, 0));
    expect((await digestOf({ evaluationFraction: 0.2 })).digest).not.toBe(old.digest);
  });

  it('is not mistaken for another one with the same first rows', async () => {
    const given = { limits: LARGE, options: { saveSteps: 2 } };
    await runAll(given);
    const rows = [...chats(29), chat(30)];
    await expect(runAll({ ...given, rows })).rejects.toThrow('another run');
  });

  it('fails with the name of an invalid row, wherever it is', async () => {
    const rows = [...chats(29), { messages: [{ role: 'user', content: null }] }];
    const run = runAll({ rows, limits: LARGE, options: { maxSteps: 200 } });
    await expect(run).rejects.toThrow('rows.jsonl, row 30: messages[0] has the role user and no content');
  });

  it('fails before the first step if one of its first rows is invalid', async () => {
    const rows = [chat(0), { messages: [] }, ...chats(28)];
    await expect(prepare({ rows, limits: LARGE })).rejects.toThrow('rows.jsonl, row 2: messages is empty');
  });

  it('is read completely by a one-step trial', async () => {
    const { job, close } = await prepare({ limits: LARGE, options: { maxSteps: 1 } });
    const events: TrainEvent[] = [];
    for await (const event of train({ ...job, readsAllRows: true })) events.push(event);
    close();
    expect(preparingOf(events)).toMatchObject({ rows: 30, totalRows: 30 });
  });

  it('leaves no extra files behind', async () => {
    await runAll({ limits: LARGE, run: 'large' });
    await runAll({ run: 'small' });
    expect(await readdir(join(folder, 'large'))).toEqual(await readdir(join(folder, 'small')));
  });
});

it('reports from time to time how many rows have been found, and read before training starts', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000;
    return now;
  });
  const reported: unknown[] = [];
  const onPreparing: PrepareOptions['onPreparing'] = ({ rows, totalRows }) =>
    void reported.push([rows, totalRows]);
  (await prepare({ rows: chats(2500), onPreparing })).close();
  expect(reported).toEqual([
    [1000, null],
    [2000, null],
    [1, 2500],
    [1001, 2500],
    [2001, 2500],
  ]);
});

describe.each<[string, PrepareOptions['limits']?]>([['a small data set'], ['a large data set', LARGE]])(
  'rows that are too long, of %s',
  (_, limits) => {
    /** Of 8 rows, the third loses part of its answer and the sixth all of it. */
    const rows = [...chats(2), chat(2, 'say', long), ...chats(2), chat(5, long), ...chats(2)];
    const given = { rows, options: { maxLength: 64, maxSteps: 40 }, ...(limits && { limits }) };
    const lastOf = (events: readonly TrainEvent[]) =>
      (limits ? preparingOf(events) : startedOf(events)) as { tooLong?: object };
    const first = [
      { file: 'rows.jsonl', row: 3, tokens: expect.any(Number) },
      { file: 'rows.jsonl', row: 6, tokens: expect.any(Number) },
    ];

    it('are truncated, or skipped if nothing to learn is left, and are counted and named', async () => {
      const { tooLong } = lastOf(await runAll(given));
      expect(tooLong).toEqual({ maxLength: 64, truncated: 1, skipped: 1, first });
    });

    it('are named up to five, however many there are', async () => {
      const { tooLong } = lastOf(
        await runAll({ ...given, rows: [...chats(3), ...Array.from({ length: 7 }, () => chat(1, long))] }),
      );
      const named = [4, 5, 6, 7, 8].map(row => ({ file: 'rows.jsonl', row, tokens: expect.any(Number) }));
      expect(tooLong).toEqual({ maxLength: 64, truncated: 0, skipped: 7, first: named });
    });

    it('are skipped on request', async () => {
      const events = await runAll({ ...given, tooLong: 'skip' });
      expect(lastOf(events).tooLong).toEqual({ maxLength: 64, truncated: 0, skipped: 2, first });
      expect(events.at(-1)!.type).toBe('completed');
    });

    it('fail the job on request, naming the first one', async () => {
      await expect(runAll({ ...given, tooLong: 'error' })).rejects.toThrow(
        /^rows\.jsonl, row [36]: it has \d+ tokens, but the limit is 64/,
      );
    });

    it('are not mentioned if there are none', async () => {
      expect(lastOf(await runAll({ ...given, rows: chats(8) })).tooLong).toBeUndefined();
    });

    it('are counted among the evaluation rows, too', async () => {
      const path = join(folder, 'held.jsonl');
      await writeFile(path, [chat(0), chat(1, long)].map(row => JSON.stringify(row)).join('\n'));
      const evaluationSource = { type: 'file', path } as const;
      const events = await runAll({ ...given, rows: chats(8), evaluationSource });
      expect(lastOf(events).tooLong).toMatchObject({ skipped: 1, first: [{ file: 'held.jsonl', row: 2 }] });
      expect(losses(events).at(-1)![2]).toEqual(expect.any(Number));
    });

    it('are an error if there are no others', async () => {
      const run = runAll({ ...given, rows: Array.from({ length: 6 }, (_, i) => chat(i, long)) });
      await expect(run).rejects.toThrow(limits ? 'All rows are too long' : 'All 6 rows were skipped');
    });
  },
);
