// Checkpoints: a folder with what is trained, such as an adapter that PEFT loads, and beside it all that is needed to go
// on as if nothing had happened. A folder appears whole, under its final name, or not at all.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename, syncFolder } from '../../system/index.js';
import { openWeightsFile, WeightsError, writeSafetensors } from '../weights/index.js';
import type { AdamWState } from './adamw.js';
import { DIGESTS, isIntact, writeDigests } from './digests.js';
import type { Example, PassShape } from './packing.js';

const STATE = 'trainer_state.json';
const OPTIMIZER = 'optimizer.safetensors';
const CHECKPOINT = /^checkpoint-(\d+)$/;
const PARTIAL = '.partial';

export interface Progress {
  /** Steps of the optimizer that were taken. */
  step: number;
  /** Of the steps since the last log. */
  losses: number[];
  /** The lowest evaluation so far, and where it was. */
  best: { step: number; loss: number } | null;
  /** The shape of its passes, where that grew. */
  shape?: PassShape;
  /** What a run must share with the one that saved this, to go on from it. */
  fingerprint: string;
}

/** Writes the checkpoint of a step, and gives its folder. `assertOwner` throws when it may no longer be saved. */
export async function saveCheckpoint(
  folder: string,
  progress: Progress,
  optimizer: AdamWState,
  save: (folder: string) => Promise<void>,
  assertOwner: () => Promise<void> = async () => {},
): Promise<string> {
  const path = join(folder, `checkpoint-${progress.step}`);
  const partial = `${path}${PARTIAL}`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await save(partial);
  const shape = [optimizer.mean.length];
  await writeSafetensors(join(partial, OPTIMIZER), [
    { name: 'mean', dtype: 'F32', shape, data: optimizer.mean },
    { name: 'square', dtype: 'F32', shape, data: optimizer.square },
  ]);
  await writeFile(join(partial, STATE), JSON.stringify(progress), { flush: true });
  await writeDigests(partial);
  await syncFolder(partial);
  await assertOwner();
  await rm(path, { recursive: true, force: true });
  await rename(partial, path);
  await syncFolder(folder);
  return path;
}

/** Removes what a save that was cut off has left. */
export async function clearPartials(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names.filter(name => name.endsWith(PARTIAL)))
    await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * How far the checkpoint of a step had come. `pruned` when a run no longer goes on from it, `damaged` when a file of it is
 * not as it was saved, as after a loss of power.
 */
export async function readProgress(folder: string, step: number): Promise<Progress | 'pruned' | 'damaged'> {
  const path = join(folder, `checkpoint-${step}`);
  if (![STATE, OPTIMIZER, DIGESTS].some(name => existsSync(join(path, name)))) return 'pruned';
  if (!(await isIntact(path))) return 'damaged';
  return JSON.parse(await readFile(join(path, STATE), 'utf8')) as Progress;
}

/** Puts what is trained, and the optimizer, where the checkpoint of that step left them; false when its files are damaged. */
export async function loadCheckpoint(
  folder: string,
  step: number,
  optimizer: AdamWState,
  load: (folder: string) => Promise<() => void>,
): Promise<boolean> {
  const path = join(folder, `checkpoint-${step}`);
  try {
    const apply = await load(path);
    const moments = await openWeightsFile(join(path, OPTIMIZER));
    moments.expectShape('mean', [optimizer.mean.length]);
    moments.expectShape('square', [optimizer.square.length]);
    const [mean, square] = [await moments.readFloat32('mean'), await moments.readFloat32('square')];
    apply();
    optimizer.mean.set(mean);
    optimizer.square.set(square);
    optimizer.step = step;
    return true;
  } catch (error) {
    if (error instanceof WeightsError) return false;
    throw error;
  }
}

/** The steps of the checkpoints in a folder, the latest last. */
export async function listCheckpoints(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [] as string[];
    throw error;
  });
  return names
    .flatMap(name => Number(CHECKPOINT.exec(name)?.[1] ?? Number.NaN))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
}

export interface Pruning {
  /** How many of the latest stay as they are. */
  keep: number;
  best: number | null;
  /** Whether what was trained stays of the others, too. */
  keepsTrained: boolean;
}

/** Leaves the latest few and the best one as they are, so that a run can go on from them. */
export async function pruneCheckpoints(folder: string, { keep, best, keepsTrained }: Pruning): Promise<void> {
  const steps = await listCheckpoints(folder);
  const old = steps.slice(0, Math.max(0, steps.length - Math.max(1, keep))).filter(step => step !== best);
  for (const step of old) {
    const path = join(folder, `checkpoint-${step}`);
    if (!keepsTrained) await rm(path, { recursive: true, force: true });
    // The state goes last: where it is gone, all that was to go is.
    else if (existsSync(join(path, STATE)))
      for (const file of [DIGESTS, OPTIMIZER, STATE]) await rm(join(path, file), { force: true });
  }
}

/** Sums up what determines the course of a run: settings, and every token of the data with whether it is learned. */
export function fingerprintOf(settings: unknown, examples: readonly Example[]): string {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const { ids, supervised } of examples) {
    hash.update(Int32Array.from([ids.length, ...Array.from(ids)]));
    hash.update(Uint8Array.from(supervised, Number));
  }
  return hash.digest('hex');
}
