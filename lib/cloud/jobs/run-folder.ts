// The folder that a job's trainer works in: which attempt may save there, and which of its checkpoints are recorded.
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkpointStep, isRunWork, OWNER_FILE } from '../../engine/index.js';
import { replaceFile } from '../../system/index.js';
import { listNames, removeAll } from '../disk/remove-files.js';

/** From now on, only this attempt may save anything in the folder. */
export async function claimRunFolder(folder: string, attempt: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, OWNER_FILE), String(attempt));
}

/**
 * Removes checkpoints that were saved but never recorded, as when the cloud died in between. The log lacks the steps up to
 * them, so the run resumes from an earlier one.
 */
export async function removeUnrecordedCheckpoints(folder: string, lastRecorded: number): Promise<void> {
  for (const name of await listNames(folder)) {
    const step = checkpointStep(name);
    if (step !== null && step > lastRecorded) await rm(join(folder, name), { recursive: true });
  }
}

/** What a trainer has saved to resume from. A job that has ended no longer needs it. */
export async function listWork(folder: string): Promise<string[]> {
  return (await listNames(folder)).filter(isRunWork).map(name => join(folder, name));
}

export async function clearWork(folder: string): Promise<void> {
  await removeAll(await listWork(folder));
}
