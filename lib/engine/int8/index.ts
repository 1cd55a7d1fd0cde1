// Entry point of int8 weights: models with rounded matrices, and which models have them on this machine, as kept in the
// folder of rounded weights.
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { buildLogitsGraph, type ModelSource, toLineInputs } from '../model/index.js';
import type { DigestOptions } from './content-digest.js';
import { type Compute, computeExactly } from './exact-pass.js';
import { digestWeights } from './round-model.js';

export { roundModel, spreadIds } from './round-model.js';
export type { IntegerForm } from './rounded-file.js';

/**
 * The precision of frozen weights. `int8`, on the CPU, also rounds what is multiplied with them, and is faster. `f16`, on a GPU,
 * takes half the memory of `f32`; products are in float32.
 */
export type WeightPrecision = 'f32' | 'f16' | 'int8';

/** `auto` measures once which one is faster on this machine's CPU. On a GPU, it depends on its memory. */
export type WeightSetting = WeightPrecision | 'auto';

export interface WeightChoice {
  weights: WeightPrecision;
  /** How many times as fast a training step is in int8 as in f32; null if int8 is not exact on this processor. */
  speedup: number | null;
  /**
   * How far what a model in int8 expects is from the model in f32: the mean Kullback-Leibler divergence of the next token, in
   * nats. Missing if it was not measured, because int8 is not faster.
   */
  divergence?: number;
}

/** The choice for this model and machine, or null. `reads`: whether weights that are not known may be read for it. */
export async function readWeightChoice(
  model: ModelSource,
  folder: string,
  { reads = true }: Pick<DigestOptions, 'reads'> = {},
): Promise<WeightChoice | null> {
  const file = await choiceFile(model, { folder, reads });
  if (file === null) return null;
  try {
    return JSON.parse(await readFile(file, 'utf8')) as WeightChoice;
  } catch {
    return null;
  }
}

/** Returns the choice that counts, since another process may have decided first. */
export async function keepWeightChoice(
  model: ModelSource,
  folder: string,
  choice: WeightChoice,
): Promise<WeightChoice> {
  await mkdir(folder, { recursive: true });
  const file = (await choiceFile(model, { folder }))!;
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(temporary, JSON.stringify(choice));
    await link(temporary, file).catch(async () => {
      // What cannot be read is no decision.
      if ((await readWeightChoice(model, folder)) === null) await rename(temporary, file);
    });
  } catch {
    // If it cannot be kept, the next run decides again.
  } finally {
    await rm(temporary, { force: true });
  }
  return (await readWeightChoice(model, folder)) ?? choice;
}

async function choiceFile(
  model: ModelSource,
  { folder, reads }: DigestOptions & { folder: string },
): Promise<string | null> {
  const machine = [process.arch, cpus()[0]?.model, availableParallelism()];
  const digest = await digestWeights(model, { folder, reads });
  if (digest === null) return null;
  const key = createHash('sha256').update(JSON.stringify([digest, machine]));
  return join(folder, `${key.digest('hex').slice(0, 32)}.choice`);
}

/**
 * How far a model with rounded matrices is from the model itself: the Kullback-Leibler divergence of what it expects to come next,
 * in the mean over these tokens, in nats.
 */
export async function measureDivergence(
  model: ModelSource,
  rounded: ModelSource,
  ids: readonly number[],
  compute: Compute,
): Promise<number> {
  const { config } = model;
  const exact = await computeExactly(model, ids, compute);
  const { graph } = buildLogitsGraph(
    config,
    rounded.weights,
    { rank: 1, scaling: 1, modules: [] },
    ids.length,
  );
  const { logits } = await compute(graph, toLineInputs(ids, config));
  let sum = 0;
  for (let token = 0; token < ids.length; token++) {
    const [from, to] = [token * config.vocabulary, (token + 1) * config.vocabulary];
    sum += divergenceOf(exact.subarray(from, to), logits!.subarray(from, to));
  }
  return sum / ids.length;
}

/**
 * Σ p (log p - log q), of what two rows of logits say.
 * @internal
 */
export function divergenceOf(exact: Float32Array, other: Float32Array): number {
  const [p, q] = [logSum(exact), logSum(other)];
  let sum = 0;
  for (let i = 0; i < exact.length; i++) {
    const logP = exact[i]! - p;
    sum += Math.exp(logP) * (logP - (other[i]! - q));
  }
  return sum;
}

/** @internal */
export function logSum(logits: Float32Array): number {
  const largest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  return largest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
}
