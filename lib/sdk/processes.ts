// Processes: checking whether one is alive, stopping a child with everything it started, and messages from a
// run to its Studio.
import type { ChildProcess } from 'node:child_process';
import { realClock } from '../clock/index.js';
import { readProcessFields } from '../system/index.js';

const STATE = 0;
const THREADS = 17;

/** Zombies do not count: in many containers PID 1 never reaps them. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || !isZombie(pid);
}

/** While a zombie has more than one thread, the others still hold its files and ports. */
function isZombie(pid: number): boolean {
  const fields = readProcessFields(pid);
  return fields !== null && /^[ZX]$/.test(fields[STATE]!) && Number(fields[THREADS]) <= 1;
}

const PATIENCE_MS = 3000;

/** Stops a child that leads a process group, along with everything it started. */
export async function stopGroup(
  child: ChildProcess,
  exited: Promise<unknown>,
  clock = realClock,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const timer = clock.after(PATIENCE_MS, () => signalGroup(child, 'SIGKILL'));
  await exited;
  timer.stop();
}

/** Signals only the child where there are no process groups. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

/** The type of the only message from a run to the Studio that started its process, over their IPC channel. */
export const JOB_MESSAGE = 'svc.job';

/** Tells Studio which job this process follows. Without a Studio there is no channel, and nothing is sent. */
export function reportJob(jobId: string): void {
  process.send?.({ type: JOB_MESSAGE, jobId }, undefined, undefined, () => {
    // Studio has exited, so there is no one to tell.
  });
}

/** Calls `react` once the Studio that started this process has exited, however it did. Returns a function to cancel. */
export function onStudioGone(react: () => void): () => void {
  if (!process.channel) return () => {};
  process.once('disconnect', react);
  return () => void process.off('disconnect', react);
}
