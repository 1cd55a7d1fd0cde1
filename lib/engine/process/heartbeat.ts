// The engine's process shows that it lives. A thread writes a line every moment: it stops when the process is stopped, and
// goes on while a computation keeps the main thread busy. Each line says for how long that one has been, how long the
// work has taken that it said it does, and how long that may take.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { BeginWork } from '../generate/index.js';

/** The process's end of the pipe, after the usual three and the channel. */
export const HEARTBEAT_FD = 4;

const BEAT_MS = 250;
/** What fits into 32 bits. */
const LONGEST_MS = 2 ** 31 - 1;

/** As text, so that the thread needs no loader: it has to beat before anything else is there. */
const BEAT = `
const { writeSync } = require('node:fs');
const { signs, fd, beatMs } = require('node:worker_threads').workerData;
const last = [-1, -1];
const sameMs = [0, 0];
setInterval(() => {
  for (const i of [0, 1]) {
    const now = Atomics.load(signs, i);
    sameMs[i] = now === last[i] ? sameMs[i] + beatMs : 0;
    last[i] = now;
  }
  try {
    writeSync(fd, sameMs.join(' ') + ' ' + Atomics.load(signs, 2) + '\\n');
  } catch {
    process.exit();
  }
}, beatMs);
`;

/** Keeps no process alive. */
export function startHeartbeat(): BeginWork {
  // Watched from now on, and not only once the thread has started.
  try {
    writeSync(HEARTBEAT_FD, '0 0 0\n');
  } catch {
    return () => () => {}; // No one listens.
  }
  // Turns of the event loop, begins and ends of work, and how long the present one may take: 0 for none.
  const signs = new Int32Array(new SharedArrayBuffer(12));
  setInterval(() => Atomics.add(signs, 0, 1), BEAT_MS / 2).unref();
  const workerData = { signs, fd: HEARTBEAT_FD, beatMs: BEAT_MS };
  const thread = new Worker(BEAT, { eval: true, execArgv: [], workerData });
  thread.on('error', () => {}); // Without a heartbeat it is not watched.
  thread.unref();
  const sayWork = (allowedMs: number) => {
    Atomics.store(signs, 2, Math.min(Math.ceil(allowedMs), LONGEST_MS));
    Atomics.add(signs, 1, 1);
  };
  return allowedMs => {
    sayWork(allowedMs);
    return () => sayWork(0);
  };
}
