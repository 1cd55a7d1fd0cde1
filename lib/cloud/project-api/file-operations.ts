// Operations on a project's files.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../clock/index.js';
import { ApiError, checkFileFields, type FileObject, filesQuery } from '../../contract/index.js';
import { receiveForm } from '../../http/index.js';
import { claimUpload } from '../datasets/dataset-rows.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { cleanFileName } from '../datasets/receive-upload.js';
import type { Db } from '../store/db.js';
import { type Operations, readQuery, toPage, toSeconds, unknownCursor } from './call.js';
import type { TunedRow } from './fine-tuning/job-rows.js';
import { describeResults, findResults, writeResults } from './fine-tuning/results.js';

interface FilesContext {
  db: Db;
  datasets: DatasetStore;
  clock: Clock;
}

type FileOperation = 'uploadFile' | 'listFiles' | 'getFile' | 'getFileContent' | 'deleteFile';

const DEFAULT_LIMIT = 10_000;

export function fileOperations({ db, datasets, clock }: FilesContext): Operations<FileOperation> {
  return {
    async uploadFile({ request, scope }) {
      const { name, dataset } = await receiveForm(request, {
        file: 'file',
        check: checkFileFields,
        async receive(given, bytes) {
          const name = cleanFileName(given ?? '');
          const origin = { orgId: scope.orgId, fileName: name };
          return { name, dataset: await datasets.upload(origin, bytes, request.signal) };
        },
      });
      return toFileObject(
        await insertFile(db, scope, { name, datasetId: dataset.id, at: new Date(clock.now()) }),
      );
    },
    async listFiles({ request, scope }) {
      const {
        purpose = 'fine-tune',
        limit = DEFAULT_LIMIT,
        order = 'desc',
        after,
      } = readQuery(request, filesQuery);
      if (purpose === 'fine-tune-results') throw resultsAreNotListed();
      const found = purpose === 'fine-tune' ? await listFiles(db, scope, { limit, order, after }) : [];
      return toPage(found.map(toFileObject), limit);
    },
    async getFile({ scope, id }) {
      const job = await findResults(db, scope, id);
      return job ? describeResults(db, job) : toFileObject(await findFile(db, scope, id));
    },
    async getFileContent({ scope, id }) {
      const job = await findResults(db, scope, id);
      if (job) return sendResults(db, job);
      const { sha256, name } = await findFile(db, scope, id);
      const { bytes, body } = await datasets.open(sha256);
      return new Response(body, { headers: toHeaders(name, bytes) });
    },
    async deleteFile({ scope, id }) {
      const job = await findResults(db, scope, id);
      if (job) throw resultsStay(job.id);
      await datasets.release({ ids: [await deleteFile(db, scope, id)] });
      return { id, object: 'file', deleted: true };
    },
  };
}

function toFileObject({ id, bytes, created_at, name }: FileRow): FileObject {
  return {
    id,
    object: 'file',
    bytes,
    created_at: toSeconds(created_at),
    filename: name,
    purpose: 'fine-tune',
    status: 'processed',
  };
}

function toHeaders(name: string, bytes: number): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    'content-length': String(bytes),
    'content-disposition': `attachment; filename*=utf-8''${encodeURIComponent(name)}`,
  };
}

function sendResults(db: Db, { id }: TunedRow): Response {
  const body = ReadableStream.from(writeResults(db, id)) as ReadableStream<Uint8Array>;
  return new Response(body, { headers: { 'content-type': 'text/csv; charset=utf-8' } });
}

function resultsStay(jobId: string): ApiError {
  return new ApiError('invalid_value', `These are the results of job ${jobId}. They are deleted with it.`, {
    param: 'id',
  });
}

function resultsAreNotListed(): ApiError {
  return new ApiError(
    'unsupported_parameter',
    '`purpose`: result files are not listed; the `result_files` of a job are their IDs.',
    { param: 'purpose' },
  );
}

// The rows of a project's files. A file is a name for a data set, whose bytes are stored once.
export interface FileRow {
  id: string;
  number: number;
  name: string;
  created_at: string;
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
  name: string;
  datasetId: string;
  at: Date;
}

/** Creates a file for a data set that was just uploaded; the file then keeps the data set. */
async function insertFile(
  db: Db,
  { projectId, orgId }: FileOwner,
  { name, datasetId, at }: NewFile,
): Promise<FileRow> {
  const id = `file-${randomUUID().replaceAll('-', '')}`;
  await db.transaction().execute(async transaction => {
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
      })
      .execute();
  });
  return findFile(db, { projectId }, id);
}

/** Finds the file in the project; other projects' files do not exist for it. */
export async function findFile(
  db: Pick<Db, 'selectFrom'>,
  { projectId }: Pick<FileOwner, 'projectId'>,
  id: string,
): Promise<FileRow> {
  const file = await selectFiles(db, projectId).where('files.id', '=', id).executeTakeFirst();
  if (!file) throw fileNotFound(id);
  return file;
}

function fileNotFound(id: string): ApiError {
  return new ApiError('file_not_found', `There is no file \`${id.slice(0, 100)}\` in this project.`, {
    param: 'id',
  });
}

interface FileWindow {
  limit: number;
  order: 'asc' | 'desc';
  after: string | undefined;
}

/** Returns one more than the limit, if there are more. */
async function listFiles(
  db: Db,
  { projectId }: Pick<FileOwner, 'projectId'>,
  { limit, order, after }: FileWindow,
): Promise<FileRow[]> {
  const last = after === undefined ? null : await findCursor(db, projectId, after);
  return selectFiles(db, projectId)
    .$if(last !== null, query => query.where('files.number', order === 'asc' ? '>' : '<', last))
    .orderBy('files.number', order)
    .limit(limit + 1)
    .execute();
}

async function findCursor(db: Db, projectId: string, id: string): Promise<number> {
  const row = await selectFiles(db, projectId).where('files.id', '=', id).executeTakeFirst();
  if (!row) throw unknownCursor(id);
  return row.number;
}

function selectFiles(db: Pick<Db, 'selectFrom'>, projectId: string) {
  return db
    .selectFrom('files')
    .innerJoin('datasets', 'datasets.id', 'files.dataset_id')
    .select(['files.id', 'number', 'name', 'files.created_at', 'dataset_id', 'sha256', 'bytes', 'rows'])
    .where('project_id', '=', projectId);
}

/** Returns the data set it referred to. Throws `file_in_use` while a job created with it is unfinished. */
function deleteFile(db: Db, owner: Pick<FileOwner, 'projectId'>, id: string): Promise<string> {
  return db.transaction().execute(async transaction => {
    const { dataset_id } = await findFile(transaction, owner, id);
    const user = await transaction
      .selectFrom('jobs')
      .innerJoin('fine_tunings', 'job_id', 'jobs.id')
      .select(['jobs.id', 'status'])
      .where('status', 'in', ['queued', 'running'])
      .where(({ or, eb }) => or([eb('training_file', '=', id), eb('validation_file', '=', id)]))
      .executeTakeFirst();
    if (user) throw fileInUse(user);
    await transaction.deleteFrom('files').where('id', '=', id).execute();
    return dataset_id;
  });
}

/** OpenAI's clients would retry a 409. */
function fileInUse(job: { id: string; status: string }): ApiError {
  return new ApiError(
    'file_in_use',
    `Job ${job.id} is ${job.status} and was created with this file. Cancel it first, then delete the file.`,
    { headers: { 'x-should-retry': 'false' } },
  );
}
