// Watches several jobs at once. Browsers allow six connections to a server, so that only a few streams are open at a time:
// those of jobs that have ended soon close, and the others take turns.
import { realClock, type Timer } from '../clock/index.js';
import type { ApiError, Job, LogPart } from '../contract/index.js';
import { type WatchOptions as JobWatchOptions, watchJob } from './watch-job.js';

interface JobsHandlers {
  onJob(id: string, job: Job): void;
  onEvents(id: string, parts: readonly LogPart[]): void;
  onInterrupted(id: string): void;
  /** The job does not exist, or the token is stale. */
  onRefused(id: string, error: ApiError): void;
}

interface WatchOptions extends Omit<JobWatchOptions, 'after'> {
  getJob(id: string, options: { signal: AbortSignal }): Promise<{ job: Job }>;
  /** How many streams are open at most. */
  most?: number;
}

export interface JobsWatch {
  /** Closes all connections; `open` continues. */
  close(): void;
  open(): void;
}

const MOST_STREAMS = 3;
/** How long a stream stays open while another one waits, and how often jobs are asked for. */
const TURN_MS = 5000;

interface Watched {
  readonly id: string;
  /** The number of its last event. */
  cursor: string;
  /** Nothing more will come. */
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
  /** Those that wait for their turn come first. */
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
    // Its end may have been told before there was a function to stop it.
    if (job.isOver) job.stop = undefined;
  }

  /** Those that have been open for longest give way, as many as wait. */
  function turn(): void {
    const waiting = queue.filter(({ stop, isOver }) => !stop && !isOver);
    const giving = queue.filter(({ stop }) => stop).slice(0, waiting.length);
    for (const job of giving) {
      job.stop?.();
      job.stop = undefined;
    }
    queue = [...queue.filter(job => !giving.includes(job)), ...giving];
    fill();
    for (const job of queue) if (!job.isOver) void ask(job);
  }

  /** What the stream lacks: the name, the settings, and the status of a job that waits. */
  async function ask(job: Watched): Promise<void> {
    const { signal } = closed;
    try {
      const answer = await getJob(job.id, { signal });
      if (!signal.aborted) handlers.onJob(job.id, answer.job);
    } catch {
      // The stream runs into the same problem and reports it.
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
