// A failure of the machine under the data: the database is locked, the disk is full or fails. It is never the fault of
// the request or the job that met it, and it passes: callers are told to try again, jobs wait.
import { ApiError } from '../../contract/index.js';
import { isBusy, isFileCode, isStorageCode } from './storage-codes.js';

export class StorageFault extends ApiError {
  constructor(cause: unknown) {
    super('storage_unavailable', `${describeStorageFault(cause)} Try again in a moment.`, {
      headers: { 'retry-after': '2' },
      cause,
    });
  }
}

/** The cause of an error that the machine is to blame for, however it was wrapped; null for any other. */
export function findStorageCause(error: unknown): unknown {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (isStorageCode(cause) || isFileCode(cause)) return cause;
  return null;
}

/** What is wrong, in a sentence. */
export function describeStorageFault(error: unknown): string {
  const cause = findStorageCause(error) ?? error;
  const { code } = cause as { code?: string };
  if (isBusy(cause)) return LOCKED;
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') return 'The disk of the cloud is full.';
  if (code === 'EROFS' || code?.startsWith('SQLITE_READONLY')) return "The cloud's data folder is read-only.";
  if (code === 'EMFILE' || code === 'ENFILE') return 'The cloud has too many files open.';
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') return "The cloud's database is damaged.";
  return `The cloud's storage failed (${code}).`;
}

export const LOCKED = "Another process has locked the cloud's database.";
