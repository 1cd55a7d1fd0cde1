// Read timeouts. A connection whose other end has vanished never fails by itself.
import { type Clock, within } from '../clock/index.js';

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
