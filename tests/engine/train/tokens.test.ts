// Rows that were made into files of tokens on one machine, and are trained on at another: the losses are those of a run
// that reads the data set itself, and either continues what the other has begun.
import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunFile } from '../../../lib/engine/index.js';
import type { TrainRequest } from '../../../lib/engine/train/prepare.js';
import type { PrepareOptions } from '../../../lib/engine/train/prepare-rows.js';
import { openTokenFile } from '../../../lib/engine/train/token-file.js';
import { writeTokens } from '../../../lib/engine/train/tokens.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { findProgram } from '../../../lib/system/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { trainOptions } from '../../support/train-options.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { chat, isSaved, lossesOf, prepareAndRun, readFinal, SIZES, trainRequest } from './support.js';

const modelFolder = await tinyModel();
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Some are cut, and the last is skipped. */
const rows = [
  ...Array.from({ length: 30 }, (_, i) =>
    chat('say it', i % 7 === 3 ? 'and so on '.repeat(20) : `it is ${i}`),
  ),
  chat('long '.repeat(100), 'it is 0'),
];
const pace = { maxSteps: 12, evalSteps: 4, saveSteps: 4, loraDropout: 0.1, threads: 1 };
const options = { loraR: 4, batchSize: 4, learningRate: 1e-2, maxLength: 64, ...pace };

const request = (name: string) =>
  trainRequest(folder, name, rows, { modelFolder, options, evaluationFraction: 0.2 });

async function tokens(size: PrepareOptions = {}) {
  const target = join(folder, 'tokens');
  await mkdir(target, { recursive: true });
  return writeTokens({ ...(await request('scratch')), target }, size);
}

const away = async ({ source: _, ...rest }: TrainRequest, size: PrepareOptions) => ({
  ...rest,
  tokens: await tokens(size),
});
const adapterOf = (name: string) => readFinal(folder, name);

describe.each(SIZES)('a %s data set, as tokens', (_, size) => {
  it('has the losses and the adapter of one that is read', async () => {
    const read = await prepareAndRun(await request('home'), size);
    const sent = await prepareAndRun(await away(await request('there'), size));
    expect(lossesOf(sent)).toEqual(lossesOf(read));
    expect(lossesOf(sent)).toHaveLength(12);
    expect(await adapterOf('there')).toEqual(await adapterOf('home'));
    const told = (events: TrainEvent[]) => {
      const found = events.filter(({ type }) => type === 'started' || type === 'preparing');
      const { tooLong, trainTokens } = Object.assign({}, ...found);
      return { tooLong, trainTokens };
    };
    expect(told(sent)).toEqual(told(read));
  });

  it('continues what was begun with the data set, and the other way round', async () => {
    const whole = lossesOf(await prepareAndRun(await request('whole'), size));
    const home = await request('moved');
    const there = await away(home, size);
    await prepareAndRun(home, size, isSaved(8));
    await cp(home.folder, join(folder, 'back'), { recursive: true });
    expect(lossesOf(await prepareAndRun(there))).toEqual(whole.slice(8));
    await rm(home.folder, { recursive: true });
    await mkdir(home.folder);
    await prepareAndRun(there, {}, isSaved(8));
    expect(lossesOf(await prepareAndRun(home, size))).toEqual(whole.slice(8));
  });
});

it('a run that goes on from an adapter gets it as that of step 0, with the losses of a run at home', async () => {
  await prepareAndRun(await request('before'));
  const tensors = join(folder, 'before', 'final', 'adapter_model.safetensors');
  const from = { tensors, sha256: 'a'.repeat(64), state: null };
  const home = await prepareAndRun({ ...(await request('home')), from });
  const target = join(folder, 'going');
  await mkdir(target);
  const { initialFolder, ...tokens } = await writeTokens({ ...(await request('scratch')), from, target });
  const sent = join(initialFolder, 'adapter_model.safetensors');
  expect(await readFile(sent)).toEqual(await readFile(tensors));
  const { source: _, ...rest } = await request('there');
  const there = await prepareAndRun({ ...rest, tokens, from: { ...from, tensors: sent } });
  expect(lossesOf(there)).toEqual(lossesOf(home));
  expect(await adapterOf('there')).toEqual(await adapterOf('home'));
});

it('a file of tokens that is not whole is refused', async () => {
  const { trainingPath } = await tokens();
  openTokenFile(trainingPath).close();
  await truncate(trainingPath, 600);
  expect(() => openTokenFile(trainingPath)).toThrow('truncated');
});

describe('the process for machines without a cloud', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  interface Message {
    type: string;
    status?: string;
    event?: { type: string; step: number; loss?: number; evalLoss?: number };
  }

  async function writeRunFile(): Promise<string> {
    const place = join(folder, 'place');
    const work = join(place, 'work');
    await mkdir(work, { recursive: true });
    const model = { name: 'tiny', sha256: null };
    const run = { jobId: 'j1', dryRun: false, resources: {}, model, options: trainOptions(options) };
    const file = { run, modelFolder, rows: await tokens(), folder: work } as unknown as RunFile;
    await writeFile(join(place, 'run.json'), JSON.stringify(file));
    return place;
  }

  /** All messages, each event confirmed, unless `answer` has something else to say. */
  async function follow(place: string, answer: (message: Message) => object | null = () => null) {
    const { execArgv, path } = findProgram('lib/engine/run-worker');
    const stdio = ['pipe', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [...execArgv, path, place], { stdio: [...stdio] });
    const messages: Message[] = [];
    const closed = new Promise<number | null>(resolve => child.once('close', resolve));
    for await (const line of createInterface({ input: child.stdout! })) {
      const message = JSON.parse(line) as Message;
      messages.push(message);
      const told = answer(message) ?? (message.type === 'event' ? { type: 'handled', count: 1 } : null);
      if (told) child.stdin!.write(`${JSON.stringify(told)}\n`);
    }
    return { messages, exitCode: await closed };
  }

  const lossesIn = (messages: readonly Message[]) =>
    messages.flatMap(({ event }) =>
      event?.type === 'training.log' ? [[event.step, event.loss, event.evalLoss]] : [],
    );

  it('trains with the losses of a run at home, and ends by itself', async () => {
    const home = await prepareAndRun(await request('home'));
    const { messages, exitCode } = await follow(await writeRunFile());
    expect(lossesIn(messages)).toEqual(lossesOf(home));
    expect(messages.at(-1)).toEqual({ type: 'done', status: 'completed' });
    expect(exitCode).toBe(0);
    expect(await adapterOf('place/work')).toEqual(await adapterOf('home'));
  });

  it('pauses with a checkpoint when it is told to, and goes on from it', async () => {
    const home = await prepareAndRun(await request('home'));
    const place = await writeRunFile();
    const first = await follow(place, ({ event }) =>
      event?.type === 'training.log' && event.step === 5 ? { type: 'pause' } : null,
    );
    expect(first.messages.at(-1)).toEqual({ type: 'done', status: 'paused' });
    const second = await follow(place);
    expect(lossesIn([...first.messages, ...second.messages])).toEqual(lossesOf(home));
  });
});
