// The error for bad data: which file, which row, and what is wrong.

interface Details {
  row?: number;
  cause?: unknown;
}

/** A data set that cannot be read. The message names the file and, if possible, the row. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  /** A short name, never a local path or a URL with its query. */
  readonly file: string;
  /** Counts from 1. */
  readonly row: number | undefined;
  readonly reason: string;

  constructor(file: string, reason: string, { row, cause }: Details = {}) {
    const location = row === undefined ? file : `${file}, row ${row}`;
    super(`${location}: ${reason}`, cause === undefined ? {} : { cause });
    this.file = file;
    this.row = row;
    this.reason = reason;
  }
}

/** An error code such as `ENOENT`, of the error or its cause. Unlike a message, it never contains secrets. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
