// A storage failure or shortage: the database is locked, the disk is full or failing, too many files are open. It is never
// the fault of the request or job, and it passes: callers are told so, and jobs wait.
import { ApiError } from '../../contract/index.js';
import { findDiskFault } from '../../system/index.js';
import { isStorageCode } from './storage-codes.js';

interface Explanation {
  problem: string;
  remedy: string;
}

export class StorageFault extends ApiError {
  /** What is wrong, without advice. */
  readonly problem: string;

  constructor(cause: unknown, { problem, remedy }: Explanation = explainStorageCode(codeOf(cause))) {
    super('storage_unavailable', `${problem} ${remedy}`, {
      headers: { 'retry-after': '2' },
      cause,
    });
    this.problem = problem;
  }
}

/** The storage fault behind an error, however it was wrapped; null if there is none. */
export function toStorageFault(error: unknown): StorageFault | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StorageFault) return cause;
    if (isStorageCode(cause)) return new StorageFault(cause);
  }
  const code = findDiskFault(error);
  return code === null ? null : new StorageFault(error, explainStorageCode(code));
}

export const LOCKED = "Another process has locked the cloud's database.";
export const FULL = "The cloud's disk is full.";
export const DAMAGED = "The cloud's database is damaged.";

const PASSES = 'This usually passes in a moment.';

const codeOf = (cause: unknown) => String((cause as { code?: unknown }).code);

/** Both sentences must be true for callers who give up and for those who wait. */
const SENTENCES: readonly (readonly [code: RegExp, problem: string, remedy: string])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, LOCKED, PASSES],
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL)$/, FULL, 'Free some space, for example with `svc cloud gc`.'],
  [/^(?:EROFS|SQLITE_READONLY)/, "The cloud's data folder is read-only.", 'Make it writable.'],
  [/^(?:EMFILE|ENFILE)$/, 'The cloud has too many open files.', PASSES],
  [/^EAGAIN$/, "The cloud's machine cannot start more processes.", PASSES],
  [/^ENOMEM$/, "The cloud's machine is out of memory.", PASSES],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, DAMAGED, 'Restore a backup with `svc cloud restore`.'],
];

function explainStorageCode(code: string): Explanation {
  const [, problem, remedy] = SENTENCES.find(([pattern]) => pattern.test(code)) ?? [
    null,
    `The cloud's storage failed (${code}).`,
    PASSES,
  ];
  return { problem, remedy };
}

/** What is wrong, in a sentence. The code is SQLite's or the file system's. */
export function describeStorageCode(code: string): string {
  return explainStorageCode(code).problem;
}
