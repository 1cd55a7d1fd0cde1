// Asks the local cloud's process to end, and waits until it is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../is-alive.js';
import type { LocalCloud } from './find.js';

const POLL_MS = 50;

/** False when it is still there after that time. Only a cloud that proved who it is has a pid that may be signalled. */
export async function stopLocalCloud({ pid }: LocalCloud, waitMs = 30_000): Promise<boolean> {
  const until = Date.now() + waitMs;
  if (!isAlive(pid)) return true;
  ask(pid);
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function ask(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
