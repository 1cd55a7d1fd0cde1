// How streams show that they are alive. Readers may take a longer silence for the end.
import { realClock, within } from '../clock/index.js';

export interface StreamTimes {
  /** What an EventSource waits before it reconnects. */
  retryMs: number;
  /** How often to send a comment if nothing else is sent. */
  pingMs: number;
  /** How long an answer may delay its status, so that a refusal can have its own. */
  statusMs: number;
}

export const STREAM_TIMES: StreamTimes = { retryMs: 3000, pingMs: 15_000, statusMs: 10_000 };

/** Whether the first part comes in time. Throws if it fails in time; a later failure belongs to the stream. */
export function comesWithin(ms: number, first: Promise<unknown>, clock = realClock): Promise<boolean> {
  return within(
    first.then(() => true),
    ms,
    () => false,
    clock,
  );
}
