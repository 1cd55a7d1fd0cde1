// The adapters that a job offers. The trainer prunes its own checkpoints as it goes, optimizer and all; what is offered
// is held beside them, by second names of the same files, and let go of only when no endpoint uses it.
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AdapterPlace, adapterName, type Folders } from '../jobs/folders.js';

/** In PEFT's layout. */
export const ADAPTER_FILES = ['adapter_config.json', 'adapter_model.safetensors'] as const;

/** Holds on to what the trainer saved; false when it was pruned in the meantime. */
export async function keepAdapter(folders: Folders, jobId: string, adapter: AdapterPlace): Promise<boolean> {
  const source = join(folders.job(jobId), adapterName(adapter));
  const target = folders.adapter(jobId, adapter);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    for (const file of ADAPTER_FILES) await giveSecondName(join(source, file), join(partial, file));
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (isMissing(error)) return false;
    throw error;
  }
  await syncFolder(partial);
  await rm(target, { recursive: true, force: true });
  await rename(partial, target);
  await syncFolder(dirname(target));
  return true;
}

/** Whether the trainer still has the checkpoint of a step. */
export async function isHeldByTrainer(folders: Folders, jobId: string, step: number): Promise<boolean> {
  const path = join(folders.job(jobId), adapterName({ kind: 'checkpoint', step }));
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Where the file system knows no second names, a copy. */
async function giveSecondName(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(from, to);
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Makes the names in a folder survive a power cut; Windows has no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
