// The door of the engine. It starts processes and never loads ONNX Runtime itself: whatever happens to the engine's
// native code happens to a child.
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EngineEvent, FinalStatus, FromWorker, ToWorker, TrainTask } from './worker-messages.js';

export type { EngineEvent, FinalStatus, TrainTask } from './worker-messages.js';

export interface TrainingRun {
  pid: number;
  /** How it ended. A process that died without a word has failed. */
  ended: Promise<{ status: FinalStatus; exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** Ends it at the next pass. What was saved stays. */
  cancel(): void;
}

/** Starts a training job in a process of low priority, and hands on what it tells. */
export function startTraining(
  task: Omit<TrainTask, 'type'>,
  onEvent: (event: EngineEvent) => void,
): TrainingRun {
  const child = startWorker();
  setPriority(child.pid!, constants.priority.PRIORITY_BELOW_NORMAL);
  let status: FinalStatus | undefined;
  child.on('message', (message: FromWorker) => {
    if (message.type === 'event') onEvent(message.event);
    else status = message.status;
  });
  const ended = new Promise<Awaited<TrainingRun['ended']>>(resolve => {
    child.once('close', (exitCode, signal) => resolve({ status: status ?? 'failed', exitCode, signal }));
  });
  send(child, { type: 'train', ...task });
  return { pid: child.pid!, ended, cancel: () => send(child, { type: 'cancel' }) };
}

function startWorker(): ChildProcess {
  const path = findWorker();
  return fork(path, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: path.endsWith('.ts') ? ['--import', 'tsx'] : [],
  });
}

/** The worker's program: bundled code lies anywhere in `dist`, the worker at one place in it. */
function findWorker(): string {
  const here = fileURLToPath(import.meta.url);
  const file = here.endsWith('.ts') ? ['lib', 'engine', 'worker.ts'] : ['dist', 'lib', 'engine', 'worker.js'];
  for (let folder = dirname(here); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, ...file);
    if (folder === dirname(folder)) throw new Error(`The engine's worker is missing above ${here}.`);
  }
}

function send(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message);
}
