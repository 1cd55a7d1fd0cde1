// The one error of this folder: which file, which row, and what is wrong with it.

interface Details {
  row?: number;
  cause?: unknown;
}

/** A data set that cannot be read. The message names the file and, where one is to blame, the row. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError';
  /** A short name, never a path of this machine nor an address with its query. */
  readonly file: string;
  /** Counted from 1. */
  readonly row: number | undefined;
  readonly reason: string;

  constructor(file: string, reason: string, { row, cause }: Details = {}) {
    const place = row === undefined ? file : `${file}, row ${row}`;
    super(`${place}: ${reason}`, cause === undefined ? {} : { cause });
    this.file = file;
    this.row = row;
    this.reason = reason;
  }
}

/** An error code such as `ENOENT`, which says nothing that is secret, also when it hides in a cause. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
