// Schedules writes. A turn is a transaction that takes SQLite's write lock first, so that another process cannot make it
// fail halfway. While another process has the lock, the turn keeps retrying.
import { setImmediate } from 'node:timers/promises';
import type { Clock, Timer } from '../../clock/index.js';
import type { Connection } from './sqlite.js';
import { isBusy, isStorageCode } from './storage-codes.js';

export interface Turn {
  /** Writes, starting by taking the lock. Called again if another process has it. */
  write(): void | Promise<void>;
  fail(error: unknown): void;
}

export interface WriteTurns {
  enqueue(turn: Turn): void;
  /** Afterward no transaction is open, and the connection can be reused. */
  undo(error: unknown): void;
  close(): void;
}

interface TurnSettings {
  clock: Clock;
  patienceMs: number;
  idleMs: number;
  /** A turn has waited for the lock for a while. */
  onBlocked(): void;
  /** Nothing has been written for a while. */
  onIdle(): void;
}

/** Turns that wait longer than this are reported. */
const NOTABLE_MS = 1000;
/** A process that locks the file repeatedly leaves short gaps, so part of each cycle is spent looking for one. */
const CYCLE_MS = 40;
const LOOKING_MS = 8;

export function createWriteTurns(writer: Connection, settings: TurnSettings): WriteTurns {
  const { clock } = settings;
  const waiting: { turn: Turn; since: number }[] = [];
  let isWriting = false;
  let idle: Timer | undefined;
  let isClosed = false;

  function undo(error: unknown): void {
    try {
      if (writer.inTransaction) writer.exec('ROLLBACK');
      if (isStorageCode(error) && !isBusy(error)) writer.reset();
    } catch {
      writer.reset();
    }
  }

  async function takeTurn(turn: Turn, since: number): Promise<void> {
    for (let isReported = false; ; ) {
      try {
        return await turn.write();
      } catch (error) {
        undo(error);
        const waited = clock.elapsed() - since;
        if (!isBusy(error) || waited > settings.patienceMs) return turn.fail(error);
        if (waited > NOTABLE_MS && !isReported) {
          isReported = true;
          settings.onBlocked();
        }
      }
      await rest(clock.elapsed() - since);
    }
  }

  async function rest(waitedMs: number): Promise<void> {
    const phase = waitedMs % CYCLE_MS;
    if (phase < LOOKING_MS) await setImmediate();
    else await clock.sleep(CYCLE_MS - phase);
  }

  async function takeTurns(): Promise<void> {
    isWriting = true;
    idle?.stop();
    for (let next = waiting.shift(); next; next = waiting.shift()) await takeTurn(next.turn, next.since);
    isWriting = false;
    if (!isClosed) idle = clock.after(settings.idleMs, settings.onIdle);
  }

  return {
    enqueue(turn) {
      waiting.push({ turn, since: clock.elapsed() });
      if (!isWriting) void takeTurns();
    },
    undo,
    close() {
      isClosed = true;
      idle?.stop();
    },
  };
}
