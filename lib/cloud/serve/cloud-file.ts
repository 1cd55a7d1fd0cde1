// `cloud.json` in the data folder: where the cloud is, and the secret that identifies it. It stays when the cloud
// stops, so that the next one gets the same port and secret. Clients believe it only after a proof.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { type CloudFile, cloudFile, findFault } from '../../contract/index.js';
import { cloudFileIn, replaceFile } from '../../system/index.js';
import type { Log } from './log.js';

const toText = (content: CloudFile) => `${JSON.stringify(content, null, 2)}\n`;

/** Null if missing or invalid; it is then written anew. */
export function readCloudFile(folder: string): CloudFile | null {
  try {
    const content: unknown = JSON.parse(readFileSync(cloudFileIn(folder), 'utf8'));
    return findFault(cloudFile, content, 'It') === null ? (content as CloudFile) : null;
  } catch {
    return null;
  }
}

export async function writeCloudFile(folder: string, content: CloudFile): Promise<void> {
  const path = cloudFileIn(folder);
  const write = () => replaceFile(path, toText(content), 0o600);
  await write().catch(async error => {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    await rename(path, `${path}.${randomBytes(4).toString('hex')}.aside`);
    await write();
  });
}

/** Each call checks the file and restores it if it is missing or changed, because clients find the cloud by it. */
export function createCloudFileKeeper(folder: string, content: CloudFile, log: Log): () => Promise<void> {
  const wanted = toText(content);
  let isFailing = false;
  return async () => {
    if ((await readFile(cloudFileIn(folder), 'utf8').catch(() => null)) === wanted) return;
    try {
      await writeCloudFile(folder, content);
      log({ message: 'cloud.json was missing or changed and has been restored.' });
      isFailing = false;
    } catch (error) {
      if (!isFailing) log({ message: 'cloud.json is missing or changed and cannot be restored.', error });
      isFailing = true;
    }
  };
}

export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
