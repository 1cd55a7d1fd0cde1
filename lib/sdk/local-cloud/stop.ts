// Stops the local cloud's process and waits until it has exited. It asks over the API, which works the same on every
// system; a cloud that is too old for that or does not answer gets a signal.
import { createCloudClient } from '../../client/index.js';
import { type Clock, realClock } from '../../clock/index.js';
import { isAlive } from '../processes.js';
import type { LocalCloud } from './find.js';

const POLL_MS = 50;
const ANSWER_MS = 5000;
const PATIENCE_MS = 30_000;

/** False if it is still running after half a minute. Signals the PID only because the cloud has proved who it is. */
export async function stopLocalCloud(cloud: LocalCloud, clock = realClock): Promise<boolean> {
  const stoppingPid = await ask(cloud, clock);
  if (stoppingPid === null) signal(cloud.pid);
  return untilGone(stoppingPid ?? cloud.pid, clock);
}

/** Like `stopLocalCloud`, for a process known only to own the cloud's folder. */
export async function stopOwner(pid: number, clock = realClock): Promise<boolean> {
  signal(pid);
  return untilGone(pid, clock);
}

/** The PID as the process reports it: the file may have been changed. */
async function ask({ url, secret }: LocalCloud, clock: Clock): Promise<number | null> {
  try {
    const options = { signal: clock.deadline(ANSWER_MS) };
    return (await createCloudClient({ baseUrl: url, clock }).stopCloud(secret, options)).pid;
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

async function untilGone(pid: number, clock: Clock): Promise<boolean> {
  const until = clock.elapsed() + PATIENCE_MS;
  while (isAlive(pid)) {
    if (clock.elapsed() > until) return false;
    await clock.sleep(POLL_MS);
  }
  return true;
}
