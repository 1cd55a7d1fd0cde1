// Watches the heartbeat of a process and reports when it is overdue or lost. Only time during which this process itself
// was awake counts, so sleep or a busy event loop here is never held against the other process.
import type { Readable } from 'node:stream';
import type { Clock } from '../../clock/index.js';

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
/** Work that takes this many times what it may is never going to end. */
const LOST_FACTOR = 3;

/** Reports nothing before the first beat, since the process may still be loading. `beats` is missing if it never started. */
export function watchHeartbeat(
  beats: Readable | undefined,
  { silentMs, busyMs }: HeartbeatLimits,
  { onLost, onOverdue = () => {} }: HeartbeatListener,
  clock: Clock,
): HeartbeatWatch {
  let silent: number | null = null;
  let beat: Beat = { busyMs: 0, workMs: 0, allowedMs: 0 };
  let lookedAt = clock.elapsed();
  const isSilent = (share: number) => (silent ?? 0) >= silentMs * share;
  const isOverdue = () => (beat.allowedMs > 0 ? beat.workMs >= beat.allowedMs : beat.busyMs >= busyMs / 2);
  const isLost = () =>
    isSilent(1) || (beat.allowedMs > 0 ? beat.workMs >= beat.allowedMs * LOST_FACTOR : beat.busyMs >= busyMs);

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
