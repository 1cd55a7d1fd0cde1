// Stops a child that leads a process group, along with everything it started.
import type { ChildProcess } from 'node:child_process';

const PATIENCE_MS = 3000;

export async function stopGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE_MS);
  await exited;
  clearTimeout(timer);
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
