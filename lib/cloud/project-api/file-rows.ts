// The rows of a project's files. A file is a name for a data set, or for other content, whose bytes are stored once.
import { sql, type Transaction } from 'kysely';
import {
  ApiError,
  BATCH_FILE_SECONDS,
  type FileObject,
  type STORED_PURPOSES,
  UNFINISHED_BATCHES,
} from '../../contract/index.js';
import type { Cursors } from '../answers/cursors.js';
import { claimUpload } from '../datasets/dataset-rows.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { newId, toSeconds } from '../openai-values.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';

type Purpose = (typeof STORED_PURPOSES)[number];

export interface FileRow {
  id: string;
  number: number;
  name: string;
  created_at: string;
  purpose: Purpose;
  expires_at: string | null;
  dataset_id: string;
  sha256: string;
  bytes: number;
  rows: number;
}

interface FileOwner {
  projectId: string;
  orgId: string;
}

interface NewFile {
  /** Default: a new one. */
  id?: string;
  name: string;
  purpose: Purpose;
  datasetId: string;
  at: Date;
  /** In seconds from then on. Default: those of batches expire, others do not. */
  expiresAfter?: number | undefined;
}

/** Creates a file for content that was just stored, which it then keeps. Returns its ID. */
export async function insertFile(
  transaction: Transaction<Tables>,
  { projectId, orgId }: FileOwner,
  { id = newId('file-'), name, purpose, datasetId, at, expiresAfter = defaultExpiry(purpose) }: NewFile,
): Promise<string> {
  await claimUpload(transaction, orgId, datasetId);
  await transaction
    .insertInto('files')
    .values({
      id,
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM files)`,
      project_id: projectId,
      dataset_id: datasetId,
      name,
      created_at: at.toISOString(),
      purpose,
      expires_at:
        expiresAfter === undefined ? null : new Date(at.getTime() + expiresAfter * 1000).toISOString(),
    })
    .execute();
  return id;
}

function defaultExpiry(purpose: Purpose): number | undefined {
  return purpose === 'batch' || purpose === 'batch_output' ? BATCH_FILE_SECONDS : undefined;
}

export function toFileObject({ id, bytes, created_at, name, purpose, expires_at }: FileRow): FileObject {
  return {
    id,
    object: 'file',
    bytes,
    created_at: toSeconds(created_at),
    filename: name,
    purpose,
    status: 'processed',
    ...(expires_at !== null && { expires_at: toSeconds(expires_at) }),
  };
}

/** Finds the file in the project; other projects' files do not exist for it. */
export async function findFile(
  db: Pick<Db, 'selectFrom'>,
  { projectId }: Pick<FileOwner, 'projectId'>,
  id: string,
): Promise<FileRow> {
  const file = await findRow(db, projectId, id);
  if (!file) throw fileNotFound(id);
  return file;
}

/** Null if it was deleted. */
export async function findFileObject(db: Db, projectId: string, id: string): Promise<FileObject | null> {
  const file = await findRow(db, projectId, id);
  return file ? toFileObject(file) : null;
}

/** The file that a field of a request names, which was uploaded with this purpose. */
export async function requireFile(
  db: Pick<Db, 'selectFrom'>,
  owner: Pick<FileOwner, 'projectId'>,
  { param, id, purpose }: { param: string; id: string; purpose: Purpose },
): Promise<FileRow> {
  const file = await findRow(db, owner.projectId, id);
  if (!file)
    throw new ApiError('invalid_value', `\`${param}\`: ${fileNotFound(id).message} Upload it first.`, {
      param,
    });
  if (file.purpose === purpose) return file;
  throw new ApiError(
    'invalid_value',
    `\`${param}\`: \`${id}\` was uploaded with the purpose \`${file.purpose}\`. Upload it with \`${purpose}\`.`,
    { param },
  );
}

