// A file that says that the last cloud on a data folder was stopped on purpose. After a crash there is none, so that
// automatic restarts can be paced.
import { rmSync, writeFileSync } from 'node:fs';
import { stopMarkIn } from '../../system/index.js';
import type { Log } from './log.js';

/** Only while we own the folder. Failing to write the mark must not keep the cloud from stopping. */
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
