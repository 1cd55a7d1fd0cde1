// Works on files in a few processes. Callers take turns for them, and no caller has them all.
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
  /** Whose turn it is. */
  caller: string;
  /** It was accepted before, so it waits however many others do. */
  isAccepted?: boolean | undefined;
}

export interface LaneLoad {
  running: number;
  waiting: number;
  /** How long the first one has waited that only other callers keep waiting. */
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

/** Work is retried once if its process dies. */
const TRIES = 2;
/** Of requests, running ones included. */
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
    get counts() {
      return { running: running.size, waiting: refusable().length };
    },
    get notStarted() {
      return refusable();
    },
  };
  const room = createWaitingRoom(QUEUE, { queue, name: 'The file reader' });

  const countOf = (caller: string) => [...running].filter(work => work.caller === caller).length;

  /** Gives free places away. Each caller leaves one for others. */
  function next(): void {
    while (running.size < places) {
      const able = waiting.filter(({ caller }) => countOf(caller) < places - 1);
      const picked = pickNext(able, [...running]);
      if (!picked) return;
      leave(picked);
      running.add(picked);
      picked.begin();
    }
  }

  function leave(entry: Entry): void {
    waiting = waiting.filter(other => other !== entry);
  }

  /** As `running` knows it. */
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

  /** Abandoned work keeps its place until its process is free. */
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
