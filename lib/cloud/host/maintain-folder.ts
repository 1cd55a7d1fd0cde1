// Maintains a running cloud's data folder: checks that the cloud still owns the folder and that clients can find it, moves
// process output to the log, and marks an intended shutdown.
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { type Clock, type Repeating, repeat } from '../../clock/index.js';
import { type CloudFile, cloudFile, findFault } from '../../contract/index.js';
import { cloudFileIn, replaceFile, stopMarkIn } from '../../system/index.js';
import type { FolderLock } from '../disk/own-folder.js';
import type { Log } from './log.js';

interface MaintenanceOptions {
  folder: string;
  lock: FolderLock;
  /** The content of cloud.json. */
  content: CloudFile;
  log: Log;
  takeOutput(): Promise<void>;
  clock: Clock;
  /** Another cloud owns the folder now. */
  onLost(error: Error): void;
}

/** How often to check the folder. */
const SECOND_MS = 1000;

export function maintainFolder({
  folder,
  lock,
  content,
  log,
  takeOutput,
  clock,
  onLost,
}: MaintenanceOptions): Repeating {
  const keepCloudFile = createCloudFileKeeper(folder, content, log);
  let isLost = false;
  const maintain = async () => {
    if (isLost) return;
    if (!lock.confirm()) {
      isLost = true;
      return onLost(new Error(`The lock of ${folder} was deleted, and another cloud owns the folder now.`));
    }
    await keepCloudFile();
    await takeOutput();
  };
  return repeat(maintain, SECOND_MS, clock);
}

const toText = (content: CloudFile) => `${JSON.stringify(content, null, 2)}\n`;

/** Null if missing or invalid; it is then rewritten. */
export function readCloudFile(folder: string): CloudFile | null {
  try {
    const content: unknown = JSON.parse(readFileSync(cloudFileIn(folder), 'utf8'));
    return findFault(cloudFile, content, 'It') === null ? (content as CloudFile) : null;
  } catch {
    return null;
  }
}

/**
 * `cloud.json` in the data folder: the cloud's address, and the secret that identifies it. It stays when the cloud stops, so
 * that the next one gets the same port and secret. Clients trust it only after a proof.
 */
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
function createCloudFileKeeper(folder: string, content: CloudFile, log: Log): () => Promise<void> {
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

/**
 * Marks that the last cloud on the folder was stopped on purpose. A crash leaves no mark, so that automatic restarts can be
 * paced. Written only while we own the folder. A failure to write it must not keep the cloud from stopping.
 */
export function markStopped(folder: string, log: Log): void {
  try {
    writeFileSync(stopMarkIn(folder), '', { mode: 0o600 });
  } catch (error) {
    log({ message: 'The cloud is stopping, but cannot write to its data folder.', error });
  }
}

export function unmarkStopped(folder: string): void {
  rmSync(stopMarkIn(folder), { force: true });
}
