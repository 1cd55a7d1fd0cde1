// The folder that a job's trainer works in: which attempt may save there, and which of its checkpoints the log knows.
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../system/index.js';
import { listNames, removeAll } from '../disk/remove-files.js';

/** The file in which the trainer looks for the number of the attempt that may save. */
const ATTEMPT_FILE = 'attempt';

const CHECKPOINT = /^checkpoint-(\d+)$/;
const WORK = /^(checkpoint-\d+(\.partial)?|final|\..*\.tmp)$/;

/** From here on only this attempt may save anything in the folder. */
export async function claimRunFolder(folder: string, attempt: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, ATTEMPT_FILE);
  const handle = await open(`${path}.new`, 'w');
  try {
    await handle.writeFile(String(attempt));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
}

/**
 * Removes checkpoints that were saved but never told of, as when the cloud died in between: the steps up to them are
 * missing in the log, so the run goes back to before them.
 */
export async function removeUnrecordedCheckpoints(folder: string, lastTold: number): Promise<void> {
  for (const name of await listNames(folder)) {
    const step = CHECKPOINT.exec(name)?.[1];
    if (step !== undefined && Number(step) > lastTold) await rm(join(folder, name), { recursive: true });
  }
}

/** What a trainer has saved to go on from, which a job that has ended no longer needs. */
export async function listWork(folder: string): Promise<string[]> {
  return (await listNames(folder)).filter(name => WORK.test(name)).map(name => join(folder, name));
}

export async function clearWork(folder: string): Promise<void> {
  await removeAll(await listWork(folder));
}
