// Where downloads are kept: each under the hash of what it holds, there as a whole or not at all.
import { type Hash, randomUUID } from 'node:crypto';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../../system/index.js';
import { codeOf } from './dataset-error.js';

/** This machine cannot keep downloads, which is no fault of the data set. */
export class CacheError extends Error {
  override readonly name = 'CacheError';
}

/** Writes the chunks into the folder, as the file that `toName` names by their hash; what it throws undoes it. */
export async function keep(
  folder: string,
  chunks: AsyncIterable<Uint8Array>,
  hash: Hash,
  toName: (digest: string) => string,
): Promise<string> {
  const onDisk = <Value>(action: Promise<Value>) =>
    action.catch(cause => {
      throw new CacheError(`Downloads cannot be kept in ${folder} (${codeOf(cause)}).`, { cause });
    });
  await onDisk(mkdir(folder, { recursive: true }));
  const temporary = join(folder, `${randomUUID()}.part`);
  try {
    const handle = await onDisk(open(temporary, 'wx', 0o600));
    try {
      for await (const chunk of chunks) {
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

/** The path of what was kept under this name, if it is there in this size. */
export async function findKept(folder: string, name: string, size: number): Promise<string | undefined> {
  const path = join(folder, name);
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() && found.size === size ? path : undefined;
}
