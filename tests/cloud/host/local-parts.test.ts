// The real parts of a local cloud: training and chat load the base model with the configured precision.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLocalParts } from '../../../lib/cloud/host/local-parts.js';
import type { AttemptDesk } from '../../../lib/cloud/seams/runner.js';
import type { RunDocument } from '../../../lib/contract/index.js';
import type { TrainTask, WeightSetting } from '../../../lib/engine/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { trainOptions } from '../../support/train-options.js';
import { until } from '../../support/until.js';

let modelFolder: string;
let folder: string;

beforeAll(async () => {
  modelFolder = await makeModelFolder();
  folder = await mkdtemp(join(tmpdir(), 'svc-local-parts-'));
  await writeFile(join(folder, 'rows.jsonl'), '{"prompt":"say it","completion":" it is said"}\n'.repeat(4));
});
afterAll(() => Promise.all([modelFolder, folder].map(path => rm(path, { recursive: true }))));

const partsWith = (weights: WeightSetting) => {
  const baseModel = { name: 'tiny', folder: modelFolder, digest: '' };
  return createLocalParts({ folder, baseModel, weights, log: () => {} });
};

/** The losses of a run, and what it says about its weights. */
type Run = { losses: number[]; used: unknown };

const runs = new Map<WeightSetting, Promise<Run>>();

/** Trains with each precision once. */
function trainWith(weights: WeightSetting): Promise<Run> {
  const run = runs.get(weights) ?? train(weights);
  runs.set(weights, run);
  return run;
}

async function train(weights: WeightSetting): Promise<Run> {
  const task: TrainTask = {
    jobId: weights,
    request: {
      modelFolder,
      modelName: 'tiny',
      source: { type: 'file', path: join(folder, 'rows.jsonl') },
      trainOn: 'assistant',
      options: trainOptions({ maxSteps: 3, batchSize: 2 }),
      folder: join(folder, weights),
      cacheFolder: folder,
      roundedFolder: join(folder, 'rounded'),
    },
  };
  const found: Run = { losses: [], used: undefined };
  const run = partsWith(weights).runner.start({} as RunDocument, {
    locate: () => task,
    heldUp() {},
    waitsFor() {},
    score: () => Promise.reject(new Error('It learns from its rows.')),
    scoreRows: () => Promise.reject(new Error('It learns from its rows.')),
    prepare: () => Promise.reject(new Error('It reads its rows itself.')),
    admit: () => Promise.reject(new Error('It trains here.')),
    record(event) {
      if (event.type === 'training.log' && event.loss !== undefined) found.losses.push(Number(event.loss));
      if (event.type === 'training.started') found.used = event.weights;
    },
  });
  expect(await run.ended).toMatchObject({ status: 'completed' });
  return found;
}

async function logprobsWith(weights: WeightSetting): Promise<number[]> {
  const { backend } = partsWith(weights);
  const messages = [{ role: 'user' as const, content: 'hi' }];
  const task = { messages, adapter: null, maxTokens: 1, temperature: 0, logprobs: 0 };
  const found: number[] = [];
  for await (const piece of backend.ask('chat', task, new AbortController().signal))
    if ('logprobs' in piece) found.push(...(piece.logprobs ?? []).map(({ logprob }) => logprob));
  await backend.close();
  return found;
}

function expectNearAndOther(rounded: number[], exact: number[]): void {
  expect(rounded).toHaveLength(exact.length);
  expect(exact.length).toBeGreaterThan(0);
  const off = exact.map((value, i) => Math.abs(rounded[i]! / value - 1));
  expect(Math.max(...off)).toBeLessThan(0.02);
  expect(Math.max(...off)).toBeGreaterThan(1e-6);
}

it('trains with int8 weights if configured', { timeout: JOURNEY_TIMEOUT_MS }, async () => {
  const [rounded, exact] = [await trainWith('int8'), await trainWith('f32')];
  expect([rounded.used, exact.used]).toEqual(['int8', 'f32']);
  expectNearAndOther(rounded.losses, exact.losses);
});

