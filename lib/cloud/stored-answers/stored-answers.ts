// Stores answers for the callers who asked for it, and deletes them when their time is over. Each project, or key of an
// endpoint, has a shelf that no other can read.
import type { Clock } from '../../clock/index.js';
import { ApiError, type ResponseItem } from '../../contract/index.js';
import { createMutex } from '../../system/index.js';
import { createCursors } from '../answers/cursors.js';
import type { OperationCall } from '../answers/operations.js';
import type { Db } from '../store/db.js';
import { toStorageFault } from '../store/storage-fault.js';
import { createSweeper } from '../store/sweeper.js';
import {
  ANSWER_LIMITS,
  type AnswerLimits,
  type AnswersDb,
  type AnswersFile,
  type ChatWindow,
  type Contents,
  createAnswersFile,
  findEntry,
  findItems,
  type ItemChange,
  insertEntry,
  type Kind,
  listChats,
  type NewEntry,
  parseContent,
  updateEntry,
} from './answers-db.js';

/** Where the answers to a caller are stored: a shelf, or the reason why there is none. */
export type AnswerStorage = { readonly shelf: Shelf } | { readonly reason: string };

/** Whose answers they are: a project's, or those of a key of an endpoint. */
type Owner = { projectId: string } | { keyId: string };

export interface Shelf {
  /** Throws if it is too large or cannot be written. */
  add<K extends Kind>(kind: K, content: Contents[K], options?: EntryOptions): Promise<void>;
  /** False if it was deleted meanwhile. */
  replace<K extends Kind>(kind: K, content: Contents[K], options?: EntryOptions): Promise<boolean>;
  /** Whether a response is small enough. */
  fits(content: Contents['response']): boolean;
  find<K extends Kind>(kind: K, id: string): Promise<Contents[K] | null>;
  findItems(ids: readonly string[]): Promise<Map<string, ResponseItem>>;
  /** Up to one more than the limit, if there are more. Throws if `after` is not in the list. */
  listChats(window: ChatWindow): Promise<Contents['chat'][]>;
  /** False if there was none. What is deleted is overwritten on the disk. */
  delete(kind: Kind, id: string): Promise<boolean>;
  /** False if it failed: what an answer says is worth more than that it is stored. */
  attempt(work: () => Promise<unknown>): Promise<boolean>;
  /** Runs changes that depend on what is stored one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Locks a conversation until what is returned is first called. Throws `conversation_locked`. */
  lock(conversationId: string): () => void;
  requireUnlocked(conversationId: string): void;
}

interface EntryOptions extends ItemChange {
  isOpen?: boolean;
}

export interface StoredAnswers {
  of(owner: Owner): AnswerStorage;
  /** Deletes what is too old, and what belonged to keys and projects that are gone. A failure is logged, and retried. */
  enforce(): Promise<void>;
  /** Enforces now, and then every minute. Background responses that a stopped cloud left open fail. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface StoredAnswersOptions {
  /** How long answers are stored. 0: not at all. Default: 24. */
  hours?: number | undefined;
  limits?: Partial<AnswerLimits>;
  folder: string;
  /** Default: the database in the folder. */
  file?: AnswersFile;
  log: (line: { message: string; error?: unknown }) => void;
  clock: Clock;
}

const HOUR_MS = 60 * 60 * 1000;
const DEFAULT_HOURS = 24;
const NOT_STORED: AnswerStorage = { reason: 'this cloud was started with `--no-store`' };

