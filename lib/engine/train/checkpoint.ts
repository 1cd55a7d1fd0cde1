// A checkpoint is a folder with what is trained, such as an adapter that PEFT can load, and everything needed to resume
// the run exactly. The folder appears complete under its final name, or not at all.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, realClock } from '../../clock/index.js';
import { findDiskFault, rename, syncFolder } from '../../system/index.js';
import type { WeightPrecision } from '../int8/index.js';
import type { ModelConfig } from '../model/index.js';
import { checkpointName, DIGESTS, OPTIMIZER, PARTIAL, STATE } from '../run-layout.js';
import { openWeightsFile, WeightsError, writeSafetensors } from '../weights/index.js';
import type { AdamWState } from './adam-w.js';
import { isIntact, writeDigests } from './digests.js';
import { listCheckpoints } from './kept-checkpoints.js';
import { type StartingPoint, type TrainOptions, toFingerprintOptions } from './options.js';
import { type Example, type ExampleSet, examplesOf } from './packing.js';
import type { BackgroundReader } from './row-sweep.js';
import { encodeSoft } from './token-file.js';

export interface Progress {
  /** Steps taken. */
  step: number;
  /** How often each of them updated what is trained. Default: once. */
  updates?: number;
  /** The updates that its optimizer had made before the run, for one that goes on with another run's. */
  optimizerSteps?: number;
  /** Where the run began in the order of rows, in steps. Default: at its start. */
  position?: number;
  /** Identifies the order of rows, and what is drawn at random at each position. */
  order?: string;
  /** Losses of the steps since the last log. */
  losses: number[];
  /** Other metrics of the steps since then, by name. */
  metrics?: Record<string, number[]>;
  /** The tokens in those steps. */
  tokens?: number;
  /** The checkpoint with the lowest evaluation loss so far. */
  best: { step: number; loss: number } | null;
  /** The precision of the frozen weights; a run keeps it when it resumes. Only PyTorch has nf4. */
  weights?: WeightPrecision | 'nf4';
  /** Only a run with the same fingerprint can resume from this. */
  fingerprint: string;
}

/** How many updates the optimizer has made. */
export const updatesSoFar = ({ optimizerSteps = 0, step, updates = 1 }: Progress) =>
  optimizerSteps + step * updates;

/** Returns the checkpoint's folder. `assertOwner` throws if this run may no longer save. */
export async function saveCheckpoint(
  folder: string,
  progress: Progress,
  optimizer: AdamWState,
  save: (folder: string) => Promise<void>,
  assertOwner: () => Promise<void> = async () => {},
): Promise<string> {
  const path = join(folder, checkpointName(progress.step));
  await saveResumable(path, progress, optimizer, save, assertOwner);
  return path;
}

/** The same in a folder of this path, which it replaces. */
export async function saveResumable(
  path: string,
  progress: Progress,
  optimizer: AdamWState,
  save: (folder: string) => Promise<void>,
  assertOwner: () => Promise<void>,
): Promise<void> {
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
  await syncFolder(dirname(path));
}

export async function clearPartials(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names.filter(name => name.endsWith(PARTIAL)))
    await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * The progress that a checkpoint holds. `pruned`: runs can no longer resume from it. `damaged`: a file is not as it was
 * saved, as after a power loss.
 */
export async function readProgress(folder: string, step: number): Promise<Progress | 'pruned' | 'damaged'> {
  return readState(join(folder, checkpointName(step)));
}

/** The same for a folder of this path. */
export async function readState(path: string): Promise<Progress | 'pruned' | 'damaged'> {
  if (![STATE, OPTIMIZER, DIGESTS].some(name => existsSync(join(path, name)))) return 'pruned';
  if (!(await isIntact(path))) return 'damaged';
  return JSON.parse(await readFile(join(path, STATE), 'utf8')) as Progress;
}

/** The precision that a run in this folder has trained with; null if it has not saved any progress. */
export async function savedWeights(folder: string): Promise<Progress['weights'] | null> {
  for (const step of (await listCheckpoints(folder)).toReversed()) {
    const saved = await readProgress(folder, step);
    if (typeof saved === 'object') return saved.weights ?? 'f32';
  }
  return null;
}

