// Operations on uploads in parts. Parts are stored as they arrive; completing an upload joins them to a file.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../clock/index.js';
import {
  ApiError,
  MOST_UPLOAD_PARTS,
  parseUploadCompletion,
  parseUploadRequest,
} from '../../../contract/index.js';
import { readJson, receiveForm } from '../../../http/index.js';
import { isMissing, rename, unlessMissing } from '../../../system/index.js';
import { claimUpload } from '../../datasets/dataset-rows.js';
import type { DatasetStore } from '../../datasets/dataset-store.js';
import { toUploadError, writeUpload } from '../../datasets/receive-upload.js';
import { listNames } from '../../disk/files.js';
import type { Folders } from '../../disk/folders.js';
import { newId, toSeconds } from '../../openai-values.js';
import type { Db } from '../../store/db.js';
import type { Call, Operations } from '../call.js';
import { insertFile } from '../file-rows.js';
import { endUpload, findUpload, insertUpload, statusOf, toUpload, type UploadRow } from './upload-rows.js';

interface UploadsContext {
  db: Db;
  datasets: DatasetStore;
  folders: Folders;
  clock: Clock;
}

type UploadOperation = 'createUpload' | 'addUploadPart' | 'completeUpload' | 'cancelUpload';

const PART_BYTES = 64 * 1024 ** 2;
/** The form around a part. */
const FORM_BYTES = 64 * 1024;

export function uploadOperations({
  db,
  datasets,
  folders,
  clock,
}: UploadsContext): Operations<UploadOperation> {
  const now = () => new Date(clock.now());
  const folderOf = (id: string) => join(folders.parts, id);
  const answer = async ({ projectId }: Call['scope'], id: string) =>
    toUpload(db, await findUpload(db, projectId, id), now());

  async function requirePending({ projectId }: Call['scope'], id: string): Promise<UploadRow> {
    const upload = await findUpload(db, projectId, id);
    const status = statusOf(upload, now());
    if (status !== 'pending') throw notPending(id, status);
    return upload;
  }

  /** Parts that were sent again count, too, so there may be twice as many, and twice the bytes. */
  async function requireRoom({ id, bytes }: UploadRow): Promise<void> {
    const folder = folderOf(id);
    const names = await listNames(folder);
    if (names.length >= 2 * MOST_UPLOAD_PARTS)
      throw new ApiError('invalid_value', `The upload has ${names.length} parts already. Send larger ones.`);
    let sum = 0;
    for (const name of names) sum += (await unlessMissing(stat(join(folder, name)), { size: 0 })).size;
    if (sum > 2 * bytes)
      throw new ApiError('invalid_value', `The parts have ${sum} bytes already, and the upload ${bytes}.`);
  }

  /** A part that could not be stored completely leaves nothing behind. */
  async function storePart(upload: UploadRow, part: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const folder = folderOf(upload.id);
    const partial = join(folder, `${part}.partial`);
    await mkdir(folder, { recursive: true });
    try {
      const written = await writeUpload(partial, limitPart(bytes));
      if (written === 0) throw new ApiError('invalid_value', '`data`: the part is empty.', { param: 'data' });
      await rename(partial, join(folder, part));
    } catch (error) {
      await rm(partial, { force: true });
      // The upload has ended meanwhile.
      if (!isMissing(error)) throw toUploadError(error);
    }
  }

  async function complete({ request, scope, id }: Call): Promise<void> {
    const { part_ids, md5 } = parseUploadCompletion(await readJson(request));
    const upload = await requirePending(scope, id);
    const paths = part_ids.map(part => join(folderOf(id), requirePartId(part)));
    await requireBytes(upload, paths, part_ids);
    const { name, purpose, file_seconds } = upload;
    const hasRows = () => purpose === 'fine-tune';
    const origin = { orgId: scope.orgId, fileName: name, hasRows, checksRows: true };
    const dataset = await datasets.upload(origin, joinParts(paths, md5), request.signal);
    const expiresAfter = file_seconds ?? undefined;
    const file = { id: newId('file-'), name, purpose, datasetId: dataset.id, at: now(), expiresAfter };
    const isEnded = await db.transaction().execute(async transaction => {
      const isEnded = await endUpload(transaction, id, { status: 'completed', file_id: file.id });
      if (isEnded) await insertFile(transaction, scope, file);
      else await claimUpload(transaction, scope.orgId, dataset.id);
      return isEnded;
    });
    if (!isEnded) {
      await datasets.release({ ids: [dataset.id] });
      throw notPending(id, (await findUpload(db, scope.projectId, id)).status);
    }
    await rm(folderOf(id), { recursive: true, force: true });
  }

  return {
    async createUpload({ request, scope }) {
      const parsed = parseUploadRequest(await readJson(request));
      return toUpload(db, await insertUpload(db, scope.projectId, parsed, now()), now());
    },
    async addUploadPart({ request, scope, id }) {
      const upload = await requirePending(scope, id);
      await requireRoom(upload);
      const part = newId('part_');
      const form = {
        file: 'data',
        check: () => {},
        receive: (_: unknown, bytes: AsyncIterable<Uint8Array>) => storePart(upload, part, bytes),
      };
      await receiveForm(request, form, { uploadLimit: PART_BYTES + FORM_BYTES });
      await requirePending(scope, id);
      return { id: part, object: 'upload.part', created_at: toSeconds(now()), upload_id: id };
    },
    /** A request that is sent again gets the same answer. */
    async completeUpload(call) {
      const { scope, id } = call;
      try {
        await complete(call);
      } catch (error) {
        const status = statusOf(await findUpload(db, scope.projectId, id), now());
        // An upload that ended meanwhile has no parts to read any more.
        if (status !== 'completed')
          throw isMissing(error) && status !== 'pending' ? notPending(id, status) : error;
      }
      return answer(scope, id);
    },
    async cancelUpload({ scope, id }) {
      const { status } = await findUpload(db, scope.projectId, id);
      const isEnded = await endUpload(db, id, { status: 'cancelled', file_id: null });
      if (!isEnded && status === 'completed') throw notPending(id, status);
      await rm(folderOf(id), { recursive: true, force: true });
      return answer(scope, id);
    },
  };
}

