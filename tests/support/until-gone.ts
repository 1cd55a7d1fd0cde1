// Waits until a process has ended.
import { readFileSync } from 'node:fs';
import { isAlive } from '../../lib/sdk/processes.js';
import { untilFound } from './in-time.js';

export async function untilGone(pid: number): Promise<void> {
  await untilFound(() => !isAlive(pid), { beside: () => `process ${pid}: ${commandOf(pid)}` });
}

/** As Linux tells it. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return 'its command is unknown';
  }
}
