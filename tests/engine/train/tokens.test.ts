// Rows that were made into files of tokens on one machine, and are trained on at another: the losses are those of a run
// that reads the data set itself, and either continues what the other has begun.
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunFile } from '../../../lib/engine/tasks/run-file.js';
import {
  prepareTraining,
  type TokenTrainRequest,
  type TrainRequest,
} from '../../../lib/engine/train/prepare.js';
import type { PrepareOptions } from '../../../lib/engine/train/prepare-rows.js';
import { openTokenFile } from '../../../lib/engine/train/tokens/token-file.js';
import { writeTokens } from '../../../lib/engine/train/tokens/write-tokens.js';
import type { TrainEvent } from '../../../lib/engine/train/train-event.js';
import { train } from '../../../lib/engine/train/trainer.js';
import { findProgram } from '../../../lib/system/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';

let modelFolder: string;
let folder: string;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterAll(() => rm(modelFolder, { recursive: true, force: true }));
beforeEach(() => {
  folder = temporaryFolder();
});

const chat = (i: number, answer = `it is ${i}`) => ({
  messages: [
    { role: 'user', content: 'say it' },
    { role: 'assistant', content: answer },
  ],
});
/** Some are cut, and some are skipped. */
const rows = Array.from({ length: 30 }, (_, i) => chat(i, i % 7 === 3 ? 'and so on '.repeat(20) : undefined));
const skipped = { messages: [{ role: 'user', content: 'long '.repeat(100) }, chat(0).messages[1]!] };
const options = {
  rank: 4,
  batchSize: 4,
  learningRate: 1e-2,
  maxSteps: 12,
  maxLength: 64,
  evalSteps: 4,
  saveSteps: 4,
  dropout: 0.1,
  threads: 1,
};

const LARGE: PrepareOptions['limits'] = {
  small: { rows: 4, bytes: 1000 },
  opening: { rows: 4, bytes: 1000 },
};

async function request(run: string): Promise<TrainRequest> {
  const path = join(folder, 'rows.jsonl');
  await writeFile(path, [...rows, skipped].map(row => JSON.stringify(row)).join('\n'));
  const out = join(folder, run);
  await mkdir(out, { recursive: true });
  return {
    modelFolder,
    modelName: 'tiny',
    source: { type: 'file', path },
    evaluationFraction: 0.2,
    trainOn: 'assistant',
    options,
    folder: out,
    cacheFolder: folder,
  };
}

async function tokens(limits?: PrepareOptions['limits']) {
  const target = join(folder, 'tokens');
  await mkdir(target, { recursive: true });
  const given = await request('scratch');
  return writeTokens({ ...given, target }, { ...(limits && { limits }) });
}

async function run(
  given: TrainRequest | TokenTrainRequest,
  limits?: PrepareOptions['limits'],
  until: (event: TrainEvent) => boolean = () => false,
): Promise<TrainEvent[]> {
  const { job, close } = await prepareTraining(given, { ...(limits && { limits }) });
  const events: TrainEvent[] = [];
  try {
    for await (const event of train(job)) {
      events.push(event);
      if (until(event)) break;
    }
  } finally {
    close();
  }
  return events;
}

const losses = (events: readonly object[]) =>
  (events as { type: string; step: number; loss?: number; evalLoss?: number }[]).flatMap(
    ({ type, step, loss, evalLoss }) =>
      type === 'log' || type === 'training.log' ? [[step, loss, evalLoss]] : [],
  );
const adapterOf = (name: string) => readFile(join(folder, name, 'final', 'adapter_model.safetensors'));

