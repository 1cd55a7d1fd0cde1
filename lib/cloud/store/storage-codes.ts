// SQLite errors that are the machine's fault rather than the statement's: a lock, a full disk, a failing disk. They pass or
// get repaired, so the work is retried.

const OF_STATEMENTS = /^SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG)/;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(String(codeOf(error)));
}

/** An SQLite code for a machine failure, which says nothing about the statement. */
export function isStorageCode(error: unknown): boolean {
  const code = String(codeOf(error));
  return code.startsWith('SQLITE_') && !OF_STATEMENTS.test(code);
}
