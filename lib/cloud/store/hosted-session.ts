// A transaction in the database thread, whose statements arrive one by one. After a machine failure it is rolled back,
// and its remaining statements fail: SQLite may have ended it, and they must not be written outside of it.
import type { Connection, QueryResult } from './sqlite.js';
import { isStorageCode } from './storage-codes.js';
import type { WorkRequest } from './thread-messages.js';
import type { Turn, WriteTurns } from './write-turns.js';

export interface HostedSession {
  handle(request: WorkRequest): void;
  /** Its turn to write. */
  readonly turn: Turn;
}

export interface Answers {
  done(request: WorkRequest, result?: QueryResult): void;
  failed(request: WorkRequest, error: unknown): void;
}

export function createHostedSession(
  writer: Connection,
  { undo }: Pick<WriteTurns, 'undo'>,
  { done, failed }: Answers,
  onEnd: () => void,
): HostedSession {
  let state: 'waiting' | 'writing' | 'broken' = 'waiting';
  let failure: unknown;
  let release = () => {};
  const early: WorkRequest[] = [];

  function handle(request: WorkRequest): void {
    if (state === 'waiting') early.push(request);
    else if (request.work.kind === 'rollback') end(request, rollBack);
    else if (state === 'broken') failed(request, failure);
    else attempt(request);
  }

  /** A broken transaction was already rolled back, and another one may be writing by now. */
  function rollBack(): void {
    if (state === 'writing') undo(failure);
  }

  function attempt(request: WorkRequest): void {
    const { work } = request;
    try {
      if (work.kind === 'commit') end(request, () => writer.exec('COMMIT'));
      else if (work.kind === 'query') done(request, writer.query(work.sql, work.parameters));
    } catch (error) {
      failed(request, error);
      if (!isStorageCode(error)) return;
      undo(error);
      breakOff(error);
    }
  }

  function end(request: WorkRequest, act: () => void): void {
    act();
    done(request);
    onEnd();
    release();
  }

  function breakOff(error: unknown): void {
    state = 'broken';
    failure = error;
    release();
    for (const request of early.splice(0)) handle(request);
  }

  return {
    handle,
    turn: {
      async write() {
        writer.exec('BEGIN IMMEDIATE');
        state = 'writing';
        const released = new Promise<void>(resolve => {
          release = resolve;
        });
        for (const request of early.splice(0)) handle(request);
        await released;
      },
      fail: breakOff,
    },
  };
}