function fileNotFound(id: string): ApiError {
  return new ApiError('file_not_found', `There is no file \`${id.slice(0, 100)}\` in this project.`, {
    param: 'id',
  });
}

interface FileWindow {
  purpose: string | undefined;
  limit: number;
  order: 'asc' | 'desc';
  after: string | undefined;
}

/** Returns one more than the limit, if there are more. */
export async function listFiles(
  db: Db,
  { projectId }: Pick<FileOwner, 'projectId'>,
  { purpose, limit, order, after }: FileWindow,
  cursors: Cursors,
): Promise<FileRow[]> {
  const last = await cursors.find(projectId, after, id => findRow(db, projectId, id));
  const found = await selectFiles(db, projectId)
    .$if(purpose !== undefined, query => query.where('purpose', '=', purpose as Purpose))
    .$if(last !== null, query => query.where('files.number', order === 'asc' ? '>' : '<', last))
    .orderBy('files.number', order)
    .limit(limit + 1)
    .execute();
  cursors.note(projectId, found, limit);
  return found;
}

function findRow(db: Pick<Db, 'selectFrom'>, projectId: string, id: string): Promise<FileRow | undefined> {
  return selectFiles(db, projectId).where('files.id', '=', id).executeTakeFirst();
}

function selectFiles(db: Pick<Db, 'selectFrom'>, projectId: string) {
  return db
    .selectFrom('files')
    .innerJoin('datasets', 'datasets.id', 'files.dataset_id')
    .select(['files.id', 'number', 'name', 'files.created_at', 'purpose', 'expires_at', 'dataset_id'])
    .select(['sha256', 'bytes', 'rows'])
    .where('project_id', '=', projectId);
}

/** Returns the ID of its content. Throws `file_in_use` while a job or batch created with it is unfinished. */
export function deleteFile(db: Db, owner: Pick<FileOwner, 'projectId'>, id: string): Promise<string> {
  return db.transaction().execute(async transaction => {
    const { dataset_id } = await findFile(transaction, owner, id);
    const user = await transaction
      .selectFrom('jobs')
      .innerJoin('fine_tunings', 'job_id', 'jobs.id')
      .select(['jobs.id', 'status', 'paused_at'])
      .where('status', 'in', ['queued', 'running'])
      .where(({ or, eb }) => or([eb('training_file', '=', id), eb('validation_file', '=', id)]))
      .executeTakeFirst();
    if (user) throw fileInUse('Job', { ...user, status: isPaused(user) ? 'paused' : user.status });
    const batch = await transaction
      .selectFrom('batches')
      .select(['id', 'status'])
      .where('input_file_id', '=', id)
      .where('status', 'in', UNFINISHED_BATCHES)
      .executeTakeFirst();
    if (batch) throw fileInUse('Batch', batch);
    await transaction.deleteFrom('files').where('id', '=', id).execute();
    return dataset_id;
  });
}

/** Not while it is about to be. */
const isPaused = (job: { status: string; paused_at: unknown }) =>
  job.status === 'queued' && job.paused_at !== null;

/** OpenAI's clients would retry a 409. */
function fileInUse(what: string, { id, status }: { id: string; status: string }): ApiError {
  return new ApiError(
    'file_in_use',
    `${what} ${id} is ${status} and was created with this file. Cancel it first, then delete the file.`,
    { headers: { 'x-should-retry': 'false' } },
  );
}

/** Deletes files whose time is over. Jobs that were created with them keep their rows; batches still read theirs. */
export async function deleteExpiredFiles(db: Db, datasets: DatasetStore, now: Date): Promise<void> {
  const expired = await db
    .deleteFrom('files')
    .where('expires_at', '<=', now.toISOString())
    .where('id', 'not in', query =>
      query.selectFrom('batches').select('input_file_id').where('status', 'in', UNFINISHED_BATCHES),
    )
    .returning('dataset_id')
    .execute();
  await datasets.release({ ids: expired.map(({ dataset_id }) => dataset_id) });
}
