// Stops the local cloud's process and waits until it has exited. It asks over the API, which works the same on every
// system; a cloud that is too old for that or does not answer gets a signal.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCloudClient } from '../../client/index.js';
import { isAlive } from '../is-alive.js';
import type { LocalCloud } from './find.js';

const POLL_MS = 50;
const ANSWER_MS = 5000;

/** False if it is still running after `waitMs`. Signals the PID only because the cloud has proved who it is. */
export async function stopLocalCloud(cloud: LocalCloud, waitMs = 30_000): Promise<boolean> {
  const asked = await ask(cloud);
  if (asked === null) signal(cloud.pid);
  return untilGone(asked ?? cloud.pid, waitMs);
}

/** Like `stopLocalCloud`, for a process known only to own the cloud's folder. */
export async function stopOwner(pid: number, waitMs = 30_000): Promise<boolean> {
  signal(pid);
  return untilGone(pid, waitMs);
}

/** The PID as the process reports it: the file may have been changed. */
async function ask({ url, secret }: LocalCloud): Promise<number | null> {
  try {
    const options = { signal: AbortSignal.timeout(ANSWER_MS) };
    return (await createCloudClient({ baseUrl: url }).stopCloud(secret, options)).pid;
  } catch {
    return null;
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function untilGone(pid: number, waitMs: number): Promise<boolean> {
  const until = Date.now() + waitMs;
  while (isAlive(pid)) {
    if (Date.now() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}
