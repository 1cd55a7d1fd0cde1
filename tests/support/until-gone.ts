// Waits until a process has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../lib/sdk/index.js';

export async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}
