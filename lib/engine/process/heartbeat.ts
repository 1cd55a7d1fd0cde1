// The engine's process shows that it lives. A thread writes a line every moment: it stops when the process is stopped, and
// goes on while a computation keeps the main thread busy. Each line says for how long that one has been.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** The process's end of the pipe, after the usual three and the channel. */
export const HEARTBEAT_FD = 4;

const BEAT_MS = 250;

/** As text, so that the thread needs no loader: it has to beat before anything else is there. */
const BEAT = `
const { writeSync } = require('node:fs');
const { ticks, fd, beatMs } = require('node:worker_threads').workerData;
let last = -1;
let busyMs = 0;
setInterval(() => {
  const now = Atomics.load(ticks, 0);
  busyMs = now === last ? busyMs + beatMs : 0;
  last = now;
  try {
    writeSync(fd, busyMs + '\\n');
  } catch {
    process.exit();
  }
}, beatMs);
`;

/** Keeps no process alive. */
export function startHeartbeat(): void {
  // Watched from now on, and not only once the thread has started.
  try {
    writeSync(HEARTBEAT_FD, '0\n');
  } catch {
    return; // No one listens.
  }
  const ticks = new Int32Array(new SharedArrayBuffer(4));
  setInterval(() => Atomics.add(ticks, 0, 1), BEAT_MS / 2).unref();
  const workerData = { ticks, fd: HEARTBEAT_FD, beatMs: BEAT_MS };
  const thread = new Worker(BEAT, { eval: true, execArgv: [], workerData });
  thread.on('error', () => {}); // Without a heartbeat it is not watched.
  thread.unref();
}
