// Downloads the files of one split of a data set on the Hub.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rename, unlessMissing } from '../../../system/index.js';
import {
  findRepository,
  type Hub,
  type HubFile,
  type HubRepository,
  hubStatusOf,
  listHubFiles,
  openHubFile,
  toChecksum,
  toHub,
} from '../../hub/repository.js';
import { hubSnapshotName } from '../../run-layout.js';
import { CacheError, findDownload, storeDownload } from './cache-folder.js';
import { chooseFiles } from './choose-files.js';
import {
  codeOf,
  type DataFile,
  DatasetError,
  type DatasetOptions,
  type HuggingFaceSource,
  toShortName,
} from './dataset.js';

/** Returns the local files, in order. */
export async function openHub(
  { name, split, subset }: HuggingFaceSource,
  options: DatasetOptions,
): Promise<DataFile[]> {
  const shown = toShortName(name);
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)?$/.test(name))
    throw new DatasetError(shown, 'is not the name of a data set on the Hub; use owner/name');
  const hub = openAccess(options, shown);
  try {
    const { commit, files: listed } = await openSnapshot(hub, name, options.snapshotFolder);
    const dataset: HubRepository = { type: 'dataset', name, commit };
    const byPath = new Map(listed.map(file => [file.path, file]));
    const choice = chooseFiles([...byPath.keys()], split, subset);
    if ('problem' in choice) throw new DatasetError(shown, choice.problem);
    const files: DataFile[] = [];
    for (const path of choice.paths) {
      const local = await fetchHubFile(hub, dataset, byPath.get(path)!, options.cacheFolder);
      files.push({ path: local, name: toShortName(path) });
    }
    return files;
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toHubError(shown, hub, error);
  }
}

function openAccess({ signal, fetch: plain = fetch, ...options }: DatasetOptions, shown: string): Hub {
  const hub = toHub({
    ...options,
    fetch: signal ? (input, init) => plain(input, { ...init, signal }) : plain,
  });
  if (hub.token !== undefined && !/^hf_[\x21-\x7e]+$/.test(hub.token))
    throw new DatasetError(shown, 'HF_TOKEN is not a Hub token; those start with hf_');
  return hub;
}

interface HubSnapshot {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/**
 * Stores the commit and the file list of a Hub data set in the run's folder when the run first reads it. A resumed run
 * then reads the same rows, even after a push or without the Hub. The first snapshot taken with this folder; the latest
 * state without a folder.
 */
async function openSnapshot(hub: Hub, dataset: string, folder: string | undefined): Promise<HubSnapshot> {
  if (folder === undefined) return fetchSnapshot(hub, dataset);
  const name = hubSnapshotName(dataset);
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
  const text = await unlessMissing(readFile(path, 'utf8'), null);
  return text === null ? null : (JSON.parse(text) as HubSnapshot);
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

/** Returns a local path. Downloads the file, verified by its hash, unless its content is already in the folder. */
async function fetchHubFile(
  hub: Hub,
  dataset: HubRepository,
  file: HubFile,
  folder: string,
): Promise<string> {
  const { kind, hash, expected } = toChecksum(file);
  const toName = (digest: string) => `hub-${kind}-${digest}`;
  const stored = expected && (await findDownload(folder, toName(expected), file.size));
  if (stored) return stored;
  const name = toShortName(file.path);
  const blob = await openHubFile(hub, dataset, file.path);
  if (!blob) throw new DatasetError(name, 'the Hub lists it but does not have it');
  const download = () => blob.stream() as AsyncIterable<Uint8Array>;
  return storeDownload(folder, download, hash, digest => {
    if (expected !== undefined && expected !== digest)
      throw new DatasetError(name, 'the download does not match its checksum on the Hub; try again');
    return toName(digest);
  });
}

/**
 * Turns an error of the Hub into a message that says what to do. Does not repeat the original message, which may
 * contain signed URLs.
 */
function toHubError(name: string, hub: Hub, error: unknown): unknown {
  if (error instanceof DatasetError || error instanceof CacheError) return error;
  const status = hubStatusOf(error);
  if (status === undefined) {
    const reason = `the Hub at ${hub.url} cannot be reached or did not answer as expected`;
    return new DatasetError(name, `${reason} (${codeOf(error) ?? 'the connection failed'})`);
  }
  return new DatasetError(
    name,
    describe(status, name, hub) ?? `the Hub at ${hub.url} answered ${status}; try again`,
  );
}

function describe(status: number, name: string, { url, token }: Hub): string | undefined {
  const page = `${url}/datasets/${name}`;
  if (status === 403)
    return `this account has no access to it; accept its conditions at ${page} with the account of HF_TOKEN`;
  if (status === 401 && token !== undefined) return 'the Hub rejects HF_TOKEN; set a valid one';
  if (status === 401)
    return 'the Hub has no public data set with this name; check the name, or set HF_TOKEN if it is private or gated';
  if (status !== 404) return undefined;
  const which = token === undefined ? 'set HF_TOKEN if it is private' : 'make sure that HF_TOKEN has access';
  return `the Hub has no data set with this name; check the name, or ${which}`;
}
