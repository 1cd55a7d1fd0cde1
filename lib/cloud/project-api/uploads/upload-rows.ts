// The rows of uploads in parts. The parts themselves are files, in a folder for each upload.
import { ApiError, type Upload, type UploadRequest } from '../../../contract/index.js';
import { cleanFileName } from '../../datasets/receive-upload.js';
import { newId, toSeconds } from '../../openai-values.js';
import type { Db } from '../../store/db.js';
import type { Tables } from '../../store/tables.js';
import { findFileObject } from '../file-rows.js';

export type UploadRow = Tables['uploads'];

const HOUR_MS = 60 * 60 * 1000;
/** Ended uploads are known for another day. */
const MEMORY_MS = 24 * HOUR_MS;

export async function insertUpload(
  db: Db,
  projectId: string,
  { bytes, filename, purpose, expires_after }: UploadRequest,
  now: Date,
): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({
      id: newId('upload_'),
      project_id: projectId,
      name: cleanFileName(filename),
      purpose,
      bytes,
      status: 'pending',
      file_seconds: expires_after?.seconds ?? null,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + HOUR_MS).toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Finds the upload in the project; other projects' uploads do not exist for it. */
export async function findUpload(
  db: Pick<Db, 'selectFrom'>,
  projectId: string,
  id: string,
): Promise<UploadRow> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return row;
  throw new ApiError('upload_not_found', `There is no upload \`${id.slice(0, 100)}\` in this project.`, {
    param: 'id',
  });
}

/** Ends a pending upload. False if it is not pending. */
export async function endUpload(
  db: Pick<Db, 'updateTable'>,
  id: string,
  end: Pick<UploadRow, 'status' | 'file_id'>,
): Promise<boolean> {
  const ended = await db
    .updateTable('uploads')
    .set(end)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export function statusOf({ status, expires_at }: UploadRow, now: Date): Upload['status'] {
  return status === 'pending' && expires_at <= now.toISOString() ? 'expired' : status;
}

export async function toUpload(db: Db, row: UploadRow, now: Date): Promise<Upload> {
  const { id, bytes, created_at, expires_at, name, purpose, file_id, project_id } = row;
  return {
    id,
    object: 'upload',
    bytes,
    created_at: toSeconds(created_at),
    expires_at: toSeconds(expires_at),
    filename: name,
    purpose,
    status: statusOf(row, now),
    file: file_id === null ? null : await findFileObject(db, project_id, file_id),
  };
}

export async function forgetEndedUploads(db: Db, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - MEMORY_MS).toISOString();
  await db.deleteFrom('uploads').where('expires_at', '<=', oldest).execute();
}
