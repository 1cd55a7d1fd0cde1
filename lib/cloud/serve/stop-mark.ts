// A file in the data folder that says that the last cloud on it ended because it was told to. One that failed, or was
// killed, leaves none: who starts it again by itself then knows to be careful.
import { rmSync, writeFileSync } from 'node:fs';
import { stopMarkIn } from '../../system/index.js';
import type { Log } from './log.js';

/** While the folder is still ours. A mark that cannot be made is no reason not to end. */
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
