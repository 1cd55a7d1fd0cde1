// Periodic work on the data folder while a cloud runs: checks that it still owns the folder and that clients can find
// it, and moves the output of its processes to the log.
import type { Clock } from '../../clock/index.js';
import type { CloudFile } from '../../contract/index.js';
import { type Repeating, repeat } from '../../system/index.js';
import type { FolderLock } from '../disk/own-folder.js';
import { createCloudFileKeeper } from './cloud-file.js';
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

/** How often it checks its folder. */
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
