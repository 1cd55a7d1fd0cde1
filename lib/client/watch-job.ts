// A job's events through an EventSource, which reconnects by itself. It gives up only if the answer was not a stream;
// the job is then requested, to tell a stale token from a missing job.
import { type Clock, realClock } from '../clock/index.js';
import {
  type ApiError,
  EVENT_BATCH,
  fillPath,
  isFinalStatus,
  JOB_EVENT_TYPES,
  type JobSummary,
  readBatch,
  STUDIO_TOKEN_QUERY,
  type StreamedEvents,
  studioAddresses,
} from '../contract/index.js';
import { createBackoff, isFinalError } from './retry.js';

/** The part of EventSource used here, common to the browser's and the npm package's. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void;
  close(): void;
}

/** Opens an EventSource on a Studio path, with the token wherever the platform allows it. */
export type OpenEventSource = (path: string) => EventSourceLike;

export interface JobHandlers {
  /** One live, or many of the past. */
  onFrames(frames: readonly StreamedEvents[]): void;
  onInterrupted(): void;
  /** The log is complete. */
  onEnd(): void;
  /** Retrying is pointless: the token is stale, or the job does not exist. */
  onRefused(error: ApiError): void;
}

interface WatchOptions {
  openEventSource: OpenEventSource;
  getJob(id: string, options: { signal: AbortSignal }): Promise<{ job: Pick<JobSummary, 'status'> }>;
  /** Only events after this sequence number. */
  after?: string | undefined;
  clock?: Clock | undefined;
}

const CLOSED = 2;

/** Watches a job until it ends or the returned function is called. */
export function watchJob(id: string, handlers: JobHandlers, options: WatchOptions): () => void {
  const { openEventSource, getJob, clock = realClock } = options;
  const stopped = new AbortController();
  const backoff = createBackoff({ firstMs: 1000, longestMs: 15_000 });
  let cursor = options.after ?? '';
  let source: EventSourceLike | undefined;
  let sawFrame = false;

  function open(): void {
    const base = fillPath(studioAddresses.streamJobEvents.path, { id });
    const batched = `${base}?${EVENT_BATCH}=1`;
    const opened = openEventSource(cursor ? `${batched}&after=${encodeURIComponent(cursor)}` : batched);
    source = opened;
    for (const event of JOB_EVENT_TYPES) {
      opened.addEventListener(event, ({ data, lastEventId = '' }) =>
        take([{ id: lastEventId, event, data: String(data) }]),
      );
    }
    opened.addEventListener(EVENT_BATCH, ({ data }) => take(readBatch(String(data))));
    opened.addEventListener('error', () => {
      if (stopped.signal.aborted) return;
      if (opened.readyState !== CLOSED) handlers.onInterrupted();
      else void probe();
    });
  }

  function take(frames: readonly StreamedEvents[]): void {
    if (stopped.signal.aborted) return;
    sawFrame = true;
    backoff.reset();
    cursor = frames.at(-1)?.id || cursor;
    handlers.onFrames(frames);
    if (frames.some(({ event }) => event === 'end')) finish(() => handlers.onEnd());
  }

  async function probe(): Promise<void> {
    while (!stopped.signal.aborted) {
      const answer = await askForJob();
      if (stopped.signal.aborted) return;
      if (isFinalError(answer)) return finish(() => handlers.onRefused(answer));
      if (isAtEnd(answer)) return finish(() => handlers.onEnd());
      handlers.onInterrupted();
      await clock.sleep(backoff.next(), stopped.signal).catch(() => {});
      if (!(answer instanceof Error) && !stopped.signal.aborted) return open();
    }
  }

  async function askForJob(): Promise<{ job: Pick<JobSummary, 'status'> } | Error> {
    try {
      return await getJob(id, { signal: stopped.signal });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Resuming after the last event of a finished job yields no stream and no frames. */
  function isAtEnd(answer: { job: Pick<JobSummary, 'status'> } | Error): boolean {
    return (
      !(answer instanceof Error) &&
      isFinalStatus(answer.job.status) &&
      !sawFrame &&
      options.after !== undefined
    );
  }

  function finish(tell?: () => void): void {
    stopped.abort();
    source?.close();
    tell?.();
  }

  open();
  return () => finish();
}

type EventSourceClass = new (url: string) => EventSourceLike;

/** The browser's EventSource cannot send headers, so the token goes in the query, which only this route accepts. */
export function browserEventSource({ baseUrl, token }: { baseUrl: string; token: string }): OpenEventSource {
  const { EventSource } = globalThis as unknown as { EventSource: EventSourceClass };
  return path => {
    const url = new URL(path, baseUrl);
    url.searchParams.set(STUDIO_TOKEN_QUERY, token);
    return new EventSource(url.href);
  };
}
