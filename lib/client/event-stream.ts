// Event streams: reads Server-Sent Events as they arrive, and follows a job's events through interruptions.
import { createParser } from 'eventsource-parser';
import { type Clock, realClock } from '../clock/index.js';
import { ApiError, type EventFrame, type LogPart, readLogLine } from '../contract/index.js';
import { createBackoff, isFinalError } from './retry.js';
import { readWithin } from './time-limits.js';

export interface FollowOptions {
  /** Only events after this sequence number. */
  after?: string | number | undefined;
  signal?: AbortSignal | undefined;
  onOpen?: () => void;
  /** Called at each interruption with the error and the wait before the next attempt. */
  onInterrupted?: (error: Error, retryInMs: number) => void;
  /** Default: three of the server's ping intervals. */
  idleTimeoutMs?: number;
  firstRetryMs?: number;
  longestRetryMs?: number;
  random?: () => number;
  /** For waiting and timestamps; the real clock by default. */
  clock?: Clock;
}

/** Where to start: at the beginning, at `after`, or after the last event seen. */
export interface EventsCursor {
  after?: string | undefined;
  lastEventId?: string | undefined;
  signal?: AbortSignal | undefined;
}

type OpenEvents = (cursor: EventsCursor) => Promise<Response>;

const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

/**
 * Every event of a job exactly once, in order, up to and including `end`. Resumes after the last event seen, waits longer
 * after each empty attempt, and stops at an error that retrying cannot fix. Throws the signal's reason on abort.
 */
export async function* followEvents(
  open: OpenEvents,
  options: FollowOptions = {},
): AsyncGenerator<EventFrame> {
  const { signal, idleTimeoutMs = 45_000, firstRetryMs = 1000, longestRetryMs = 30_000, random } = options;
  const { clock = realClock } = options;
  const backoff = createBackoff({
    firstMs: firstRetryMs,
    longestMs: longestRetryMs,
    ...(random && { random }),
  });
  const reading = { idleTimeoutMs, onRetry: backoff.setFirst, clock };
  let lastEventId = '';

  while (true) {
    let failure: Error;
    try {
      const response = await open({ ...cursorOf(options.after, lastEventId), signal });
      if (response.status === 204) return;
      await assertEventStream(response);
      options.onOpen?.();
      for await (const frame of readFrames(response, reading)) {
        if (isReplayed(frame, lastEventId)) continue;
        if (frame.id) lastEventId = frame.id;
        backoff.reset();
        signal?.throwIfAborted();
        yield frame;
        if (frame.event === 'end') return;
      }
      failure = new Error('The stream closed early.');
    } catch (error) {
      signal?.throwIfAborted();
      if (isFinalError(error)) throw error;
      failure = error instanceof Error ? error : new Error(String(error));
    }
    const wait = Math.max(backoff.next(), retryAfterMs(failure));
    options.onInterrupted?.(failure, wait);
    await clock.sleep(wait, signal);
  }
}

function cursorOf(after: string | number | undefined, lastEventId: string) {
  if (lastEventId) return { lastEventId };
  return after === undefined ? {} : { after: String(after) };
}

export async function assertEventStream(response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? 'no content type';
  if (type.toLowerCase().startsWith('text/event-stream')) return;
  await response.body?.cancel();
  throw new ApiError('unexpected_response', `Expected an event stream but got ${type}.`);
}

function retryAfterMs(error: Error): number {
  const seconds = error instanceof ApiError ? Number(error.headers['retry-after']) : 0;
  return Number.isFinite(seconds) ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : 0;
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

/** The parts of a job's log as they arrive. Leaving the loop early closes the connection. */
export async function* readLogParts({ body }: Response): AsyncGenerator<LogPart[]> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  try {
    while (true) {
      const { done, value } = await reader.read().catch(brokeOff);
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      if (lines.length > 0) yield lines.map(readLogLine);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function brokeOff(cause: unknown): never {
  if (cause instanceof DOMException) throw cause;
  throw new ApiError('unexpected_response', 'The log is incomplete: the connection was lost.', { cause });
}