it('answers with int8 weights if configured', { timeout: JOURNEY_TIMEOUT_MS }, async () => {
  expectNearAndOther(await logprobsWith('int8'), await logprobsWith('f32'));
});

it('decides once with auto, and says how', { timeout: JOURNEY_TIMEOUT_MS }, async () => {
  const { readWeights } = partsWith('auto');
  expect(await readWeights!()).toEqual({ setting: 'auto', used: null });
  const { used, losses } = await trainWith('auto');
  const found = await readWeights!();
  const isFaster = (found.speedup ?? 0) >= 1.05;
  const measured = isFaster && { divergence: expect.toSatisfy(isNear) };
  expect(found).toEqual({ setting: 'auto', used, speedup: expect.toSatisfy(isPositiveOrNull), ...measured });
  expect(used).toBe(isFaster ? 'int8' : 'f32');
  expect(losses).toEqual((await trainWith(used as WeightSetting)).losses);
  expect(await partsWith('f32').readWeights!()).toEqual({ setting: 'f32', used: 'f32' });
});

const isNear = (value: unknown) => Number(value) > 0 && Number(value) <= 0.03;
const isPositiveOrNull = (value: unknown) => value === null || Number(value) > 0;

it('trains in another Python, but with its own engine where that is asked for', async () => {
  const logged: unknown[] = [];
  const { runner, readTorch } = createLocalParts({
    folder,
    baseModel: { name: 'tiny', folder: modelFolder, digest: '' },
    weights: 'f32',
    torch: '/no/python',
    log: line => logged.push(line),
  });
  expect(readTorch!()).toEqual({ python: '/no/python' });
  const problem = 'There is no such program.';
  await until(readTorch!).toEqual({ python: '/no/python', problem });
  expect(logged).toEqual([{ message: `Jobs cannot train with /no/python: ${problem}` }]);
  const asked: string[] = [];
  const ask = (what: string) => () => {
    asked.push(what);
    throw new Error(what);
  };
  const desk = {
    waitsFor() {},
    locate: ask('own'),
    prepare: async () => ask('PyTorch')(),
  } as unknown as AttemptDesk;
  for (const engine of ['torch', null, 'node'] as const)
    await expect(async () => runner.start({ engine } as RunDocument, desk).ended).rejects.toThrow();
  expect(asked).toEqual(['PyTorch', 'PyTorch', 'own']);
});

it('is not over before its files are prepared, which the next attempt prepares, too', async () => {
  const torch = '/no/python';
  const baseModel = { name: 'tiny', folder: modelFolder, digest: '' };
  const { runner } = createLocalParts({ folder, baseModel, weights: 'f32', torch, log: () => {} });
  let prepared: (() => void) | undefined;
  const prepare = () => new Promise<void>(resolve => (prepared = resolve));
  const desk = { waitsFor() {}, prepare } as unknown as AttemptDesk;
  const run = runner.start({ engine: null } as RunDocument, desk);
  await until(() => prepared).toBeDefined();
  run.pause();
  let isOver = false;
  const ended = run.ended.finally(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  prepared!();
  expect(await ended).toMatchObject({ status: 'paused' });
});

it('tells what the base model is, and how fast it trained here', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  await trainWith('f32');
  const read = () => partsWith('f32').readModelFacts!();
  await until(async () => (await read()).speed).toMatchObject({ training: expect.any(Number) });
  const { speed: _, ...facts } = await read();
  expect(facts).toEqual({
    ...{ hasChatTemplate: true, sampling: {} },
    ...{ architecture: 'llama', weightFormat: expect.any(String), license: null, bytes: expect.any(Number) },
    ...{ parameters: expect.any(Number), context: expect.any(Number), memory: expect.anything() },
  });
});
