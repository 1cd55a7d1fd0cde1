// Stops a child that leads a process group, along with everything it started.
import type { ChildProcess } from 'node:child_process';
import { realClock } from '../clock/index.js';

const PATIENCE_MS = 3000;

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