function notPending(id: string, status: string): ApiError {
  return new ApiError('invalid_value', `Upload ${id} is ${status}. Create another one.`);
}

async function* limitPart(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sum = 0;
  for await (const chunk of bytes) {
    sum += chunk.byteLength;
    if (sum > PART_BYTES)
      throw new ApiError('body_too_large', 'A part has at most 64 MiB.', { param: 'data' });
    yield chunk;
  }
}

/** IDs become names of files. */
function requirePartId(id: string): string {
  if (/^part_[0-9a-f]{32}$/.test(id)) return id;
  throw unknownPart(id);
}

function unknownPart(id: string): ApiError {
  return new ApiError('invalid_value', `\`part_ids\`: the upload has no part \`${id.slice(0, 100)}\`.`, {
    param: 'part_ids',
  });
}

async function requireBytes({ bytes }: UploadRow, paths: string[], ids: string[]): Promise<void> {
  let sum = 0;
  for (const [i, path] of paths.entries()) {
    const found = await unlessMissing(stat(path), null);
    if (!found) throw unknownPart(ids[i]!);
    sum += found.size;
  }
  if (sum === bytes) return;
  throw new ApiError(
    'invalid_value',
    `The parts have ${sum} bytes, but the upload was created with ${bytes}.`,
    {
      param: 'part_ids',
    },
  );
}

async function* joinParts(paths: string[], md5: string | undefined): AsyncGenerator<Uint8Array> {
  const hash = createHash('md5');
  for (const path of paths)
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      yield chunk;
    }
  if (md5 === undefined || hash.digest('hex') === md5.toLowerCase()) return;
  throw new ApiError('invalid_value', '`md5` is not the checksum of the parts in this order.', {
    param: 'md5',
  });
}
