// Reads the Server-Sent Events of a response as they arrive.
import { createParser } from 'eventsource-parser';
import { type Clock, realClock } from '../clock/index.js';
import { readWithin } from './silence.js';

export interface EventFrame {
  /** The sequence number in a job's log; empty if the stream sends none. */
  readonly id: string;
  readonly event: string;
  /** The exact text of `data:`. */
  readonly data: string;
}

/** True for a frame seen before: a stream that starts over repeats frames, and ids only grow. */
export function isReplayed({ id }: EventFrame, lastId: string): boolean {
  return id !== '' && lastId !== '' && Number(id) <= Number(lastId);
}

interface ReadOptions {
  /** Throws if nothing arrives for this long, not even a comment. */
  idleTimeoutMs?: number;
  clock?: Clock;
  onRetry?: (ms: number) => void;
}

/** The frames in a response body. Leaving the loop early closes the connection. */
export async function* readFrames(
  response: Response,
  { idleTimeoutMs, onRetry, clock = realClock }: ReadOptions = {},
): AsyncGenerator<EventFrame> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const ready: EventFrame[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = 'message', data }) => ready.push({ id, event, data }),
    ...(onRetry && { onRetry }),
  });
  try {
    while (true) {
      const { done, value } = await (idleTimeoutMs === undefined
        ? reader.read()
        : readWithin(reader, idleTimeoutMs, clock));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
