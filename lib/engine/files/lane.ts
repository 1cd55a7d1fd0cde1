// Runs file work in a small pool of processes. Callers take turns, and none can occupy the whole pool.
import type { Clock } from '../../clock/index.js';
import { createWaitingRoom, pickNext } from '../generate/turns.js';
import {
  closed,
  createProcessPool,
  ProcessExitedError,
  type ReaderProcess,
  startReaderProcess,
  type Work,
} from './reader-process.js';

interface LaneWork extends Work {
  /** Whose work it is. */
  caller: string;
  /** Already accepted, so it is queued no matter how full the queue is. */
  isAccepted?: boolean | undefined;
}

export interface LaneLoad {
  running: number;
  waiting: number;
  /** How long the longest waiter has waited for other callers' work. */
  heldUpMs: number;
}

export interface Lane {
  /** Throws `engine_busy` if too many wait. */
  run(work: LaneWork): Promise<unknown>;
  readonly load: LaneLoad;
  close(): void;
}

interface LaneOptions {
  /** How many processes. */
  places: number;
  /** Whether they run below normal priority. */
  low: boolean;
  clock: Clock;
}

/** Retries work once if its process dies. */
const TRIES = 2;
/** The most requests at once, including running ones. */
const QUEUE = 64;

interface Entry extends LaneWork {
  since: number;
  begin(): void;
  fail(error: unknown): void;
}

export function createLane({ places, low, clock }: LaneOptions): Lane {
  const running = new Set<LaneWork>();
  const pool = createProcessPool(() => startReaderProcess({ low, clock }), clock);
  let waiting: Entry[] = [];
  const refusable = () => waiting.filter(({ isAccepted }) => !isAccepted);
  const queue = {
    get running() {
      return [...running];
    },
    get waiting() {
      return refusable();
    },
    get notStarted() {
      return refusable();
    },
  };
  const room = createWaitingRoom(QUEUE, { queue, name: 'The file reader' });

  const countOf = (caller: string) => [...running].filter(work => work.caller === caller).length;

  /** Starts waiting work in free processes. Each caller leaves one process to others. */
  function next(): void {
    while (running.size < places) {
      const eligible = waiting.filter(({ caller }) => countOf(caller) < places - 1);
      const picked = pickNext(eligible, [...running]);
      if (!picked) return;
      leave(picked);
      running.add(picked);
      picked.begin();
    }
  }

  function leave(entry: Entry): void {
    waiting = waiting.filter(other => other !== entry);
  }

  /** The key in `running`. */
  function untilTurn(work: LaneWork): Promise<LaneWork> {
    return new Promise((resolve, reject) => {
      const onAbort = () => entry.fail(work.signal!.reason);
      const settle = (done: () => void) => {
        work.signal?.removeEventListener('abort', onAbort);
        done();
      };
      const entry: Entry = {
        ...work,
        since: clock.elapsed(),
        begin: () => settle(() => resolve(entry)),
        fail: error => {
          leave(entry);
          settle(() => reject(error));
        },
      };
      if (!work.isAccepted) room.reserve(entry)();
      work.signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(entry);
      next();
    });
  }

  async function perform(work: LaneWork): Promise<unknown> {
    let process: ReaderProcess | undefined;
    try {
      for (let tries = 1; ; tries++) {
        process = pool.acquire(`${work.caller} ${work.kind}`);
        try {
          return await process.work(work);
        } catch (error) {
          if (!(error instanceof ProcessExitedError) || tries === TRIES) throw error;
        }
      }
    } finally {
      void leavePlace(work, process);
    }
  }

  /** Abandoned work occupies its slot until its process is free. */
  async function leavePlace(work: LaneWork, process: ReaderProcess | undefined): Promise<void> {
    await process?.untilFree();
    if (process) pool.release(process);
    running.delete(work);
    next();
  }

  return {
    async run(work) {
      work.signal?.throwIfAborted();
      return perform(await untilTurn(work));
    },
    get load() {
      const now = clock.elapsed();
      const heldUp = waiting.filter(({ caller }) => countOf(caller) === 0).map(({ since }) => now - since);
      return { running: running.size, waiting: waiting.length, heldUpMs: Math.max(0, ...heldUp) };
    },
    close() {
      pool.close();
      for (const entry of waiting) entry.fail(closed());
    },
  };
}
