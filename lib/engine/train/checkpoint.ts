// Saved adapters: a folder that PEFT loads, and beside it, in a checkpoint, all that is needed to go on as if nothing
// had happened. A folder appears whole, under its final name, or not at all.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWeightsFile, readAdapter, writeAdapter, writeSafetensors } from '../weights/index.js';
import type { AdamWState } from './adamw.js';
import { type LoraState, loadPairs, toPairs } from './lora-state.js';
import type { TrainOptions } from './options.js';

const STATE = 'trainer_state.json';
const OPTIMIZER = 'optimizer.safetensors';
const CHECKPOINT = /^checkpoint-(\d+)$/;

export interface Progress {
  /** Steps of the optimizer that were taken. */
  step: number;
  /** Of the steps since the last log. */
  losses: number[];
  /** The lowest evaluation so far, and where it was. */
  best: { step: number; loss: number } | null;
  /** What a run must share with the one that saved this, to go on from it. */
  fingerprint: string;
}

export interface AdapterDescription {
  options: Pick<TrainOptions, 'rank' | 'alpha' | 'dropout'>;
  baseModel: string | null;
}

/** Writes the adapter alone. */
export async function saveAdapter(
  folder: string,
  state: LoraState,
  { options, baseModel }: AdapterDescription,
) {
  const config = { rank: options.rank, alpha: options.alpha, dropout: options.dropout, baseModel };
  await writeAdapter(folder, { config, tensors: toPairs(state) });
}

/** Writes the checkpoint of a step, and gives its folder. */
export async function saveCheckpoint(
  folder: string,
  state: LoraState,
  optimizer: AdamWState,
  progress: Progress,
  description: AdapterDescription,
): Promise<string> {
  const path = join(folder, `checkpoint-${progress.step}`);
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await saveAdapter(partial, state, description);
  const shape = [optimizer.mean.length];
  await writeSafetensors(join(partial, OPTIMIZER), [
    { name: 'mean', dtype: 'F32', shape, data: optimizer.mean },
    { name: 'square', dtype: 'F32', shape, data: optimizer.square },
  ]);
  await writeFile(join(partial, STATE), JSON.stringify(progress));
  await rm(path, { recursive: true, force: true });
  await rename(partial, path);
  return path;
}

/** Puts state and optimizer where the checkpoint of that step left them. */
export async function loadCheckpoint(
  folder: string,
  step: number,
  state: LoraState,
  optimizer: AdamWState,
): Promise<Progress> {
  const path = join(folder, `checkpoint-${step}`);
  const progress = JSON.parse(await readFile(join(path, STATE), 'utf8')) as Progress;
  loadPairs(state, (await readAdapter(path)).tensors);
  const moments = await openWeightsFile(join(path, OPTIMIZER));
  moments.expectShape('mean', [optimizer.mean.length]);
  moments.expectShape('square', [optimizer.square.length]);
  optimizer.mean.set(await moments.readFloat32('mean'));
  optimizer.square.set(await moments.readFloat32('square'));
  optimizer.step = progress.step;
  return progress;
}

/** The steps of the checkpoints in a folder, the latest last. */
export async function listCheckpoints(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .flatMap(name => Number(CHECKPOINT.exec(name)?.[1] ?? Number.NaN))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
}

/** Deletes all but the latest few, and the best one. */
export async function pruneCheckpoints(folder: string, keep: number, best: number | null): Promise<void> {
  const steps = await listCheckpoints(folder);
  const old = steps.slice(0, Math.max(0, steps.length - keep)).filter(step => step !== best);
  for (const step of old) await rm(join(folder, `checkpoint-${step}`), { recursive: true, force: true });
}

/** Sums up what determines the course of a run. */
export function fingerprintOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