export function createStoredAnswers(db: Db, options: StoredAnswersOptions): StoredAnswers {
  const { log, clock, hours = DEFAULT_HOURS } = options;
  const limits = { ...ANSWER_LIMITS, ...options.limits };
  const file = options.file ?? createAnswersFile(options.folder);
  const inTurn = createMutex();
  const locked = new Set<string>();
  const chatCursors = createCursors();
  /** Background responses of this cloud, while those that a stopped one left open have not failed yet. */
  let ownOpen: Set<string> | null = new Set();
  let isFailing = false;

  const expiry = () => clock.now() - hours * HOUR_MS;

  const sweeper = createSweeper(file, {
    async remove(stored) {
      const expired = hours === 0 ? await deleteAll(stored) : await deleteExpired(stored, expiry());
      const orphaned = await deleteOrphans(stored, db);
      const failed = await failInterrupted(stored);
      return expired || orphaned || failed;
    },
    inTurn: createMutex(),
    problem: 'Stored answers could not be deleted yet.',
    ...{ log, clock },
  });

  async function failInterrupted(stored: AnswersDb): Promise<boolean> {
    if (!ownOpen) return false;
    const hasFailed = await failOpen(stored, ownOpen);
    ownOpen = null;
    return hasFailed;
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      if (isFailing) log({ message: 'Answers are stored again.' });
      isFailing = false;
      return true;
    } catch (error) {
      const problem = toStorageFault(error)?.message;
      const isOwnLimit = error instanceof ApiError && !problem;
      if (!isFailing && !isOwnLimit)
        log({
          message: `Answers cannot be stored right now. Callers get them all the same.${problem ? ` ${problem}` : ''}`,
          ...(!problem && { error }),
        });
      isFailing ||= !isOwnLimit;
      return false;
    }
  }

  function openShelf(owner: string): Shelf {
    const scope = () => ({ owner, after: expiry() });
    const lockOf = (conversationId: string) => `${owner} ${conversationId}`;

    function requireUnlocked(conversationId: string): void {
      if (locked.has(lockOf(conversationId))) throw conversationLocked();
    }

    function toEntry(kind: Kind, content: Contents[Kind], isOpen = false): NewEntry {
      const written = JSON.stringify(content);
      const bytes = Buffer.byteLength(written);
      if (bytes > limits.entryBytes) throw tooLarge(kind, limits.entryBytes);
      const { id } = content.document;
      return { id, owner, kind, changed_at: clock.now(), is_open: isOpen ? 1 : 0, bytes, content: written };
    }

    return {
      async add(kind, content, { itemIds = [], isOpen } = {}) {
        const entry = toEntry(kind, content, isOpen);
        if (isOpen) ownOpen?.add(entry.id);
        if (await insertEntry(await file.open(), entry, itemIds, limits)) file.noteTraces();
      },
      async replace(kind, content, { isOpen, ...items } = {}) {
        const entry = toEntry(kind, content, isOpen);
        const isReplaced = await updateEntry(await file.open(), entry, items, limits);
        file.noteTraces();
        return isReplaced;
      },
      fits: content => Buffer.byteLength(JSON.stringify(content)) <= limits.entryBytes,
      async find(kind, id) {
        const stored = await file.openExisting();
        const row = stored && (await findEntry(stored, scope(), kind, id));
        return row && parseContent(row);
      },
      async findItems(ids) {
        const stored = await file.openExisting();
        return stored ? findItems(stored, scope(), ids) : new Map();
      },
      listChats: async window => listChats(await file.openExisting(), scope(), window, chatCursors),
      async delete(kind, id) {
        const stored = await file.openExisting();
        const row = stored && (await findEntry(stored, scope(), kind, id));
        if (!row) return false;
        await sweeper.delete(() => stored.deleteFrom('entries').where('number', '=', row.number).execute());
        return true;
      },
      attempt,
      inTurn,
      lock(id) {
        requireUnlocked(id);
        locked.add(lockOf(id));
        let isHeld = true;
        return () => {
          if (isHeld) locked.delete(lockOf(id));
          isHeld = false;
        };
      },
      requireUnlocked,
    };
  }

  return {
    of: owner =>
      hours === 0
        ? NOT_STORED
        : { shelf: openShelf('projectId' in owner ? `project:${owner.projectId}` : `key:${owner.keyId}`) },
    enforce: sweeper.sweep,
    start: sweeper.start,
    async close() {
      await sweeper.stop();
      await file.close();
    },
  };
}

/** A call whose answer may be stored. */
export interface StoringCall extends OperationCall {
  storage: AnswerStorage;
}

export type StoringOperation = (call: StoringCall) => Promise<object>;

/** Where to look for what a path names. Without a shelf, it is not found. */
export function shelfFor(
  storage: AnswerStorage,
  code: 'response_not_found' | 'conversation_not_found' | 'chat_completion_not_found',
): Shelf {
  if ('shelf' in storage) return storage.shelf;
  throw new ApiError(code, `Nothing is stored here: ${storage.reason}.`);
}

/** Throws for callers without a shelf. The parameter is the one that needs it. */
export function requireShelf(storage: AnswerStorage, param: string): Shelf {
  if ('shelf' in storage) return storage.shelf;
  const message = `\`${param}\` needs stored answers, and nothing is stored here: ${storage.reason}.`;
  throw new ApiError('unsupported_parameter', message, { param });
}

/** But for background responses that are not complete yet. */
async function deleteExpired(db: AnswersDb, until: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('entries')
    .where('changed_at', '<=', until)
    .where('is_open', '=', 0)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Whatever the time is: the clock may have been ahead when they were stored. */
async function deleteAll(db: AnswersDb): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('entries').executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes what belonged to keys that are revoked or gone, and to projects that are gone. */
async function deleteOrphans(stored: AnswersDb, db: Db): Promise<boolean> {
  const rows = await stored.selectFrom('entries').select('owner').distinct().execute();
  const keys = await db.selectFrom('keys').select('id').where('enabled', '=', 1).execute();
  const projects = await db.selectFrom('projects').select('id').execute();
  const known = new Set([...keys.map(({ id }) => `key:${id}`), ...projects.map(({ id }) => `project:${id}`)]);
  const gone = rows.map(({ owner }) => owner).filter(owner => !known.has(owner));
  for (const owner of gone) await stored.deleteFrom('entries').where('owner', '=', owner).execute();
  return gone.length > 0;
}

export const INTERRUPTED = {
  code: 'server_error',
  message: 'The cloud stopped before this response was complete. Send the request again.',
};

/** Ends the background responses that a stopped cloud left open. Returns whether there were any. */
async function failOpen(stored: AnswersDb, own: ReadonlySet<string>): Promise<boolean> {
  const rows = await stored
    .selectFrom('entries')
    .select(['number', 'id', 'content'])
    .where('is_open', '=', 1)
    .execute();
  const left = rows.filter(({ id }) => !own.has(id));
  for (const row of left) {
    const content = parseContent<'response'>(row);
    const document = { ...content.document, status: 'failed', error: INTERRUPTED };
    await stored
      .updateTable('entries')
      .set({ is_open: 0, content: JSON.stringify({ ...content, document }) })
      .where('number', '=', row.number)
      .execute();
  }
  return left.length > 0;
}

function tooLarge(kind: Kind, limit: number): ApiError {
  return new ApiError('invalid_value', `A stored ${kind} has at most ${limit / 1024 ** 2} MiB.`);
}

function conversationLocked(): ApiError {
  return new ApiError(
    'conversation_locked',
    'Another response is being generated in this conversation. Try again when it has ended.',
    { param: 'conversation' },
  );
}
