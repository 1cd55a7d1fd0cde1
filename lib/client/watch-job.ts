// A job's events: first its log, in batches, then the live events through an EventSource, which reconnects by
// itself. It gives up only if the response was not a stream; the job is then requested, to tell a stale token
// from a missing job.
import { type Clock, realClock } from '../clock/index.js';
import {
  type ApiError,
  fillPath,
  isFinalStatus,
  JOB_EVENT_TYPES,
  type JobSummary,
  type LogPart,
  STUDIO_TOKEN_QUERY,
  studioAddresses,
} from '../contract/index.js';
import { createBackoff, isFinalError } from './retry.js';

/** The subset of EventSource used here, common to the browser's and the npm package's. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void;
  close(): void;
}

/** Opens an EventSource on a Studio path, with the token where the platform allows it. */
export type OpenEventSource = (path: string) => EventSourceLike;

export interface JobHandlers {
  /** Called with the events that arrived together. */
  onEvents(parts: readonly LogPart[]): void;
  onInterrupted(): void;
  /** The log is complete. */
  onEnd(): void;
  /** Retrying is pointless: the token is stale, or the job does not exist. */
  onRefused(error: ApiError): void;
}

export interface WatchOptions {
  openEventSource: OpenEventSource;
  getJob(id: string, options: { signal: AbortSignal }): Promise<{ job: Pick<JobSummary, 'status'> }>;
  readJobLog(
    id: string,
    options: { after?: string | undefined; signal: AbortSignal },
  ): AsyncIterable<LogPart[]>;
  /** Only events after this sequence number. */
  after?: string | undefined;
  /** Runs it once the events that arrived together have all been told: after the current task, unless given. */
  soon?: ((run: () => void) => void) | undefined;
  clock?: Clock | undefined;
}

const CLOSED = 2;

/** Watches a job until it ends or the returned function is called. */
export function watchJob(id: string, handlers: JobHandlers, options: WatchOptions): () => void {
  const { openEventSource, getJob, readJobLog, soon = queueMicrotask, clock = realClock } = options;
  const path = fillPath(studioAddresses.streamJobEvents.path, { id });
  const stopped = new AbortController();
  const backoff = createBackoff({ firstMs: 1000, longestMs: 15_000 });
  let cursor = options.after ?? '';
  let source: EventSourceLike | undefined;
  let sawFrame = false;
  const arrived: LogPart[] = [];

  async function open(): Promise<void> {
    await readLog().catch(() => {
      // The cloud may lack this route; other problems affect the stream, too, which reports them.
    });
    if (!stopped.signal.aborted) openStream();
  }

  async function readLog(): Promise<void> {
    for await (const parts of readJobLog(id, { after: cursor || undefined, signal: stopped.signal })) {
      // The stream reports the end.
      const past = parts.filter(({ event }) => event !== 'end');
      if (past.length > 0) take(past);
    }
  }

  function openStream(): void {
    const opened = openEventSource(cursor ? `${path}?after=${encodeURIComponent(cursor)}` : path);
    source = opened;
    for (const event of JOB_EVENT_TYPES) {
      opened.addEventListener(event, ({ data, lastEventId = '' }) =>
        gather({ id: lastEventId, event, data: String(data) }),
      );
    }
    opened.addEventListener('error', () => {
      if (stopped.signal.aborted) return;
      if (opened.readyState !== CLOSED) handlers.onInterrupted();
      else void probe();
    });
  }

  /** Reports events that arrive together in one call: an interface makes one snapshot per call, which costs far more than an event. */
  function gather(part: LogPart): void {
    if (arrived.push(part) === 1) soon(() => take(arrived.splice(0)));
  }

  function take(parts: readonly LogPart[]): void {
    if (stopped.signal.aborted) return;
    sawFrame = true;
    backoff.reset();
    cursor = parts.at(-1)?.id || cursor;
    handlers.onEvents(parts);
    if (parts.some(({ event }) => event === 'end')) finish(() => handlers.onEnd());
  }

  async function probe(): Promise<void> {
    while (!stopped.signal.aborted) {
      const answer = await askForJob();
      if (stopped.signal.aborted) return;
      if (isFinalError(answer)) return finish(() => handlers.onRefused(answer));
      if (isAtEnd(answer)) return finish(() => handlers.onEnd());
      handlers.onInterrupted();
      await clock.sleep(backoff.next(), stopped.signal).catch(() => {});
      if (!(answer instanceof Error) && !stopped.signal.aborted) return void open();
    }
  }

  async function askForJob(): Promise<{ job: Pick<JobSummary, 'status'> } | Error> {
    try {
      return await getJob(id, { signal: stopped.signal });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** After the last event of a finished job, there is no stream and there are no frames. */
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

  void open();
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
