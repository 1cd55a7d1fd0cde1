// Which failures are the machine's and not the statement's: a lock, a full disk, a disk that fails. They pass, or are
// repaired, and what met them is tried again.

const OF_STATEMENTS = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/;
const OF_THE_SYSTEM =
  /^(?:ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|ENOMEM|EAGAIN|EBUSY|ESTALE|ETIMEDOUT|ENOLCK)$/;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(String(codeOf(error)));
}

/** A code of SQLite's that says nothing of the statement. */
export function isStorageCode(error: unknown): boolean {
  const code = String(codeOf(error));
  return code.startsWith('SQLITE_') && !OF_STATEMENTS.test(code);
}

/** A code of the file system's that says nothing of the file's name. */
export function isFileCode(error: unknown): boolean {
  return OF_THE_SYSTEM.test(String(codeOf(error)));
}
