// Watches several jobs at once. Browsers allow six connections per server, so only a few streams are open at
// a time: the streams of finished jobs soon close, and the others take turns.
import { realClock, type Timer } from '../clock/index.js';
import type { ApiError, Job, LogPart } from '../contract/index.js';
import { type WatchOptions as JobWatchOptions, watchJob } from './watch-job.js';

interface JobsHandlers {
  onJob(id: string, job: Job): void;
  onEvents(id: string, parts: readonly LogPart[]): void;
  onInterrupted(id: string): void;
  /** The job does not exist, or the token is stale. */
  onRefused(id: string, error: ApiError): void;
  /** Whether to keep asking for a job that has ended. */
  awaitsMore(id: string): boolean;
}

interface WatchOptions extends Omit<JobWatchOptions, 'after'> {
  getJob(id: string, options: { signal: AbortSignal }): Promise<{ job: Job }>;
  /** The maximum number of open streams. */
  most?: number;
}

export interface JobsWatch {
  /** Closes all connections; `open` continues. */
  close(): void;
  open(): void;
}

const MOST_STREAMS = 3;
/** How long a stream stays open while others wait, and how often jobs are polled. */
const TURN_MS = 5000;

interface Watched {
  readonly id: string;
  /** The sequence number of its last event. */
  cursor: string;
  /** No more events will come. */
  isOver: boolean;
  /** Closes its stream, if one is open. */
  stop: (() => void) | undefined;
}

export function watchJobs(
  ids: readonly string[],
  handlers: JobsHandlers,
  { most = MOST_STREAMS, ...options }: WatchOptions,
): JobsWatch {
  const { getJob, clock = realClock } = options;
  /** Waiting jobs come first. */
  let queue = ids.map((id): Watched => ({ id, cursor: '', isOver: false, stop: undefined }));
  let closed = new AbortController();
  let timer: Timer | null = null;

  function fill(): void {
    const open = queue.filter(({ stop }) => stop).length;
    const waiting = queue.filter(({ stop, isOver }) => !stop && !isOver);
    for (const job of waiting.slice(0, most - open)) start(job);
  }

  function start(job: Watched): void {
    job.stop = () => {};
    const end = () => {
      job.isOver = true;
      job.stop = undefined;
      queueMicrotask(() => !closed.signal.aborted && fill());
    };
    const watch = {
      onEvents(parts: readonly LogPart[]) {
        job.cursor = parts.at(-1)?.id || job.cursor;
        handlers.onEvents(job.id, parts);
      },
      onInterrupted: () => handlers.onInterrupted(job.id),
      onEnd() {
        end();
        void ask(job);
      },
      onRefused(error: ApiError) {
        end();
        handlers.onRefused(job.id, error);
      },
    };
    job.stop = watchJob(job.id, watch, { ...options, after: job.cursor || undefined });
    // The job may have ended before its stop function was assigned.
    if (job.isOver) job.stop = undefined;
  }

  /** Closes the streams that have been open longest, one for each waiting job. */
  function turn(): void {
    const waiting = queue.filter(({ stop, isOver }) => !stop && !isOver);
    const giving = queue.filter(({ stop }) => stop).slice(0, waiting.length);
    for (const job of giving) {
      job.stop?.();
      job.stop = undefined;
    }
    queue = [...queue.filter(job => !giving.includes(job)), ...giving];
    fill();
    for (const job of queue) if (!job.isOver || handlers.awaitsMore(job.id)) void ask(job);
  }

  /** Fetches what the stream lacks: the name, the settings, and the status of a waiting job. */
  async function ask(job: Watched): Promise<void> {
    const { signal } = closed;
    try {
      const answer = await getJob(job.id, { signal });
      if (!signal.aborted) handlers.onJob(job.id, answer.job);
    } catch {
      // The stream hits the same problem and reports it.
      return;
    }
  }

  return {
    open() {
      if (timer) return;
      closed = new AbortController();
      timer = clock.every(TURN_MS, turn);
      fill();
      for (const job of queue) void ask(job);
    },
    close() {
      timer?.stop();
      timer = null;
      closed.abort();
      for (const job of queue) {
        job.stop?.();
        job.stop = undefined;
      }
    },
  };
}
