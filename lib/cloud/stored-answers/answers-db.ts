// The database of stored answers: responses, conversations and chat completions, each with its owner.
import { join } from 'node:path';
import { type Generated, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { ChatCompletion, ChatMessage, Conversation, ResponseItem } from '../../contract/index.js';
import type { EventMessage } from '../../http/index.js';
import type { Cursors } from '../answers/cursors.js';
import type { ResponseDocument } from '../answers/responses.js';
import { createOwnFile, deleteBeyond, type OwnFile } from '../store/own-file.js';
import type { openInThread } from '../store/thread-client.js';

interface AnswerTables {
  entries: {
    /** Increases with each row; used for pagination. */
    number: Generated<number>;
    id: string;
    owner: string;
    kind: Kind;
    /** In milliseconds. A conversation changes with each turn, so it lives as long as it is used. */
    changed_at: number;
    /** 1 while a response is generated in the background. */
    is_open: 0 | 1;
    bytes: number;
    /** As JSON. */
    content: string;
  };
  /** The entry that brought an item. Later responses hold copies of it. */
  items: { id: string; entry: number };
}

/** The stored form of each kind. */
export interface Contents {
  response: StoredResponse;
  conversation: { document: Conversation; items: ResponseItem[] };
  chat: { document: StoredChat; messages: ChatMessage[] };
}

export interface StoredResponse {
  /** Without its output, which is at the end of `items`. */
  document: ResponseDocument;
  /** The whole conversation: what the model was given, and what it wrote. */
  items: ResponseItem[];
  inputCount: number;
  /** The events of a streamed background response, as they were sent. */
  events?: readonly EventMessage[];
}

export type StoredChat = ChatCompletion & { metadata: Record<string, string> };

export type Kind = keyof Contents;

export type AnswersDb = Kysely<AnswerTables>;
export type AnswersFile = OwnFile<AnswerTables>;

export type Entry = Selectable<AnswerTables['entries']>;

const SCHEMA = {
  version: 1,
  holds: 'stored answers',
  create: [
    `CREATE TABLE entries (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      owner TEXT NOT NULL,
      kind TEXT NOT NULL,
      changed_at INTEGER NOT NULL,
      is_open INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      content TEXT NOT NULL
    )`,
    'CREATE INDEX entries_by_owner ON entries (owner, changed_at, number, bytes)',
    'CREATE INDEX entries_by_age ON entries (changed_at)',
    `CREATE TABLE items (
      id TEXT NOT NULL,
      entry INTEGER NOT NULL REFERENCES entries (number) ON DELETE CASCADE,
      PRIMARY KEY (id, entry)
    ) WITHOUT ROWID`,
    'CREATE INDEX items_by_entry ON items (entry)',
  ],
};

export const createAnswersFile = (folder: string, openDatabase?: typeof openInThread): AnswersFile =>
  createOwnFile(join(folder, 'answers.db'), SCHEMA, openDatabase);

/** Storage limits. */
export interface AnswerLimits {
  /** Per project or key. */
  entries: number;
  /** Total per project or key. */
  bytes: number;
  /** A larger entry is not stored. */
  entryBytes: number;
}

export const ANSWER_LIMITS: AnswerLimits = {
  entries: 10_000,
  bytes: 64 * 1024 ** 2,
  entryBytes: 8 * 1024 ** 2,
};

/** SQLite takes fewer values in one statement than a conversation may have items. */
const IDS_AT_ONCE = 500;

export type NewEntry = Omit<Entry, 'number'>;

/** Whether others were deleted to make room. */
export function insertEntry(
  db: AnswersDb,
  entry: NewEntry,
  itemIds: readonly string[],
  limits: AnswerLimits,
): Promise<boolean> {
  return db.transaction().execute(async transaction => {
    const { number } = await transaction
      .insertInto('entries')
      .values(entry)
      .returning('number')
      .executeTakeFirstOrThrow();
    await insertItems(transaction, number, itemIds);
    return makeRoom(transaction, { owner: entry.owner, number }, limits);
  });
}

/** The items that a change brings, and the one that it takes away. */
export interface ItemChange {
  itemIds?: readonly string[];
  removedId?: string | undefined;
}

/** False if it was deleted meanwhile. */
export function updateEntry(
  db: AnswersDb,
  entry: NewEntry,
  { itemIds = [], removedId }: ItemChange,
  limits: AnswerLimits,
): Promise<boolean> {
  const { id, owner, ...changes } = entry;
  return db.transaction().execute(async transaction => {
    const changed = await transaction
      .updateTable('entries')
      .set(changes)
      .where('id', '=', id)
      .where('owner', '=', owner)
      .returning('number')
      .executeTakeFirst();
    if (!changed) return false;
    if (removedId !== undefined)
      await transaction
        .deleteFrom('items')
        .where('id', '=', removedId)
        .where('entry', '=', changed.number)
        .execute();
    await insertItems(transaction, changed.number, itemIds);
    await makeRoom(transaction, { owner, number: changed.number }, limits);
    return true;
  });
}

async function insertItems(
  transaction: Transaction<AnswerTables>,
  entry: number,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE)
    await transaction
      .insertInto('items')
      .values(ids.slice(at, at + IDS_AT_ONCE).map(id => ({ id, entry })))
      .onConflict(conflict => conflict.doNothing())
      .execute();
}

