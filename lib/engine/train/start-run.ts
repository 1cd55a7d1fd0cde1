// Starts a run: resumes it from its last intact checkpoint, if there is one, and opens its graph.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_FILE } from '../run-layout.js';
import { type AdamWState, createLearned } from './adam-w.js';
import {
  clearPartials,
  loadCheckpoint,
  type Progress,
  readMoments,
  readProgress,
  readState,
  updatesSoFar,
} from './checkpoint.js';
import { listCheckpoints } from './kept-checkpoints.js';
import { updatesPerStep } from './options.js';
import { openRowLosses, type RowLosses } from './row-losses/write-row-losses.js';
import type { StepRunner } from './runners.js';
import type { ParameterState } from './state.js';
import type { TrainingLoop } from './training-loop.js';

export interface Run extends TrainingLoop {
  optimizer: AdamWState;
  progress: Progress;
  resumedFromStep: number | null;
  damagedCheckpoints: number[];
  runner: StepRunner;
  rowLosses: RowLosses | null;
  assertOwner: () => Promise<void>;
}

export async function startRun<S extends ParameterState>(loop: TrainingLoop<S>): Promise<Run> {
  const { folder, state, control } = loop;
  const learned = createLearned(state);
  const assertOwner = createOwnerCheck(folder, control.attempt);
  await mkdir(folder, { recursive: true });
  await assertOwner();
  await clearPartials(folder);
  const { saved, damaged } = await resume(loop, learned.optimizer);
  if (!saved) loop.initialize(state);
  const progress = saved ?? (await begin(loop, learned.optimizer));
  const { recordedRows, order } = loop;
  // PyTorch has the same order, and does not save it.
  if (order !== undefined) progress.order ??= order;
  const rowLosses =
    recordedRows === undefined
      ? null
      : await openRowLosses(folder, { ...recordedRows, afterStep: progress.step, assertOwner });
  const runner = await loop.createRunner(learned);
  return {
    ...(loop as unknown as TrainingLoop),
    optimizer: learned.optimizer,
    progress,
    resumedFromStep: saved?.step ?? null,
    damagedCheckpoints: damaged,
    runner,
    rowLosses,
    assertOwner,
  };
}

/** The progress of a new run, before its first step. */
async function begin(
  { fingerprint, weights, order, optimizerFrom, options }: Omit<TrainingLoop, 'state' | 'initialize'>,
  optimizer: AdamWState,
): Promise<Progress> {
  const kept = optimizerFrom == null ? {} : await keepOptimizer(optimizerFrom, optimizer, order);
  const updates = updatesPerStep(options.method);
  const known = { ...(updates > 1 && { updates }), ...(weights && { weights }) };
  return { step: 0, ...kept, losses: [], best: null, ...known, fingerprint };
}

/** Goes on with the optimizer of another run and, if the rows come in the same order, where that run stopped in it. */
async function keepOptimizer(
  folder: string,
  optimizer: AdamWState,
  order: string | undefined,
): Promise<Pick<Progress, 'optimizerSteps' | 'position'>> {
  const before = await readState(folder);
  if (typeof before === 'string')
    throw new Error('The optimizer state that the run continues with is missing or damaged.');
  const apply = await readMoments(folder, optimizer);
  apply();
  const { step, position = 0 } = before;
  optimizer.step = updatesSoFar(before);
  const isSameOrder = order !== undefined && before.order === order;
  return { optimizerSteps: optimizer.step, ...(isSameOrder && { position: position + step }) };
}

/** The folder is a run's with other settings or data. */
export class OtherRunError extends Error {
  override readonly name = 'OtherRunError';
}

interface Resumption {
  saved: Progress | null;
  damaged: number[];
}

/** The run's last intact checkpoint, if any. Another run's checkpoint is an error, so that runs never mix. */
async function resume(
  {
    folder,
    fingerprint,
    otherFingerprint = fingerprint,
    load,
  }: Pick<TrainingLoop, 'folder' | 'fingerprint' | 'otherFingerprint' | 'load'>,
  optimizer: AdamWState,
): Promise<Resumption> {
  const damaged: number[] = [];
  for (const step of (await listCheckpoints(folder)).toReversed()) {
    const saved = await readProgress(folder, step);
    if (saved === 'pruned') continue;
    if (saved !== 'damaged' && ![fingerprint, otherFingerprint].includes(saved.fingerprint)) {
      throw new OtherRunError(`${folder} holds the checkpoints of another run; choose another folder.`);
    }
    if (saved !== 'damaged' && (await loadCheckpoint(folder, saved, optimizer, load)))
      return { saved, damaged };
    damaged.push(step);
  }
  return { saved: null, damaged };
}

/**
 * Keeps an attempt at a run from saving after a newer attempt has started, so that a trainer that was presumed dead
 * changes nothing. The check throws once the folder belongs to another attempt; without an attempt number, it never
 * does.
 */
function createOwnerCheck(folder: string, attempt: number | undefined): () => Promise<void> {
  if (attempt === undefined) return async () => {};
  return async () => {
    const current = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => '');
    if (current.trim() !== String(attempt)) {
      throw new Error(`Attempt ${attempt} at this run was superseded, so it saves nothing more.`);
    }
  };
}
