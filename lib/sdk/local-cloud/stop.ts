// Asks the local cloud's process to end, and waits until it is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalCloud } from './find.js';

const POLL_MS = 50;

/** False when it is still there after that time. Only a cloud that proved who it is has a pid that may be signalled. */
export async function stopLocalCloud({ pid }: LocalCloud, waitMs = 30_000): Promise<boolean> {
  const until = Date.now() + waitMs;
  if (!signal(pid, 'SIGTERM')) return true;
  while (signal(pid, 0)) {
    if (Date.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** False when there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
