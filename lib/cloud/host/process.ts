// The cloud's own process: how it is stopped, and how it releases memory.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { type Repeating, repeat } from '../../clock/index.js';
import { collectGarbage, createSignals, onFirstOf } from '../../system/index.js';

interface ProcessWatch {
  /** Resolves when the process was asked to stop or an error was not handled. */
  ended: Promise<'stopped' | 'crashed'>;
  stop(): void;
  /** Stops the process as after an unhandled error. */
  fail(error: unknown): void;
  /** Removes all listeners. */
  unwatch(): void;
}

/** Windows has only the last three, for Ctrl+C, a closed window and Ctrl+Break. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

/**
 * Handles requests to stop the process. The first signal asks; the second has its default effect. `onCrash` is called while
 * the process is still running.
 */
export function watchProcess(onCrash: (error: unknown) => void): ProcessWatch {
  let resolve!: (reason: 'stopped' | 'crashed') => void;
  const ended = new Promise<'stopped' | 'crashed'>(done => {
    resolve = done;
  });
  const stop = () => {
    ignore();
    resolve('stopped');
  };
  const crash = (error: unknown) => {
    onCrash(error);
    resolve('crashed');
  };
  const ignore = onFirstOf(createSignals(process), SIGNALS, stop);
  process.on('uncaughtException', crash);
  return {
    ended,
    stop,
    fail: crash,
    unwatch() {
      ignore();
      process.off('uncaughtException', crash);
    },
  };
}

interface Process {
  /** Bytes in use, including garbage. */
  measureHeap(): number;
  /** The amount of work since the last call. */
  measureWork(): Pick<EventLoopUtilization, 'active' | 'utilization'>;
  collect(): void;
}

const INTERVAL_MS = 10_000;
/** A collection takes about 50 ms, more for a large heap: it must be worth it, and no request should be waiting. */
const WORTHWHILE_BYTES = 64 * 1024 ** 2;
const QUIET = 0.1;
/** Less work than this leaves little garbage. */
const NOTABLE_MS = 250;
/** The pause after a collection that freed little because the memory is in use: a minute. */
const ROUNDS_OF_REST = 6;

/**
 * V8 collects garbage only on allocation, so after a burst of work, an idle process keeps the memory that thousands of
 * readers took for as long as nothing happens.
 */
export function releaseMemory(): Repeating {
  return repeat(
    createMemoryRelease({ measureHeap, measureWork: createWorkMeter(), collect: collectGarbage }),
    INTERVAL_MS,
  );
}

/** Collects garbage once after each burst of work, if it left much more memory in use than before. @internal */
export function createMemoryRelease({ measureHeap, measureWork, collect }: Process): () => Promise<void> {
  let lowest = measureHeap();
  let workMs = 0;
  let rest = 0;
  return async () => {
    const { active, utilization } = measureWork();
    workMs += active;
    rest--;
    if (rest > 0 || utilization > QUIET || workMs < NOTABLE_MS) return;
    const used = measureHeap();
    if (used - lowest > WORTHWHILE_BYTES) {
      collect();
      if (used - measureHeap() < WORTHWHILE_BYTES) rest = ROUNDS_OF_REST;
    }
    lowest = Math.min(lowest, measureHeap());
    workMs = 0;
  };
}

function measureHeap(): number {
  return getHeapStatistics().used_heap_size;
}

function createWorkMeter(): Process['measureWork'] {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const done = performance.eventLoopUtilization(now, last);
    last = now;
    return done;
  };
}
