// Stores the commit and the file list of a Hub data set in the run's folder when the run first reads it. A resumed run
// then reads the same rows, even after a push or without the Hub.
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../../system/index.js';
import { findRepository, type Hub, type HubFile, listHubFiles } from '../../hub/index.js';
import { CacheError } from './cache-folder.js';
import { codeOf } from './dataset-error.js';

interface HubSnapshot {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/** The first snapshot taken with this folder; the latest state without a folder. */
export async function openSnapshot(
  hub: Hub,
  dataset: string,
  folder: string | undefined,
): Promise<HubSnapshot> {
  if (folder === undefined) return fetchSnapshot(hub, dataset);
  const name = `hub-${createHash('sha256').update(dataset).digest('hex').slice(0, 16)}.json`;
  const path = join(folder, name);
  const stored = await onDisk(folder, read(path));
  if (stored) return stored;
  const fetched = await fetchSnapshot(hub, dataset);
  await onDisk(folder, write(folder, name, fetched));
  return (await onDisk(folder, read(path))) ?? fetched;
}

async function fetchSnapshot(hub: Hub, dataset: string): Promise<HubSnapshot> {
  const repository = await findRepository(hub, { type: 'dataset', name: dataset });
  return { commit: repository.commit, files: await listHubFiles(hub, repository, { recursive: true }) };
}

async function read(path: string): Promise<HubSnapshot | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as HubSnapshot;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Appears complete or not at all; of two concurrent writers, the first wins. */
async function write(folder: string, name: string, snapshot: HubSnapshot): Promise<void> {
  const path = join(folder, name);
  const partial = join(folder, `.${name}.${randomUUID()}.tmp`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(partial, JSON.stringify(snapshot), { flush: true });
    await link(partial, path).catch(async error => {
      // Some file systems have no hard links.
      if (codeOf(error) !== 'EEXIST') await rename(partial, path);
    });
  } finally {
    await rm(partial, { force: true });
  }
}

async function onDisk<Value>(folder: string, action: Promise<Value>): Promise<Value> {
  return action.catch(cause => {
    const reason = codeOf(cause) ?? 'it is damaged';
    throw new CacheError(`Cannot read or write the data set's file list in ${folder} (${reason}).`, {
      cause,
    });
  });
}