/**
 * Deletes what was unused for longest, but neither what was just written, even if the clock was set back, nor background responses
 * that are not complete yet. Returns whether anything was deleted.
 */
function makeRoom(
  transaction: Transaction<AnswerTables>,
  { owner, number }: Pick<Entry, 'owner' | 'number'>,
  { entries, bytes }: AnswerLimits,
): Promise<boolean> {
  const where = sql`owner = ${owner}`;
  const order = sql`number = ${number} DESC, is_open DESC, changed_at DESC, number DESC`;
  return deleteBeyond(transaction, { table: 'entries', where, order }, { rows: entries, bytes });
}

/** The entries that a reader may see. */
export interface AnswerScope {
  owner: string;
  /** Older ones count as deleted. */
  after: number;
}

export async function findEntry(
  db: AnswersDb,
  scope: AnswerScope,
  kind: Kind,
  id: string,
): Promise<Pick<Entry, 'number' | 'content'> | null> {
  const query = entriesIn(db, scope, kind).select(['number', 'content']).where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

function entriesIn(db: AnswersDb, { owner, after }: AnswerScope, kind: Kind) {
  return db
    .selectFrom('entries')
    .where('owner', '=', owner)
    .where('kind', '=', kind)
    .where(eb => eb.or([eb('changed_at', '>', after), eb('is_open', '=', 1)]));
}

export const parseContent = <K extends Kind>({ content }: Pick<Entry, 'content'>) =>
  JSON.parse(content) as Contents[K];

/**
 * The items with these IDs, each as the newest entry says it. The database searches, one entry at a time: all databases share
 * its thread.
 */
export async function findItems(
  db: AnswersDb,
  scope: AnswerScope,
  ids: readonly string[],
): Promise<Map<string, ResponseItem>> {
  const found = new Map<string, ResponseItem>();
  for (const { entry, wanted } of await findNewest(db, scope, ids)) {
    const { rows } = await sql<{ id: string; item: string }>`
      SELECT json_extract(each.value, '$.id') AS id, each.value AS item
      FROM entries, json_each(entries.content, '$.items') AS each
      WHERE entries.number = ${entry}
        AND json_extract(each.value, '$.id') IN (SELECT value FROM json_each(${wanted}))`.execute(db);
    for (const { id, item } of rows) found.set(id, JSON.parse(item) as ResponseItem);
  }
  return found;
}

/** The newest entry of each ID; the IDs of an entry are in `wanted`, as JSON. */
async function findNewest(db: AnswersDb, { owner, after }: AnswerScope, ids: readonly string[]) {
  const { rows } = await sql<{ entry: number; wanted: string }>`
    SELECT entry, json_group_array(id) AS wanted
    FROM (
      SELECT asked.value AS id, (
        SELECT items.entry FROM items CROSS JOIN entries ON entries.number = items.entry
        WHERE items.id = asked.value AND entries.owner = ${owner} AND entries.changed_at > ${after}
        ORDER BY items.entry DESC LIMIT 1
      ) AS entry
      FROM json_each(${JSON.stringify(ids)}) AS asked
    ) WHERE entry IS NOT NULL GROUP BY entry`.execute(db);
  return rows;
}

export interface ChatWindow {
  limit: number;
  order: 'asc' | 'desc';
  after?: string | undefined;
  model?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
}

/** Throws if `after` is not in the list. Without a database, there are none. */
export async function listChats(
  db: AnswersDb | null,
  scope: AnswerScope,
  { limit, order, after, model, metadata = {} }: ChatWindow,
  cursors: Cursors,
): Promise<Contents['chat'][]> {
  const findRow = async (id: string) => db && findEntry(db, scope, 'chat', id);
  const last = await cursors.find(scope.owner, after, findRow);
  if (!db) return [];
  const wanted = [
    ...(model === undefined ? [] : [sql<boolean>`json_extract(content, '$.document.model') = ${model}`]),
    // What `json_extract` has parsed, SQLite remembers for the next condition.
    ...Object.entries(metadata).map(
      ([key, value]) => sql<boolean>`EXISTS (
        SELECT 1 FROM json_each(json_extract(content, '$.document.metadata')) AS each
        WHERE each.key = ${key} AND each.value = ${value})`,
    ),
  ];
  const rows = await wanted
    .reduce(
      (query, condition) => query.where(condition),
      entriesIn(db, scope, 'chat').select(['id', 'number', 'content']),
    )
    .$if(last !== null, query => query.where('number', order === 'asc' ? '>' : '<', last))
    .orderBy('number', order)
    .limit(limit + 1)
    .execute();
  cursors.note(scope.owner, rows, limit);
  return rows.map(row => parseContent<'chat'>(row));
}