describe.each<[string, PrepareOptions['limits']?]>([['small'], ['large', LARGE]])(
  'a %s data set, as tokens',
  (_, limits) => {
    it('has the losses and the adapter of one that is read', async () => {
      const home = await run(await request('home'), limits);
      const { source: _1, ...there } = await request('there');
      const away = await run({ ...there, tokens: await tokens(limits) });
      expect(losses(away)).toEqual(losses(home));
      expect(losses(away)).toHaveLength(12);
      expect(await adapterOf('there')).toEqual(await adapterOf('home'));
      const found = ({ type }: TrainEvent) => type === 'started' || type === 'preparing';
      const told = (events: TrainEvent[]) => Object.assign({}, ...events.filter(found));
      expect(told(away).tooLong).toEqual(told(home).tooLong);
      expect(told(away).trainTokens).toEqual(told(home).trainTokens);
    });

    it('continues what was begun with the data set, and the other way round', async () => {
      const whole = await run(await request('whole'), limits);
      const isEighth = (event: TrainEvent) => event.type === 'checkpoint' && event.step === 8;
      const home = await request('moved');
      const { source: _1, ...rest } = home;
      const away = { ...rest, tokens: await tokens(limits) };
      await run(home, limits, isEighth);
      await cp(home.folder, join(folder, 'back'), { recursive: true });
      expect(losses(await run(away))).toEqual(losses(whole).slice(8));
      await rm(home.folder, { recursive: true });
      await mkdir(home.folder);
      await run(away, undefined, isEighth);
      expect(losses(await run(home, limits))).toEqual(losses(whole).slice(8));
    });
  },
);

it('a file of tokens that is not whole is refused', async () => {
  const { trainingPath } = await tokens();
  openTokenFile(trainingPath).close();
  await truncate(trainingPath, 600);
  expect(() => openTokenFile(trainingPath)).toThrow('truncated');
});

describe('the process for machines without a cloud', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const worker = findProgram('lib/engine/run-worker');

  async function writeRunFile(): Promise<string> {
    const place = join(folder, 'place');
    const work = join(place, 'work');
    await mkdir(work, { recursive: true });
    const document = {
      jobId: 'j1',
      dryRun: false,
      resources: {},
      model: { name: 'tiny', sha256: null },
      options,
    };
    const file = { run: document, modelFolder, rows: await tokens(), folder: work } as unknown as RunFile;
    await writeFile(join(place, 'run.json'), JSON.stringify(file));
    return place;
  }

  /** All messages, each event confirmed; `onMessage` may tell it more. */
  async function follow(
    place: string,
    onMessage: (message: { type: string; event?: { type: string; step?: number } }) => object | null = () =>
      null,
  ) {
    const child = spawn(process.execPath, [...worker.execArgv, worker.path, place], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const messages: { type: string; status?: string; event?: { type: string; [field: string]: unknown } }[] =
      [];
    const closed = new Promise<number | null>(resolve => child.once('close', resolve));
    for await (const line of createInterface({ input: child.stdout })) {
      const message = JSON.parse(line);
      messages.push(message);
      const told = onMessage(message) ?? (message.type === 'event' ? { type: 'handled', count: 1 } : null);
      if (told) child.stdin.write(`${JSON.stringify(told)}\n`);
    }
    return { messages, exitCode: await closed };
  }

  it('trains with the losses of a run at home, and ends by itself', async () => {
    const home = await run(await request('home'));
    const { messages, exitCode } = await follow(await writeRunFile());
    expect(losses(messages.flatMap(({ event }) => event ?? []))).toEqual(losses(home));
    expect(messages.at(-1)).toEqual({ type: 'done', status: 'completed' });
    expect(exitCode).toBe(0);
    expect(await readFile(join(folder, 'place/work/final/adapter_model.safetensors'))).toEqual(
      await adapterOf('home'),
    );
  });

  it('pauses with a checkpoint when it is told to, and goes on from it', async () => {
    const home = await run(await request('home'));
    const place = await writeRunFile();
    const isFifth = ({ event }: { event?: { type: string; step?: number } }) =>
      event?.type === 'training.log' && event.step === 5;
    const first = await follow(place, message => (isFifth(message) ? { type: 'pause' } : null));
    expect(first.messages.at(-1)).toEqual({ type: 'done', status: 'paused' });
    const second = await follow(place);
    const all = [...first.messages, ...second.messages].flatMap(({ event }) => event ?? []);
    expect(losses(all)).toEqual(losses(home));
  });
});
