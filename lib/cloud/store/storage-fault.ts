// A failure of the machine under the data: the database is locked, the disk is full or fails. It is never the fault of
// the request or the job that met it, and it passes: callers are told to try again, jobs wait.
import { ApiError } from '../../contract/index.js';
import { findDiskFault } from '../../system/index.js';
import { isStorageCode } from './storage-codes.js';

export class StorageFault extends ApiError {
  /** What is wrong, without what to do. */
  readonly problem: string;

  constructor(cause: unknown, code = String((cause as { code?: unknown }).code)) {
    const problem = describeStorageCode(code);
    const remedy =
      problem === DAMAGED ? 'Restore a backup with `svc cloud restore`.' : 'Try again in a moment.';
    super('storage_unavailable', `${problem} ${remedy}`, {
      headers: { 'retry-after': '2' },
      cause,
    });
    this.problem = problem;
  }
}

/** What the storage has to do with an error, however it was wrapped; null when that is nothing. */
export function toStorageFault(error: unknown): StorageFault | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StorageFault) return cause;
    if (isStorageCode(cause)) return new StorageFault(cause);
  }
  const code = findDiskFault(error);
  return code === null ? null : new StorageFault(error, code);
}

export const LOCKED = "Another process has locked the cloud's database.";
export const DAMAGED = "The cloud's database is damaged.";

const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, LOCKED],
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/, "The cloud's disk is full."],
  [/^(?:EROFS|SQLITE_READONLY)/, "The cloud's data folder is read-only."],
  [/^(?:EMFILE|ENFILE)$/, 'The cloud has too many open files.'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, DAMAGED],
];

/** What is wrong, in a sentence. The code is SQLite's or the file system's. */
export function describeStorageCode(code: string): string {
  return SENTENCES.find(([pattern]) => pattern.test(code))?.[1] ?? `The cloud's storage failed (${code}).`;
}
