// Gives memory back to the system after a burst of work. V8 looks for garbage when something is allocated, so a process that
// has become quiet keeps what thousands of readers took for as long as nothing happens.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Repeating, repeat } from '../../system/index.js';

interface Process {
  /** Bytes in use, with garbage. */
  measureHeap(): number;
  /** What the process has done since it was last asked. */
  measureWork(): Pick<EventLoopUtilization, 'active' | 'utilization'>;
  collect(): void;
}

const INTERVAL_MS = 10_000;
/** A collection takes some 50 ms: it must be worth it, and nobody should be waiting. */
const WORTHWHILE_BYTES = 64 * 1024 ** 2;
const QUIET = 0.1;
/** What follows less work than this is not much garbage. */
const NOTABLE_MS = 250;

export function releaseMemory(): Repeating {
  return repeat(createMemoryRelease({ measureHeap, measureWork: createWorkMeter(), collect }), INTERVAL_MS);
}

/** Collects garbage once after each time of work, if that left much more in use than there has been. */
export function createMemoryRelease({ measureHeap, measureWork, collect }: Process): () => Promise<void> {
  let lowest = measureHeap();
  let workMs = 0;
  return async () => {
    const { active, utilization } = measureWork();
    workMs += active;
    if (utilization > QUIET || workMs < NOTABLE_MS) return;
    if (measureHeap() - lowest > WORTHWHILE_BYTES) collect();
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

/** Node has no other way to ask for it. */
export function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
