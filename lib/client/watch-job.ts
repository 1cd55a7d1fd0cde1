// A job's events for a face, through an EventSource: reconnecting is left to it. Only when it gave up, because
// something other than a stream was answered, the job itself is asked for, to tell a stale token from a missing job.
import {
  ApiError,
  fillPath,
  isFinalStatus,
  JOB_EVENT_TYPES,
  type JobSummary,
  studioEndpoints,
} from '../contract/index.js';
import { createBackoff, pause } from './backoff.js';
import type { EventFrame } from './frames.js';

/** The part of EventSource that is used here; the browser's and the npm package's are both one. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void;
  close(): void;
}

/** Opens an EventSource on a path of Studio, with the token where this platform can put it. */
export type OpenEventSource = (path: string) => EventSourceLike;

export interface JobHandlers {
  onFrame(frame: EventFrame): void;
  onInterrupted(): void;
  /** The log is complete; nothing follows. */
  onEnd(): void;
  /** Trying again is pointless: the token is stale, or there is no such job. */
  onRefused(error: ApiError): void;
}

export interface WatchOptions {
  openEventSource: OpenEventSource;
  getJob(id: string, options: { signal: AbortSignal }): Promise<{ job: Pick<JobSummary, 'status'> }>;
  /** Only what comes after this sequence number. */
  after?: string | undefined;
  firstRetryMs?: number;
}

const CLOSED = 2;

/** Watches a job until its end, or until the returned function is called. */
export function watchJob(id: string, handlers: JobHandlers, options: WatchOptions): () => void {
  const { openEventSource, getJob, firstRetryMs = 1000 } = options;
  const stopped = new AbortController();
  const backoff = createBackoff({ firstMs: firstRetryMs, longestMs: 15_000 });
  let cursor = options.after ?? '';
  let source: EventSourceLike | undefined;

  function open(): void {
    const base = fillPath(studioEndpoints.streamJobEvents.path, { id });
    const opened = openEventSource(cursor ? `${base}?after=${encodeURIComponent(cursor)}` : base);
    let frames = 0;
    source = opened;
    for (const event of JOB_EVENT_TYPES) {
      opened.addEventListener(event, ({ data, lastEventId = '' }) => {
        if (stopped.signal.aborted) return;
        frames++;
        backoff.reset();
        cursor = lastEventId || cursor;
        handlers.onFrame({ id: lastEventId, event, data: String(data) });
        if (event === 'end') finish(handlers.onEnd);
      });
    }
    opened.addEventListener('error', () => {
      if (stopped.signal.aborted) return;
      if (opened.readyState === CLOSED) void probe(frames === 0);
      else handlers.onInterrupted();
    });
  }

  /** A stream that was refused without a single frame, of a finished job whose log was read, has no more to give. */
  async function probe(gaveNothing: boolean): Promise<void> {
    try {
      const { job } = await getJob(id, { signal: stopped.signal });
      if (gaveNothing && cursor && isFinalStatus(job.status)) return finish(handlers.onEnd);
      handlers.onInterrupted();
      await pause(backoff.next(), stopped.signal);
      open();
    } catch (error) {
      if (!stopped.signal.aborted) await giveUpOrWait(error, gaveNothing);
    }
  }

  async function giveUpOrWait(error: unknown, gaveNothing: boolean): Promise<void> {
    if (error instanceof ApiError && error.status < 500) return finish(() => handlers.onRefused(error));
    handlers.onInterrupted();
    await pause(backoff.next(), stopped.signal).catch(() => {});
    if (!stopped.signal.aborted) await probe(gaveNothing);
  }

  function finish(tell?: () => void): void {
    stopped.abort();
    source?.close();
    tell?.();
  }

  open();
  return () => finish();
}
