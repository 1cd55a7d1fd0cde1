// A database in the database thread. Reads have their own connection and continue while a write waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answers, createHostedSession, type HostedSession } from './hosted-session.js';
import { type Connection, openConnection, type QueryResult } from './sqlite.js';
import { isBusy, isStorageCode } from './storage-codes.js';
import type { Reply, Settings, Work, WorkRequest } from './thread-messages.js';
import { createWriteTurns } from './write-turns.js';

export interface HostedDatabase {
  handle(request: WorkRequest): void;
}

type Query = Extract<Work, { kind: 'query' }>;

/** Every commit is on disk before it is reported. Never waits for a lock here, because that would block reads. */
const PRAGMAS = ['busy_timeout = 0', 'journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'];
const NOTHING: QueryResult = { rows: [], changes: null };
const READ_RETRY_MS = 5;

export function createHostedDatabase(
  database: number,
  { file, patienceMs, idleMs }: Settings,
  reply: (message: Reply) => void,
  onClosed: () => void,
): HostedDatabase {
  const writer = openConnection(file, PRAGMAS);
  // Other connections cannot see an in-memory database.
  const reader = file === ':memory:' ? null : openConnection(file, [...PRAGMAS, 'query_only = ON']);
  const sessions = new Map<number, HostedSession>();
  const answers: Answers = {
    done: ({ id }, result = NOTHING) => reply({ kind: 'done', id, result }),
    failed: ({ id }, error) => reply({ kind: 'failed', id, error: describe(error) }),
  };
  const turns = createWriteTurns(writer, {
    patienceMs,
    idleMs,
    onBlocked: () => reply({ kind: 'blocked', database }),
    onIdle: checkInIfPossible,
  });

  function handle(request: WorkRequest): void {
    const { work } = request;
    const session = sessions.get(request.session);
    if (work.kind === 'begin') begin(request);
    else if (session) session.handle(request);
    else if (work.kind === 'query' && work.isRead && reader) void read(reader, request, work);
    else turns.enqueue({ write: () => writeAlone(request), fail: error => answers.failed(request, error) });
  }

  function begin({ session: key }: WorkRequest): void {
    const session = createHostedSession(writer, turns, answers, () => sessions.delete(key));
    sessions.set(key, session);
    turns.enqueue(session.turn);
  }

  async function read(from: Connection, request: WorkRequest, { sql, parameters }: Query): Promise<void> {
    for (const since = performance.now(); ; await sleep(READ_RETRY_MS)) {
      try {
        return answers.done(request, from.query(sql, parameters));
      } catch (error) {
        if (isStorageCode(error)) from.reset();
        if (!isBusy(error) || performance.now() - since > patienceMs) return answers.failed(request, error);
      }
    }
  }

  function writeAlone(request: WorkRequest): void {
    const { work } = request;
    if (work.kind === 'query')
      answers.done(
        request,
        transact(() => writer.query(work.sql, work.parameters)),
      );
    else if (work.kind === 'probe') answers.done(request, transact(probe));
    else if (work.kind === 'copy') answers.done(request, writer.query('VACUUM INTO ?', [work.to]));
    else if (work.kind === 'close') answers.done(request, close());
  }

  function transact(act: () => QueryResult): QueryResult {
    writer.exec('BEGIN IMMEDIATE');
    const result = act();
    writer.exec('COMMIT');
    return result;
  }

  /** Writes what already exists, changing nothing. */
  function probe(): QueryResult {
    const { rows } = writer.query('PRAGMA user_version', []);
    const { user_version: version } = rows[0] as { user_version: number };
    writer.exec(`PRAGMA user_version = ${version}`);
    return NOTHING;
  }

  function checkIn(): void {
    writer.query('PRAGMA wal_checkpoint(TRUNCATE)', []);
  }

  /** A failure here is made up for after the next write. */
  function checkInIfPossible(): void {
    try {
      checkIn();
    } catch (error) {
      turns.undo(error);
    }
  }

  function close(): QueryResult {
    turns.close();
    reader?.close();
    checkInIfPossible();
    writer.close();
    onClosed();
    return NOTHING;
  }

  return { handle };
}

function describe(error: unknown): { code: string; message: string } {
  const { code = '', message } = error as { code?: string; message: string };
  return { code, message };
}
