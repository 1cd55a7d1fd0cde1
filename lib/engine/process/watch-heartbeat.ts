// Watches a process's heartbeat and tells when it is overdue, and when it is lost. Time counts only while this process is awake itself: after
// the machine slept, or this process was busy, the other one gets the time again to be heard.
import type { Readable } from 'node:stream';

export interface HeartbeatLimits {
  /** A process that is silent for so long was stopped, or starves. */
  silentMs: number;
  /** Where the process does not say how long its work may take: what takes longer than this never ends. */
  busyMs: number;
  /** How often to look. */
  checkMs?: number;
}

export interface HeartbeatWatch {
  /** Half of the time that it has is over, and it has not been heard or come back; or it is overdue. */
  readonly isHung: boolean;
  /** It lives, but works longer than it said, or for half of `busyMs`: nobody should wait for it. */
  readonly isOverdue: boolean;
  stop(): void;
}

export interface HeartbeatListener {
  onLost(): void;
  onOverdue?(): void;
}

const CHECK_MS = 500;
/** Work that takes so many times what it may will never end. */
const LOST_FACTOR = 3;

/**
 * Nothing is lost before the first beat: the process may still be loading its code. One that could not be started has no
 * beats at all.
 */
export function watchHeartbeat(
  beats: Readable | undefined,
  { silentMs, busyMs, checkMs = CHECK_MS }: HeartbeatLimits,
  { onLost, onOverdue = () => {} }: HeartbeatListener,
): HeartbeatWatch {
  let silent: number | null = null;
  let beat: Beat = { busyMs: 0, workMs: 0, allowedMs: 0 };
  let lookedAt = performance.now();
  const isSilent = (share: number) => (silent ?? 0) >= silentMs * share;
  const isOverdue = () => (beat.allowedMs > 0 ? beat.workMs >= beat.allowedMs : beat.busyMs >= busyMs / 2);
  const isLost = () =>
    isSilent(1) || (beat.allowedMs > 0 ? beat.workMs >= beat.allowedMs * LOST_FACTOR : beat.busyMs >= busyMs);

  beats?.setEncoding('utf8').on('data', (lines: string) => {
    silent = 0;
    beat = readBeat(lines);
  });
  beats?.on('error', () => {});
  const timer = setInterval(() => {
    const now = performance.now();
    if (silent !== null) silent += Math.min(now - lookedAt, 2 * checkMs);
    lookedAt = now;
    if (isOverdue()) onOverdue();
    if (isLost()) onLost();
  }, checkMs).unref();
  return {
    get isHung() {
      return isSilent(1 / 2) || isOverdue();
    },
    get isOverdue() {
      return isOverdue();
    },
    stop: () => clearInterval(timer),
  };
}

interface Beat {
  /** For how long the event loop has not turned. */
  busyMs: number;
  /** For how long the work has gone on that the process told of, and how long it may; 0 for none. */
  workMs: number;
  allowedMs: number;
}

function readBeat(lines: string): Beat {
  const [busyMs = 0, workMs = 0, allowedMs = 0] = lines.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { busyMs, workMs, allowedMs };
}
