// Starts the engine's process. Whatever happens to the engine's native code happens to that child.
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { findProgram } from './find-program.js';
import type { FromWorker, ToWorker } from './messages.js';

export interface WorkerProcess {
  pid: number;
  send(message: ToWorker): void;
  ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** Closes the channel, upon which the process stops what it does and ends. */
  close(): void;
  kill(): void;
}

export function startWorker(onMessage: (message: FromWorker) => void, { low = false } = {}): WorkerProcess {
  const { path, translator } = findProgram(['engine', 'worker']);
  const child: ChildProcess = fork(path, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: translator ? ['--import', translator.inProcess] : [],
  });
  child.on('message', onMessage);
  if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const ended = new Promise<Awaited<WorkerProcess['ended']>>(resolve => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    // Later errors, such as a signal that could not be sent, say nothing of the child's end.
    child.on('error', () => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null });
    });
  });
  return {
    pid: child.pid!,
    send: message => {
      if (child.connected) child.send(message, () => {});
    },
    ended,
    close: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => child.kill('SIGKILL'),
  };
}
