// The checkpoints in a run's folder, and how many of them a run can still resume from.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rename, unlessMissing } from '../../system/index.js';
import { checkpointName, checkpointStep, DIGESTS, OPTIMIZER, PARTIAL, STATE } from '../run-layout.js';

export async function listCheckpoints(folder: string): Promise<number[]> {
  const names = await unlessMissing(readdir(folder), []);
  return names.flatMap(name => checkpointStep(name) ?? []).sort((a, b) => a - b);
}

interface Pruning {
  /** Later checkpoints stay, and do not count: they are not recorded yet. Default: there are none. */
  upTo?: number;
  /** How many of the latest checkpoints to keep. */
  keep: number;
  /** The step of the best checkpoint, which is kept, too. */
  best: number | null;
  /** Whether the other checkpoints keep what was trained. */
  keepsTrained: boolean;
}

/** A run can then resume only from the latest few checkpoints and the best one. */
export async function pruneCheckpoints(
  folder: string,
  { upTo = Number.POSITIVE_INFINITY, keep, best, keepsTrained }: Pruning,
): Promise<void> {
  const steps = (await listCheckpoints(folder)).filter(step => step <= upTo);
  const old = steps.slice(0, Math.max(0, steps.length - Math.max(1, keep))).filter(step => step !== best);
  for (const step of old) {
    const path = join(folder, checkpointName(step));
    if (!keepsTrained) await removeCheckpoint(path);
    // The state goes last, since its absence marks a completed pruning.
    else if (existsSync(join(path, STATE)))
      for (const file of [DIGESTS, OPTIMIZER, STATE]) await rm(join(path, file), { force: true });
  }
}

/** A folder with the name of a checkpoint stays complete, so it loses its name first. */
async function removeCheckpoint(path: string): Promise<void> {
  const partial = `${path}${PARTIAL}`;
  await rm(partial, { recursive: true, force: true });
  await rename(path, partial);
  await rm(partial, { recursive: true, force: true });
}
