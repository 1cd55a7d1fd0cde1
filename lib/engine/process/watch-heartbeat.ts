// Watches a process's heartbeat and tells when it is lost. Time counts only while this process is awake itself: after
// the machine slept, or this process was busy, the other one gets the time again to be heard.
import type { Readable } from 'node:stream';

export interface HeartbeatLimits {
  /** A process that is silent for so long was stopped, or starves. */
  silentMs: number;
  /** A computation that takes longer than this never ends. */
  busyMs: number;
  /** How often to look. */
  checkMs?: number;
}

export interface HeartbeatWatch {
  /** Half of the time that it has is over, and it has not been heard or come back. */
  readonly isHung: boolean;
  stop(): void;
}

const CHECK_MS = 500;

/**
 * Nothing is lost before the first beat: the process may still be loading its code. One that could not be started has no
 * beats at all.
 */
export function watchHeartbeat(
  beats: Readable | undefined,
  { silentMs, busyMs, checkMs = CHECK_MS }: HeartbeatLimits,
  onLost: () => void,
): HeartbeatWatch {
  let silent: number | null = null;
  let busy = 0;
  let lookedAt = performance.now();
  const isPast = (share: number) => (silent ?? 0) >= silentMs * share || busy >= busyMs * share;

  beats?.setEncoding('utf8').on('data', (lines: string) => {
    silent = 0;
    busy = Number(lines.trim().split('\n').at(-1));
  });
  beats?.on('error', () => {});
  const timer = setInterval(() => {
    const now = performance.now();
    if (silent !== null) silent += Math.min(now - lookedAt, 2 * checkMs);
    lookedAt = now;
    if (isPast(1)) onLost();
  }, checkMs).unref();
  return {
    get isHung() {
      return isPast(1 / 2);
    },
    stop: () => clearInterval(timer),
  };
}
