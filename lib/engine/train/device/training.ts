// Trains for a few steps on the CPU and on the GPU: whether both learn the same, and how fast they are.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TRAINING_DEFAULTS, toRunOptions } from '../../../contract/index.js';
import type { WeightSetting } from '../../int8/index.js';
import { type ModelSource, targetNames, withLayers } from '../../model/index.js';
import { createRandom } from '../../random.js';
import { completeOptions, type RequestedOptions, type TrainOptions } from '../options.js';
import type { Example } from '../packing.js';
import { isRounding } from '../provider-check.js';
import { train } from '../trainer.js';
import { createRandomModel, TINY_MODELS } from './random-model.js';

type Provider = TrainOptions['provider'];

const SEED = 17;

export interface Comparison {
  /** The largest difference between what both compute, relative to the CPU's. */
  difference: number;
  /** Whether it is no more than rounding. */
  isRight: boolean;
}

/** By the losses of some steps; those on the CPU are with weights in float32. */
export async function compareTraining(
  provider: Provider,
  weights: WeightSetting = 'f32',
): Promise<Comparison> {
  const differences: number[] = [];
  for (const config of TINY_MODELS) {
    const job = { model: createRandomModel(config), rows: createRows(config, 4, 20), maxSteps: 3 };
    const [right, found] = [await trainSteps(job, 'cpu'), await trainSteps({ ...job, weights }, provider)];
    differences.push(...right.losses.map((loss, i) => Math.abs(found.losses[i]! / loss - 1)));
  }
  const difference = Math.max(...differences);
  return { difference, isRight: isRounding(difference) };
}

/** Enough for the kernels of large products. */
const [ROWS, LENGTH] = [8, 256];
/** The first step also compiles kernels and allocates memory. */
const MOST_STEPS = 5;
const PATIENCE_MS = 10_000;

/** Tokens a second in training a model's first layers, which are like the others. */
export async function measureSpeed(
  model: ModelSource,
  provider: Provider,
  weights: WeightSetting = 'f32',
): Promise<number> {
  const layers = Math.min(model.config.layers, LAYERS);
  const part = { ...model, config: withLayers(model.config, layers) };
  const rows = createRows(part.config, ROWS, Math.min(LENGTH, model.config.maxPositions));
  const { speeds } = await trainSteps(
    { model: part, rows, maxSteps: MOST_STEPS, weights, patienceMs: PATIENCE_MS },
    provider,
  );
  const timed = speeds.length > 1 ? speeds.slice(1) : speeds;
  return timed.toSorted((a, b) => a - b)[timed.length >> 1]!;
}

const LAYERS = 4;

interface Trial {
  model: ModelSource;
  rows: Example[];
  maxSteps: number;
  weights?: WeightSetting;
  /** Ends early when it takes longer. */
  patienceMs?: number;
}

async function trainSteps(
  { model, rows, maxSteps, weights = 'f32', patienceMs = Number.POSITIVE_INFINITY }: Trial,
  provider: Provider,
) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-device-'));
  const own = { maxSteps, batchSize: rows.length, learningRate: 1e-2, loggingSteps: 1, saveSteps: null };
  const targetModules = targetNames(model.config);
  const given = {
    ...toRunOptions({ ...TRAINING_DEFAULTS, targetModules }),
    ...own,
    provider,
    weights,
  } as RequestedOptions;
  const job = { model, baseModel: null, examples: rows, evaluation: [], folder };
  const [losses, speeds]: [number[], number[]] = [[], []];
  const start = performance.now();
  try {
    for await (const event of train({ ...job, options: completeOptions(model, given) })) {
      if (event.type !== 'log') continue;
      losses.push(event.loss!);
      speeds.push(event.tokensPerSecond!);
      if (losses.length > 1 && performance.now() - start > patienceMs) break;
    }
    return { losses, speeds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Random tokens, half of them learned. */
function createRows({ vocabulary }: ModelSource['config'], count: number, length: number): Example[] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, () => {
    const ids = Int32Array.from({ length }, () => Math.floor(random.next() * vocabulary));
    return { ids, supervised: Array.from(ids, (_, i) => i % 2 === 1) };
  });
}
