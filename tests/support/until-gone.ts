// Waits until a process has ended.
import { setTimeout as sleep } from 'node:timers/promises';

export async function untilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(20);
  }
}