/** Restores what is trained and the optimizer; false if the checkpoint's files are damaged. */
export async function loadCheckpoint(
  folder: string,
  progress: Progress,
  optimizer: AdamWState,
  load: (folder: string) => Promise<() => void>,
): Promise<boolean> {
  const path = join(folder, checkpointName(progress.step));
  try {
    const apply = await load(path);
    const applyMoments = await readMoments(path, optimizer);
    apply();
    applyMoments();
    optimizer.step = updatesSoFar(progress);
    return true;
  } catch (error) {
    if (error instanceof WeightsError) return false;
    throw error;
  }
}

/** The function that it returns puts them into the optimizer. */
export async function readMoments(path: string, optimizer: AdamWState): Promise<() => void> {
  const moments = await openWeightsFile(join(path, OPTIMIZER));
  moments.expectShape('mean', [optimizer.mean.length]);
  moments.expectShape('square', [optimizer.square.length]);
  const [mean, square] = [await moments.readFloat32('mean'), await moments.readFloat32('square')];
  return () => {
    optimizer.mean.set(mean);
    optimizer.square.set(square);
  };
}

/** A hash of everything that determines a run's results: settings, and every token and whether it is learned. */
export function fingerprintOf(settings: unknown, examples: readonly Example[]): string {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const { ids, supervised, chosen, soft } of examples) {
    hash.update(Int32Array.from([ids.length, ...Array.from(ids)]));
    if (chosen !== undefined) hash.update(Int32Array.of(chosen));
    hash.update(Uint8Array.from(supervised, Number));
    if (soft) hash.update(encodeSoft(soft));
  }
  return hash.digest('hex');
}

interface OrderedRows {
  options: TrainOptions;
  examples: ExampleSet;
  reader?: Pick<BackgroundReader, 'sample' | 'digest'> | null | undefined;
}

interface Fingerprinted extends OrderedRows {
  model: { config: ModelConfig };
  evaluation: ExampleSet;
  from?: StartingPoint | null | undefined;
}

/**
 * What identifies the order of a run's rows and what is drawn at random with them: the seed, how many rows a step has, and every
 * token of the rows.
 */
export function orderOf({ options, examples, reader }: OrderedRows): string {
  const { seed, batchSize, gradientAccumulationSteps, loraDropout } = options;
  const settings = [seed, batchSize, gradientAccumulationSteps, loraDropout, examples.length];
  return reader
    ? fingerprintOf([...settings, reader.digest], reader.sample)
    : fingerprintOf(settings, [...examplesOf(examples)]);
}

/**
 * What identifies a run: its settings, the model's shape, and every token of the data or, for a large data set, its
 * digest. Only a run with the same fingerprint resumes from its checkpoints.
 */
export function runFingerprint(
  { options, model, examples, evaluation, reader, from }: Fingerprinted,
  weights: WeightPrecision,
): string {
  const settings = [
    toFingerprintOptions(options),
    model.config,
    ...(weights === 'int8' ? [weights] : []),
    ...(from ? [{ from: from.sha256, keepsOptimizer: from.state !== null }] : []),
  ];
  return reader
    ? fingerprintOf([...settings, reader.digest], reader.sample)
    : fingerprintOf(settings, [...examplesOf(examples), ...examplesOf(evaluation)]);
}

interface SaveControl {
  signal?: AbortSignal | undefined;
  /** Called with the disk fault's code while a save waits, and with null once it is done. Without it, nothing is retried. */
  onHeldUp?: ((code: string | null) => void) | undefined;
  clock?: Clock | undefined;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/**
 * Retries saving while the disk is at fault: losing the steps since the last checkpoint would cost more than the wait.
 * `clear` removes the leftovers of a failed attempt, to free their space.
 */
export async function saveWhenPossible<T>(
  save: () => Promise<T>,
  clear: () => Promise<void>,
  { signal, onHeldUp, clock = realClock }: SaveControl,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS, isHeldUp = false; ; wait = Math.min(LONGEST_WAIT_MS, 2 * wait)) {
    try {
      const saved = await save();
      if (isHeldUp) onHeldUp?.(null);
      return saved;
    } catch (error) {
      const fault = findDiskFault(error);
      if (fault === null || !onHeldUp) throw error;
      isHeldUp = true;
      onHeldUp(fault);
      await clear().catch(() => {});
      await clock.sleep(wait, signal);
    }
  }
}
