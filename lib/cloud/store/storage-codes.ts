// Which of SQLite's errors are the machine's and not the statement's: a lock, a full disk, a disk that fails. They pass,
// or are repaired, and what met them is tried again.

const OF_STATEMENTS = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(String(codeOf(error)));
}

/** A code of SQLite's that says nothing of the statement. */
export function isStorageCode(error: unknown): boolean {
  const code = String(codeOf(error));
  return code.startsWith('SQLITE_') && !OF_STATEMENTS.test(code);
}
