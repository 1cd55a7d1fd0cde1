// Processes: checking whether one is alive, naming one in a file name, stopping a child with everything it started, and
// messages from a run to its Studio.
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { realClock } from '../clock/index.js';
import { readProcessFields } from '../system/index.js';

const STATE = 0;
const THREADS = 17;
const STARTED = 19;

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

/** The scope in which a PID means the same process: containers may share a host name, but not processes. */
export function findPlace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

const UNKNOWN = '0';
const startOf = (pid: number) => readProcessFields(pid)?.[STARTED] ?? UNKNOWN;
const placeName = () => createHash('sha256').update(findPlace()).digest('hex').slice(0, 8);

/** Names this process in a file name. Where the system says when processes start, a later one with its PID has another name. */
export const nameProcess = () => [process.pid, startOf(process.pid), placeName()].join('-');

/** Whether the process with this name ended. False for what is no name, and for processes that cannot be seen from here. */
export function hasEnded(name: string): boolean {
  const [, pid, started, place] = /^(\d+)-(\d+)-([0-9a-f]{8})$/.exec(name) ?? [];
  if (place !== placeName()) return false;
  const now = startOf(Number(pid));
  return !isAlive(Number(pid)) || (started !== UNKNOWN && now !== UNKNOWN && now !== started);
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
