// Operations on a project's files.
import type { Clock } from '../../clock/index.js';
import { ApiError, type FileFields, filesQuery, readFileFields } from '../../contract/index.js';
import { receiveForm } from '../../http/index.js';
import { createCursors } from '../answers/cursors.js';
import { readQuery, toPage } from '../answers/lists.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { cleanFileName } from '../datasets/receive-upload.js';
import type { Db } from '../store/db.js';
import type { Operations } from './call.js';
import { deleteFile, findFile, insertFile, listFiles, toFileObject } from './file-rows.js';
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
  const cursors = createCursors();

  return {
    async uploadFile({ request, scope }) {
      let fields: FileFields | null = null;
      const { name, dataset } = await receiveForm(request, {
        file: 'file',
        check(given, isComplete) {
          fields = readFileFields(given, isComplete);
        },
        async receive(given, bytes) {
          const name = cleanFileName(given ?? '');
          const hasRows = () => fields?.purpose === 'fine-tune';
          const origin = { orgId: scope.orgId, fileName: name, hasRows, checksRows: true };
          return { name, dataset: await datasets.upload(origin, bytes, request.signal) };
        },
      });
      const { purpose, expires_after } = fields!;
      const at = new Date(clock.now());
      const file = { name, purpose, datasetId: dataset.id, at, expiresAfter: expires_after?.seconds };
      const id = await db.transaction().execute(transaction => insertFile(transaction, scope, file));
      return toFileObject(await findFile(db, scope, id));
    },
    async listFiles({ request, scope }) {
      const query = readQuery(request, filesQuery);
      if (query.purpose === 'fine-tune-results') throw resultsAreNotListed();
      const { purpose, limit = DEFAULT_LIMIT, order = 'desc', after } = query;
      const found = await listFiles(db, scope, { purpose, limit, order, after }, cursors);
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

function toHeaders(name: string, bytes: number): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    'content-length': String(bytes),
    'content-disposition': `attachment; filename*=utf-8''${encodeURIComponent(name)}`,
  };
}

function sendResults(db: Db, job: TunedRow): Response {
  const body = ReadableStream.from(writeResults(db, job)) as ReadableStream<Uint8Array>;
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
