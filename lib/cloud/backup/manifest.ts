// The first file in a backup, which identifies it: the version of svc that made it, and the digests of all other files.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { parseObject } from '../../contract/index.js';
import { digestFile } from '../../engine/index.js';
import { CloudError } from '../cloud-error.js';

export const backupError = (message: string) => new CloudError('backup', message);

/** The copy of the cloud's database, in a backup as in a data folder. */
export const DATABASE = 'cloud.db';
export const MANIFEST = 'svc-backup.json';

const FORMAT = 1;

/** By name, with forward slashes. */
type Digests = Record<string, string>;

export async function writeManifest(
  stage: string,
  names: readonly string[],
  version: string,
  signal?: AbortSignal,
): Promise<void> {
  const files: Digests = {};
  for (const name of names) {
    signal?.throwIfAborted();
    files[toPortable(name)] = await digestFile(join(stage, name));
  }
  const manifest = { format: FORMAT, version, createdAt: new Date().toISOString(), files };
  await writeFile(join(stage, MANIFEST), `${JSON.stringify(manifest)}\n`);
}

/** Throws unless the folder's content matches the manifest. Removes the manifest afterward. */
export async function takeManifest(unpacked: string, signal?: AbortSignal): Promise<{ version: string }> {
  const text = await readFile(join(unpacked, MANIFEST), 'utf8').catch(() => '');
  const { format, version, files } = parseObject(text) ?? {};
  if (typeof format !== 'number' || !(files instanceof Object))
    throw backupError('This is not a backup made by svc cloud backup.');
  if (format !== FORMAT)
    throw backupError(`This backup was made by svc ${version}, which is newer. Update svc.`);
  await rm(join(unpacked, MANIFEST));
  await compare(unpacked, new Map(Object.entries(files as Digests)), signal);
  return { version: String(version) };
}

async function compare(
  unpacked: string,
  digests: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const entries = await readdir(unpacked, { recursive: true, withFileTypes: true });
  const found = new Set(
    entries
      .filter(entry => entry.isFile())
      .map(entry => toPortable(relative(unpacked, join(entry.parentPath, entry.name)))),
  );
  for (const name of found)
    if (!digests.has(name)) throw backupError(`This backup has a file that it does not list: ${name}.`);
  for (const [name, expected] of digests) {
    signal?.throwIfAborted();
    if (!found.has(name)) throw backupError(`${describe(name)} is missing from this backup.`);
    if ((await digestFile(join(unpacked, name))) !== expected)
      throw backupError(`${describe(name)} in this backup is damaged.`);
  }
}

function describe(name: string): string {
  return name === DATABASE ? 'The database' : name;
}

export function toPortable(name: string): string {
  return name.split(sep).join('/');
}
