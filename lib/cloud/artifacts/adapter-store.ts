// The adapters that a job offers. The trainer's own folder is removed when the job ends. Offered adapters are hard
// links next to it and stay as long as the job, because a slow callback may ask for a checkpoint much later. Imported
// ones are hard links to their upload.
import { copyFile, link, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ADAPTER_FILES } from '../../engine/index.js';
import { rename, syncFolder } from '../../system/index.js';
import { type AdapterPlace, adapterName, type Folders } from '../disk/folders.js';

/** Links what the trainer saved; false if it is not there. */
export function publishAdapter(folders: Folders, jobId: string, adapter: AdapterPlace): Promise<boolean> {
  return linkAdapter(join(folders.job(jobId), adapterName(adapter)), folders.adapter(jobId, adapter));
}

/** Survives a power cut once it returns. False if a file is not there. */
export async function linkAdapter(source: string, target: string): Promise<boolean> {
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    for (const file of ADAPTER_FILES) await hardLinkOrCopy(join(source, file), join(partial, file));
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

/** Copies where the file system has no hard links. */
export async function hardLinkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(from, to);
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
