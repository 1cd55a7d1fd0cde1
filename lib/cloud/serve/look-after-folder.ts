// Periodic work on the data folder while a cloud runs: checks that it still owns the folder and that clients can find
// it, and moves the output of its processes to the log.
import type { CloudFile } from '../../contract/index.js';
import { type Repeating, repeat } from '../../system/index.js';
import type { FolderLock } from '../disk/own-folder.js';
import { createCloudFileKeeper } from './cloud-file.js';
import type { Log } from './log.js';

interface LookAfterOptions {
  folder: string;
  lock: FolderLock;
  /** The content of cloud.json. */
  content: CloudFile;
  log: Log;
  takeOutput(): Promise<void>;
  lookAfterMs?: number | undefined;
  /** Another cloud owns the folder now. */
  onLost(error: Error): void;
}

const SECOND_MS = 1000;

export function lookAfterFolder({
  folder,
  lock,
  content,
  log,
  takeOutput,
  lookAfterMs = SECOND_MS,
  onLost,
}: LookAfterOptions): Repeating {
  const keepCloudFile = createCloudFileKeeper(folder, content, log);
  let isLost = false;
  return repeat(async () => {
    if (isLost) return;
    if (!lock.confirm()) {
      isLost = true;
      return onLost(new Error(`The lock of ${folder} was deleted, and another cloud owns the folder now.`));
    }
    await keepCloudFile();
    await takeOutput();
  }, lookAfterMs);
}
