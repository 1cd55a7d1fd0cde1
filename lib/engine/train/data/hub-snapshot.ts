// What a data set on the Hub was when a run first read it: its commit, and the files of that. Remembered in the run's
// folder, so that a run that goes on reads the same rows, whatever was pushed meanwhile and whether the Hub answers.
import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../../system/index.js';
import { CacheError } from './cache-folder.js';
import { codeOf } from './dataset-error.js';
import { findCommit, type Hub, type HubFile, listHubFiles } from './hub-dataset.js';

export interface HubSnapshot {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/** As it was when it was first asked for with this folder; as it is now without a folder. */
export async function openSnapshot(
  hub: Hub,
  dataset: string,
  folder: string | undefined,
): Promise<HubSnapshot> {
  if (folder === undefined) return take(hub, dataset);
  const name = `hub-${createHash('sha256').update(dataset).digest('hex').slice(0, 16)}.json`;
  const path = join(folder, name);
  const known = await onDisk(folder, read(path));
  if (known) return known;
  const taken = await take(hub, dataset);
  await onDisk(folder, remember(folder, name, taken));
  return (await onDisk(folder, read(path))) ?? taken;
}

async function take(hub: Hub, dataset: string): Promise<HubSnapshot> {
  const commit = await findCommit(hub, dataset);
  return { commit, files: await listHubFiles(hub, dataset, commit) };
}

async function read(path: string): Promise<HubSnapshot | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as HubSnapshot;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** There as a whole or not at all; of two who come at once, the first one's counts. */
async function remember(folder: string, name: string, snapshot: HubSnapshot): Promise<void> {
  const path = join(folder, name);
  const partial = join(folder, `.${name}.${randomUUID()}.tmp`);
  await mkdir(folder, { recursive: true });
  try {
    await writeFile(partial, JSON.stringify(snapshot), { flush: true });
    await link(partial, path).catch(async error => {
      // Some file systems know no second names.
      if (codeOf(error) !== 'EEXIST') await rename(partial, path);
    });
  } finally {
    await rm(partial, { force: true });
  }
}

async function onDisk<Value>(folder: string, action: Promise<Value>): Promise<Value> {
  return action.catch(cause => {
    const reason = codeOf(cause) ?? 'it is damaged';
    throw new CacheError(`What was read of the Hub cannot be remembered in ${folder} (${reason}).`, {
      cause,
    });
  });
}
