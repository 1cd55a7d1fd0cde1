import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import { prepareTraining, type TrainRequest } from '../../../lib/engine/train/prepare.js';
import type { PrepareOptions } from '../../../lib/engine/train/prepare-rows.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { startHub } from './data/hub-server.js';
import {
  chat,
  isSaved,
  LARGE,
  lossesOf,
  prepareAndRun,
  readFinal,
  run,
  SIZES,
  trainRequest,
  writeRows,
} from './support.js';

const modelFolder = await tinyModel();
const line = '{"text":"hello"}\n';
const hub = await startHub({
  'ann/rows': { files: { 'train.jsonl': line.repeat(2), 'test.jsonl': line.repeat(3) } },
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const say = (i: number, question = 'say it', answer = `it is ${i}`) => chat(question, answer);
const chats = (count: number) => Array.from({ length: count }, (_, i) => say(i));
const long = 'and so on and on '.repeat(12);

interface Given extends Partial<Omit<TrainRequest, 'folder' | 'options'>> {
  options?: Partial<TrainOptions>;
  rows?: readonly object[];
  name?: string;
}

const request = ({ rows = chats(30), name = 'run', options, ...rest }: Given) =>
  trainRequest(folder, name, rows, {
    modelFolder,
    options: { loraR: 4, batchSize: 4, learningRate: 1e-2, maxSteps: 6, threads: 1, ...options },
    ...rest,
  });

const start = async (given: Given, size: PrepareOptions = LARGE, isLast?: (event: TrainEvent) => boolean) =>
  prepareAndRun(await request(given), size, isLast);

const startedOf = (events: readonly TrainEvent[]) => events.find(event => event.type === 'started')!;
const preparingOf = (events: readonly TrainEvent[]) => events.findLast(event => event.type === 'preparing')!;
const adapterOf = (name: string) => readFinal(folder, name);

describe('a large data set', () => {
  const half = {
    evaluationFraction: 0.2,
    options: { maxSteps: 12, evalSteps: 4, saveSteps: 4, loraDropout: 0.1 },
  };

  it('gives exactly the same losses as one that is read completely first', async () => {
    const whole = await start({ ...half, name: 'whole' }, {});
    const streamed = await start({ ...half, name: 'streamed' });
    expect(lossesOf(streamed)).toEqual(lossesOf(whole));
    expect(await adapterOf('streamed')).toEqual(await adapterOf('whole'));
    const { trainTokens } = startedOf(whole) as { trainTokens: number };
    expect(startedOf(whole)).toMatchObject({ totalSteps: 12, trainTokens: expect.any(Number) });
    expect(startedOf(streamed)).toMatchObject({ totalSteps: 12, trainTokens: null });
    expect(preparingOf(streamed)).toEqual({ type: 'preparing', rows: 30, totalRows: 30, trainTokens });
    expect(whole.some(({ type }) => type === 'preparing')).toBe(false);
    expect(await readdir(join(folder, 'streamed'))).toEqual(await readdir(join(folder, 'whole')));
  });

  it('resumes after a stop with the losses of an uninterrupted run', async () => {
    const rows = [...chats(24), say(24, long), ...chats(5), say(30, 'say it', long)];
    const whole = await start({ ...half, rows, name: 'whole' });
    const stopped = { ...half, rows, name: 'stopped' };
    await start(stopped, LARGE, isSaved(8));
    const resumed = await start(stopped);
    expect(startedOf(resumed)).toMatchObject({ resumedFromStep: 8 });
    expect(lossesOf(resumed)).toEqual(lossesOf(whole).slice(8));
    expect(await adapterOf('stopped')).toEqual(await adapterOf('whole'));
  });

  it.each(SIZES)('does not resume a %s one with other evaluation rows', async (_, size) => {
    const begun = { ...half, name: 'begun' };
    await start(begun, size, isSaved(8));
    await expect(start({ ...begun, evaluationFraction: 0.5 }, size)).rejects.toThrow('another run');
  });

  it('is not mistaken for another one with the same first rows', async () => {
    const options = { saveSteps: 2 };
    await start({ options });
    await expect(start({ options, rows: [...chats(29), say(30)] })).rejects.toThrow('another run');
  });

  it('fails with the name of an invalid row, before the first step if it is among the first', async () => {
    const late = [...chats(29), { messages: [{ role: 'user', content: null }] }];
    await expect(start({ rows: late, options: { maxSteps: 200 } })).rejects.toThrow(
      'rows.jsonl, row 30: messages[0] has the role user and no content',
    );
    const early = await request({ rows: [say(0), { messages: [] }, ...chats(28)] });
    await expect(prepareTraining(early, LARGE)).rejects.toThrow('rows.jsonl, row 2: messages is empty');
  });

  it('is read completely by a one-step trial', async () => {
    const { job, close } = await prepareTraining(await request({ options: { maxSteps: 1 } }), LARGE);
    const events = await run({ ...job, readsAllRows: true });
    close();
    expect(preparingOf(events)).toMatchObject({ rows: 30, totalRows: 30 });
  });
});

it('a run on a data set from the Hub resumes with the rows that it started with', async () => {
  vi.stubEnv('HF_ENDPOINT', hub.url);
  const countsOf = async (name: string) => {
    const { job } = await prepareTraining({
      ...(await request({ name })),
      source: { type: 'huggingface', name: 'ann/rows' },
      evaluationSource: { type: 'huggingface', name: 'ann/rows', split: 'test' },
      trainOn: 'all',
      cacheFolder: join(folder, name, 'cache'),
      hubToken: '',
    });
    return [job.examples.length, job.evaluation.length];
  };
  expect(await countsOf('run')).toEqual([2, 3]);
  hub.push('ann/rows', { 'train.jsonl': line.repeat(7), 'test.jsonl': line.repeat(8) });
  expect(await countsOf('run')).toEqual([2, 3]);
  expect(await countsOf('new')).toEqual([7, 8]);
});

it('reports from time to time how many rows have been found, and read before training starts', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000;
    return now;
  });
  const reported: unknown[] = [];
  const onPreparing: PrepareOptions['onPreparing'] = ({ rows, totalRows }) =>
    void reported.push(`${rows} of ${totalRows}`);
  (await prepareTraining(await request({ rows: chats(2500) }), { onPreparing })).close();
  const read = [1, 1001, 2001].map(rows => `${rows} of 2500`);
  expect(reported).toEqual(['1000 of null', '2000 of null', ...read]);
});

