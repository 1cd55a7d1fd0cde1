// How long a client waits, and for what. A connection whose other end has vanished never fails by itself, so
// streams send comments to show they are alive, and between machines the system sends probes.
import { type Clock, within } from '../clock/index.js';

export interface TimeLimits {
  /** The limit to connect. */
  connectMs: number;
  /** The limit for the first byte of the response. */
  answerMs: number;
  /** The same for responses that take work: a complete chat answer, a stored upload, garbage collection. */
  workMs: number;
  /** The limit between two bytes of a document, a stream (kept alive by comments) or an upload. */
  idleMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  connectMs: 10_000,
  answerMs: 30_000,
  workMs: 3_600_000,
  idleMs: 60_000,
};

/** Longer, because Studio may have to start a cloud before it responds; it has its own limit for that. */
export const STUDIO_TIME_LIMITS: TimeLimits = { ...TIME_LIMITS, answerMs: 180_000 };

export class SilenceError extends Error {
  override readonly name = 'SilenceError';

  constructor(ms: number) {
    super(`No data for ${ms / 1000} s.`);
  }
}

/** The next part of a body, or a `SilenceError` after `ms`. */
export function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, ms: number, clock: Clock) {
  const late = () => {
    throw new SilenceError(ms);
  };
  return within(reader.read(), ms, late, clock);
}

/** The response, with a body that fails after `ms` without data. */
export function limitSilence(response: Response, ms: number, clock: Clock): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await readWithin(reader, ms, clock);
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          void reader.cancel(error).catch(() => {});
          throw error;
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
