// Deletes from an own file what may no longer be there, and overwrites it.
import type { Kysely } from 'kysely';
import { type Clock, type Repeating, repeat } from '../../clock/index.js';
import type { OwnFile } from './own-file.js';

export interface Sweeper {
  /** A failure is logged, and retried within a minute. */
  sweep(): Promise<void>;
  /** Deletes at once what this deletes. */
  delete(work: () => Promise<unknown>): Promise<void>;
  /** Sweeps now, and then every minute. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface SweeperOptions<Tables> {
  /** Returns whether anything was deleted or changed. */
  remove(db: Kysely<Tables>): Promise<boolean>;
  /** Runs one deletion after the other. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** What is logged if it fails. */
  problem: string;
  log: (line: { message: string; error?: unknown }) => void;
  clock: Clock;
}

const SWEEP_MS = 60_000;

export function createSweeper<Tables>(
  file: OwnFile<Tables>,
  { remove, inTurn, problem, log, clock }: SweeperOptions<Tables>,
): Sweeper {
  let sweeping: Repeating | null = null;

  async function sweepNow(): Promise<void> {
    const db = await file.openExisting();
    if (!db) return;
    // What fails may have deleted something.
    let hasRemoved = true;
    try {
      hasRemoved = await remove(db);
    } finally {
      if (hasRemoved) file.noteTraces();
    }
    await file.removeTraces();
  }

  async function sweep(): Promise<void> {
    try {
      await inTurn(sweepNow);
    } catch (error) {
      log({ message: problem, error });
    }
  }

  return {
    sweep,
    delete: work =>
      inTurn(async () => {
        await work();
        file.noteTraces();
        await file.removeTraces();
      }),
    async start() {
      await sweep();
      sweeping = repeat(sweep, SWEEP_MS, clock);
    },
    stop: async () => sweeping?.stop(),
  };
}
