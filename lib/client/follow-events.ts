// Follows a job's event stream through every interruption: resumes after the last event seen, waits longer each
// time that nothing came, and stops at `end` or when the server says that trying again is pointless.
import { ApiError } from '../contract/index.js';
import { createBackoff, isFinalError, pause } from './backoff.js';
import { type EventFrame, isReplayed, readFrames } from './frames.js';

export interface FollowOptions {
  /** Only what comes after this sequence number. */
  after?: string | number | undefined;
  signal?: AbortSignal | undefined;
  onOpen?: () => void;
  /** Told at each interruption what happened and how long it waits. */
  onInterrupted?: (error: Error, retryInMs: number) => void;
  /** Three of the server's pings by default. */
  idleTimeoutMs?: number;
  firstRetryMs?: number;
  longestRetryMs?: number;
  random?: () => number;
}

/** Opens the stream: from the beginning, from `after`, or after the last event that was seen. */
export type OpenEvents = (cursor: {
  after?: string;
  lastEventId?: string;
  signal: AbortSignal | undefined;
}) => Promise<Response>;

const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/** Every event once, in order, up to and including `end`. Throws the signal's reason when it is aborted. */
export async function* followEvents(
  open: OpenEvents,
  options: FollowOptions = {},
): AsyncGenerator<EventFrame> {
  const { signal, idleTimeoutMs = 45_000, firstRetryMs = 1000, longestRetryMs = 30_000, random } = options;
  const backoff = createBackoff({
    firstMs: firstRetryMs,
    longestMs: longestRetryMs,
    ...(random && { random }),
  });
  let lastEventId = '';

  while (true) {
    let failure: Error;
    try {
      const response = await open({ ...cursorOf(options.after, lastEventId), signal });
      if (response.status === 204) return;
      await assertEventStream(response);
      options.onOpen?.();
      for await (const frame of readFrames(response, { idleTimeoutMs, onRetry: backoff.setFirst })) {
        if (isReplayed(frame, lastEventId)) continue;
        if (frame.id) lastEventId = frame.id;
        backoff.reset();
        signal?.throwIfAborted();
        yield frame;
        if (frame.event === 'end') return;
      }
      failure = new Error('The stream was closed before the end.');
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinalError(error)) throw error;
      failure = error instanceof Error ? error : new Error(String(error));
    }
    const wait = Math.max(backoff.next(), retryAfterMs(failure));
    options.onInterrupted?.(failure, wait);
    await pause(wait, signal);
  }
}

function cursorOf(after: string | number | undefined, lastEventId: string) {
  if (lastEventId) return { lastEventId };
  return after === undefined ? {} : { after: String(after) };
}

async function assertEventStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? 'nothing';
  if (type.toLowerCase().startsWith('text/event-stream')) return;
  await response.body?.cancel();
  throw new ApiError('unexpected_response', `An event stream was asked for and ${type} came.`);
}

function retryAfterMs(error: Error): number {
  const seconds = error instanceof ApiError ? Number(error.headers['retry-after']) : 0;
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : 0;
}