describe.each(SIZES)('rows that are too long, of a %s data set', (name, size) => {
  /** Of 8 rows, the third loses part of its answer and the sixth all of it. */
  const rows = [...chats(2), say(2, 'say', long), ...chats(2), say(5, long), ...chats(2)];
  const given = { rows, options: { maxLength: 64, maxSteps: 40 } };
  const toldBy = (events: readonly TrainEvent[]) =>
    (name === 'large' ? preparingOf(events) : startedOf(events)) as { tooLong?: object };
  const named = (...numbers: number[]) =>
    numbers.map(row => ({ file: 'rows.jsonl', row, tokens: expect.any(Number) }));
  const manyLong = [...chats(3), ...Array.from({ length: 7 }, () => say(1, long))];

  it.each<[string, Given, object | undefined]>([
    [
      'truncated, or skipped if nothing to learn is left, and are counted and named',
      {},
      { truncated: 1, skipped: 1, first: named(3, 6) },
    ],
    [
      'named up to five, however many there are',
      { rows: manyLong },
      { truncated: 0, skipped: 7, first: named(4, 5, 6, 7, 8) },
    ],
    ['skipped on request', { tooLong: 'skip' }, { truncated: 0, skipped: 2, first: named(3, 6) }],
    ['not mentioned if there are none', { rows: chats(8) }, undefined],
  ])('are %s', async (_, changes, expected) => {
    const events = await start({ ...given, ...changes }, size);
    expect(toldBy(events).tooLong).toEqual(expected && { maxLength: 64, ...expected });
    expect(events.at(-1)!.type).toBe('completed');
  });

  it('fail the job on request, naming the first one', async () => {
    await expect(start({ ...given, tooLong: 'error' }, size)).rejects.toThrow(
      /^rows\.jsonl, row [36]: it has \d+ tokens, but the limit is 64/,
    );
  });

  it('are counted among the evaluation rows, too', async () => {
    const path = join(folder, 'held.jsonl');
    await writeRows(path, [say(0), say(1, long)]);
    const events = await start({ ...given, rows: chats(8), evaluationSource: { type: 'file', path } }, size);
    const first = [{ file: 'held.jsonl', row: 2 }];
    expect(toldBy(events).tooLong).toMatchObject({ skipped: 1, first });
    expect(lossesOf(events).at(-1)![2]).toEqual(expect.any(Number));
  });

  it('are an error if there are no others', async () => {
    const none = start({ ...given, rows: Array.from({ length: 6 }, (_, i) => say(i, long)) }, size);
    await expect(none).rejects.toThrow('All rows are too long');
  });
});
