// The heartbeat of an engine process: its own end, and the watch over it in the parent.
import { writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock/index.js';
import type { BeginWork } from '../generate/index.js';

/** The worker's end of the pipe, after stdin, stdout, stderr and the IPC channel. */
export const HEARTBEAT_FD = 4;

const BEAT_MS = 250;
const GRACE_MS = 500;
/** The largest signed 32-bit value. */
const LONGEST_MS = 2 ** 31 - 1;

/** Source text, so that the thread needs no loader and starts before everything else. @internal */
export const BEAT = `
const { writeSync } = require('node:fs');
const { counters, fd, beatMs, graceMs } = require('node:worker_threads').workerData;
const last = [-1, -1];
const sameMs = [0, 0];
const timer = setInterval(() => {
  const allowedMs = Atomics.load(counters, 2);
  for (const i of [0, 1]) {
    const now = Atomics.load(counters, i);
    sameMs[i] = now === last[i] ? sameMs[i] + beatMs : 0;
    last[i] = now;
  }
  try {
    writeSync(fd, sameMs.join(' ') + ' ' + allowedMs + '\\n');
  } catch ({ code }) {
    if (code === 'EAGAIN') return; // The parent is suspended or busy.
    clearInterval(timer);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs);
  }
}, beatMs);
`;

/**
 * Shows that the engine's process is alive, and ends it when nothing watches it anymore. A thread writes the lines, so they
 * continue while a computation blocks the main thread and stop when the process is suspended. Each line has three
 * durations in ms: how long the main thread has been blocked, how long the announced work has been running, and how
 * long that work may take. The pipe breaks when the parent ends, however it ends. The main thread may then be busy for
 * long, so the thread ends the process, unless the closed channel has done so first. Does not keep the process alive.
 */
export function startHeartbeat(clock: Clock): BeginWork {
  // The first beat starts the watch, which would otherwise wait for the thread.
  try {
    writeSync(HEARTBEAT_FD, '0 0 0\n');
  } catch {
    return () => () => {}; // There is no pipe: nothing watches this process.
  }
  // Signs of the main thread, starts and ends of work, and how long the current work may take (0: no work).
  const counters = new Int32Array(new SharedArrayBuffer(12));
  clock.every(BEAT_MS / 2, () => Atomics.add(counters, 0, 1));
  const workerData = { counters, fd: HEARTBEAT_FD, beatMs: BEAT_MS, graceMs: GRACE_MS };
  const thread = new Worker(BEAT, { eval: true, execArgv: [], workerData });
  thread.on('error', () => {}); // The process can work without a heartbeat.
  thread.unref();
  return allowedMs => {
    announce(counters, allowedMs);
    return () => announce(counters, 0);
  };
}

/**
 * A main thread that announces something is not stuck. The thread reads in the opposite order, so it never judges earlier
 * durations by a new allowance. @internal
 */
export function announce(counters: Int32Array, allowedMs: number): void {
  Atomics.add(counters, 0, 1);
  Atomics.add(counters, 1, 1);
  Atomics.store(counters, 2, Math.min(Math.ceil(allowedMs), LONGEST_MS));
}

/** May change while the process is watched. */
export interface HeartbeatLimits {
  /** After this long without a beat, the process counts as suspended or starved. */
  silentMs: number;
  /** Without announced work, a main thread that is blocked for longer than this counts as stuck. */
  busyMs: number;
}

export interface HeartbeatWatch {
  /** Silent for half of `silentMs`, or overdue. */
  readonly isHung: boolean;
  /** Alive, but busy for longer than announced or for half of `busyMs`: don't wait for it. */
  readonly isOverdue: boolean;
  stop(): void;
}

interface HeartbeatListener {
  onLost(): void;
  onOverdue?(): void;
}

/** How often to look. */
const CHECK_MS = 500;
/** Work that exceeds its limit by this factor will never end. */
const LOST_FACTOR = 3;

/**
 * Watches the heartbeat of a process and reports when it is overdue or lost. Only time during which this process itself
 * was awake counts, so sleep or a busy event loop here is never held against the other process. Reports nothing before
 * the first beat, since the process may still be loading. `beats` is missing if it never started.
 */
export function watchHeartbeat(
  beats: Readable | undefined,
  limits: HeartbeatLimits,
  { onLost, onOverdue = () => {} }: HeartbeatListener,
  clock: Clock,
): HeartbeatWatch {
  let silent: number | null = null;
  let beat: Beat = { busyMs: 0, workMs: 0, allowedMs: 0 };
  let lookedAt = clock.elapsed();
  const isSilent = (share: number) => (silent ?? 0) >= limits.silentMs * share;
  const isOverdue = () =>
    beat.allowedMs > 0 ? beat.workMs >= beat.allowedMs : beat.busyMs >= limits.busyMs / 2;
  const isLost = () =>
    isSilent(1) ||
    (beat.allowedMs > 0 ? beat.workMs >= beat.allowedMs * LOST_FACTOR : beat.busyMs >= limits.busyMs);

  beats?.setEncoding('utf8').on('data', (lines: string) => {
    silent = 0;
    beat = readBeat(lines);
  });
  beats?.on('error', () => {});
  const timer = clock.every(CHECK_MS, () => {
    const now = clock.elapsed();
    if (silent !== null) silent += Math.min(now - lookedAt, 2 * CHECK_MS);
    lookedAt = now;
    if (isOverdue()) onOverdue();
    if (isLost()) onLost();
  });
  return {
    get isHung() {
      return isSilent(1 / 2) || isOverdue();
    },
    get isOverdue() {
      return isOverdue();
    },
    stop: timer.stop,
  };
}

interface Beat {
  /** How long the event loop has been blocked. */
  busyMs: number;
  /** How long the announced work has been running, and how long it may; 0 without any. */
  workMs: number;
  allowedMs: number;
}

function readBeat(lines: string): Beat {
  const [busyMs = 0, workMs = 0, allowedMs = 0] = lines.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { busyMs, workMs, allowedMs };
}
