// Stores downloads, named by the hash of their content. A download appears complete or not at all.
import { type Hash, randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../../system/index.js';
import { codeOf } from './dataset.js';

/** This machine cannot store downloads; nothing is wrong with the data set. */
export class CacheError extends Error {
  override readonly name = 'CacheError';
}

/**
 * `toName` names the file by its hash; if it throws, nothing is stored. The download begins once there is a file to write
 * to: one that nobody reads would keep its connection.
 */
export async function storeDownload(
  folder: string,
  download: () => AsyncIterable<Uint8Array>,
  hash: Hash,
  toName: (digest: string) => string,
): Promise<string> {
  const onDisk = <Value>(action: Promise<Value>) =>
    action.catch(cause => {
      throw new CacheError(`Cannot store downloads in ${folder} (${codeOf(cause)}).`, { cause });
    });
  await onDisk(mkdir(folder, { recursive: true }));
  const temporary = join(folder, `${randomUUID()}.part`);
  try {
    const handle = await onDisk(open(temporary, 'wx', 0o600));
    try {
      for await (const chunk of download()) {
        hash.update(chunk);
        await onDisk(handle.writeFile(chunk));
      }
      await onDisk(handle.sync());
    } finally {
      await handle.close();
    }
    const path = join(folder, toName(hash.digest('hex')));
    await onDisk(rename(temporary, path));
    return path;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The path of a stored download, if it has the expected size. */
export async function findDownload(folder: string, name: string, size: number): Promise<string | undefined> {
  const path = join(folder, name);
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size === size ? path : undefined;
}
