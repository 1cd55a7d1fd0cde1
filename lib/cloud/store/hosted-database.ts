// A database in the database thread. Reads use a separate connection and continue while a write waits.
import type { Clock } from '../../clock/index.js';
import { type Connection, openConnection, type QueryResult } from './sqlite.js';
import { isBusy, isStorageCode } from './storage-codes.js';
import type { Reply, Settings, Work, WorkRequest } from './thread-messages.js';
import { createWriteTurns, type Turn, type WriteTurns } from './write-turns.js';

type Query = Extract<Work, { kind: 'query' }>;

/**
 * Every commit is on disk before it is reported. SQLite itself never waits for a lock here, because that would block reads.
 */
const PRAGMAS = ['busy_timeout = 0', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];
const NOTHING: QueryResult = { rows: [], changes: null };
const READ_RETRY_MS = 5;
/** How long a statement waits for another process, such as a backup, before it fails. */
const PATIENCE_MS = 5000;
/** The write-ahead log is checkpointed after this long without a write. */
const IDLE_MS = 2000;

interface HostedDatabaseOptions extends Settings {
  /** Names the database in messages. */
  database: number;
  clock: Clock;
  reply(message: Reply): void;
  onClosed(): void;
}

export class HostedDatabase {
  readonly #writer: Connection;
  /** Null for an in-memory database, which other connections cannot see. */
  readonly #reader: Connection | null;
  readonly #sessions = new Map<number, HostedSession>();
  readonly #answers: Replies;
  readonly #turns: WriteTurns;
  readonly #clock: Clock;
  readonly #onClosed: () => void;

  constructor(options: HostedDatabaseOptions) {
    const { database, file, pragmas = PRAGMAS, clock, reply, onClosed } = options;
    this.#writer = openConnection(file, pragmas);
    this.#reader = file === ':memory:' ? null : openConnection(file, [...pragmas, 'query_only = ON']);
    this.#answers = {
      done: ({ id }, result = NOTHING) => reply({ kind: 'done', id, result }),
      failed: ({ id }, error) => reply({ kind: 'failed', id, error: describe(error) }),
    };
    this.#turns = createWriteTurns(this.#writer, {
      clock,
      patienceMs: PATIENCE_MS,
      idleMs: IDLE_MS,
      onBlocked: () => reply({ kind: 'blocked', database }),
      onIdle: () => void this.#checkIn(),
    });
    this.#clock = clock;
    this.#onClosed = onClosed;
  }

  handle(request: WorkRequest): void {
    const { work } = request;
    const session = this.#sessions.get(request.session);
    if (work.kind === 'begin') this.#begin(request);
    else if (session) session.handle(request);
    else if (work.kind === 'query' && work.isRead && this.#reader)
      void this.#read(this.#reader, request, work);
    else
      this.#turns.enqueue({
        write: () => this.#writeAlone(request),
        fail: error => this.#answers.failed(request, error),
      });
  }

  #begin({ session: key }: WorkRequest): void {
    const onEnd = () => this.#sessions.delete(key);
    const session = createHostedSession(this.#writer, this.#turns, this.#answers, onEnd);
    this.#sessions.set(key, session);
    this.#turns.enqueue(session.turn);
  }

  async #read(from: Connection, request: WorkRequest, { sql, parameters }: Query): Promise<void> {
    const clock = this.#clock;
    for (const since = clock.elapsed(); ; await clock.sleep(READ_RETRY_MS)) {
      try {
        return this.#answers.done(request, from.query(sql, parameters));
      } catch (error) {
        if (isStorageCode(error)) from.reset();
        if (!isBusy(error) || clock.elapsed() - since > PATIENCE_MS)
          return this.#answers.failed(request, error);
      }
    }
  }

  #writeAlone(request: WorkRequest): void {
    const { work } = request;
    const done = (result: QueryResult) => this.#answers.done(request, result);
    if (work.kind === 'query') done(this.#transact(() => this.#writer.query(work.sql, work.parameters)));
    else if (work.kind === 'probe') done(this.#transact(() => this.#probe()));
    else if (work.kind === 'copy') done(this.#writer.query('VACUUM INTO ?', [work.to]));
    else if (work.kind === 'checkpoint') done(this.#checkIn());
    else if (work.kind === 'close') done(this.#close());
  }

  #transact(act: () => QueryResult): QueryResult {
    this.#writer.exec('BEGIN IMMEDIATE');
    const result = act();
    this.#writer.exec('COMMIT');
    return result;
  }

  /** Rewrites an existing value, changing nothing. */
  #probe(): QueryResult {
    const { rows } = this.#writer.query('PRAGMA user_version', []);
    const { user_version: version } = rows[0] as { user_version: number };
    this.#writer.exec(`PRAGMA user_version = ${version}`);
    return NOTHING;
  }

  /** Moves the log into the database. Failures are ignored; the next write tries again. */
  #checkIn(): QueryResult {
    try {
      return this.#writer.query('PRAGMA wal_checkpoint(TRUNCATE)', []);
    } catch (error) {
      this.#turns.undo(error);
      return NOTHING;
    }
  }

  #close(): QueryResult {
    this.#turns.close();
    this.#reader?.close();
    this.#checkIn();
    this.#writer.close();
    this.#onClosed();
    return NOTHING;
  }
}

function describe(error: unknown): { code: string; message: string } {
  const { code = '', message } = error as { code?: string; message: string };
  return { code, message };
}

export interface HostedSession {
  handle(request: WorkRequest): void;
  /** Its turn to write. */
  readonly turn: Turn;
}

export interface Replies {
  done(request: WorkRequest, result?: QueryResult): void;
  failed(request: WorkRequest, error: unknown): void;
}

/**
 * A transaction in the database thread, whose statements arrive one by one. After a machine failure it is rolled back, and
 * its remaining statements fail: SQLite may have ended it, and they must not run outside of it.
 */
function createHostedSession(
  writer: Connection,
  { undo }: Pick<WriteTurns, 'undo'>,
  { done, failed }: Replies,
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
