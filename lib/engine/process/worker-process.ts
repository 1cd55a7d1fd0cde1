// Starts the engine's process. Whatever happens to the engine's native code happens to that child.
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { TELEMETRY_OFF } from '../telemetry.js';
import type { FromWorker, ToWorker } from './messages.js';

export interface WorkerProcess<In = ToWorker> {
  pid: number;
  send(message: In): void;
  ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** Closes the channel, upon which the process stops what it does and ends. */
  close(): void;
  kill(): void;
  /** Whether it keeps this process alive; it does, unless told otherwise. */
  ref(): void;
  unref(): void;
}

export interface WorkerOptions {
  /** Which of the engine's programs. */
  program?: 'worker' | 'file-worker';
  /** Gives way to processes of usual priority. */
  low?: boolean;
}

export function startWorker<Out = FromWorker, In = ToWorker>(
  onMessage: (message: Out) => void,
  { program = 'worker', low = false }: WorkerOptions = {},
): WorkerProcess<In> {
  const path = findWorker(program);
  const child: ChildProcess = fork(path, {
    env: { ...process.env, ...TELEMETRY_OFF },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: path.endsWith('.ts') ? ['--import', findTsx()] : [],
  });
  child.on('message', message => onMessage(message as Out));
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
      if (child.connected) child.send(message as Serializable, () => {});
    },
    ended,
    close: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => child.kill('SIGKILL'),
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
  };
}

/** What runs sources, found from here and not from the folder that this process is in. */
function findTsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}

/** Bundled code lies anywhere in `dist`, the programs at one place in it. */
function findWorker(program: string): string {
  const here = fileURLToPath(import.meta.url);
  const file = here.endsWith('.ts')
    ? ['lib', 'engine', `${program}.ts`]
    : ['dist', 'lib', 'engine', `${program}.js`];
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, ...file);
    if (folder === dirname(folder)) throw new Error(`The engine's worker is missing above ${here}.`);
  }
}
