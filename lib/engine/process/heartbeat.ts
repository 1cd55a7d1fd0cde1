// Shows that the engine's process is alive, and ends it when nobody looks anymore. A thread writes the lines, so they
// continue while a computation blocks the main thread and stop when the process is suspended. Each line has three durations
// in ms: how long the main thread has been blocked, how long the announced work has been running, and how long that work
// may take. The pipe breaks when the parent ends, however it ends. The main thread may then be busy for long, so the
// thread ends the process, unless the closed channel has done so first.
import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock/index.js';
import type { BeginWork } from '../generate/index.js';

/** The worker's end of the pipe, after stdin, stdout, stderr and the IPC channel. */
export const HEARTBEAT_FD = 4;

const BEAT_MS = 250;
const GRACE_MS = 500;
/** The largest signed 32-bit value. */
const LONGEST_MS = 2 ** 31 - 1;

/** Source text, so that the thread needs no loader and starts before everything else. */
const BEAT = `
const { writeSync } = require('node:fs');
const { counters, fd, beatMs, graceMs } = require('node:worker_threads').workerData;
const last = [-1, -1];
const sameMs = [0, 0];
const timer = setInterval(() => {
  for (const i of [0, 1]) {
    const now = Atomics.load(counters, i);
    sameMs[i] = now === last[i] ? sameMs[i] + beatMs : 0;
    last[i] = now;
  }
  try {
    writeSync(fd, sameMs.join(' ') + ' ' + Atomics.load(counters, 2) + '\\n');
  } catch ({ code }) {
    if (code === 'EAGAIN') return; // The parent is suspended or busy.
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs);
  }
}, beatMs);
`;

/** Does not keep the process alive. */
export function startHeartbeat(clock: Clock): BeginWork {
  // The first beat starts the watch, which would otherwise wait for the thread.
  try {
    writeSync(HEARTBEAT_FD, '0 0 0\n');
  } catch {
    return () => () => {}; // There is no pipe: nothing watches this process.
  }
  // Event loop turns, starts and ends of work, and how long the current work may take (0: no work).
  const counters = new Int32Array(new SharedArrayBuffer(12));
  clock.every(BEAT_MS / 2, () => Atomics.add(counters, 0, 1));
  const workerData = { counters, fd: HEARTBEAT_FD, beatMs: BEAT_MS, graceMs: GRACE_MS };
  const thread = new Worker(BEAT, { eval: true, execArgv: [], workerData });
  thread.on('error', () => {}); // The process can work without a heartbeat.
  thread.unref();
  const announce = (allowedMs: number) => {
    Atomics.store(counters, 2, Math.min(Math.ceil(allowedMs), LONGEST_MS));
    Atomics.add(counters, 1, 1);
  };
  return allowedMs => {
    announce(allowedMs);
    return () => announce(0);
  };
}
