// `cloud.json` in the data folder: where this cloud is, and the secret by which it is known. It stays when the cloud
// stops, so that the next one has the same port and secret; that it runs is only believed after a proof.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CloudFile, cloudFile, findFault } from '../../contract/index.js';

const pathIn = (folder: string) => join(folder, 'cloud.json');

/** Null when there is none, or none that can be read: it is only a memory, and is written anew. */
export function readCloudFile(folder: string): CloudFile | null {
  try {
    const content: unknown = JSON.parse(readFileSync(pathIn(folder), 'utf8'));
    return findFault(cloudFile, content, 'It') === null ? (content as CloudFile) : null;
  } catch {
    return null;
  }
}

export function writeCloudFile(folder: string, content: CloudFile): void {
  const partial = `${pathIn(folder)}.${process.pid}.tmp`;
  try {
    writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(partial, pathIn(folder));
  } finally {
    rmSync(partial, { force: true });
  }
}

export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
