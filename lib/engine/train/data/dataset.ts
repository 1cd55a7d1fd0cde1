// Data sets: their sources, rows that know their file and number, the error for bad data, and names for messages.

/** For columns that training knows, the columns of the data set that stand for them: `{ prompt: 'question' }`. */
export type ColumnMap = Readonly<Record<string, string>>;

interface Mapped {
  readonly columns?: ColumnMap | undefined;
}

/** @internal */
export interface FileSource extends Mapped {
  readonly type: 'file';
  readonly path: string;
  /** For messages and to detect the format, if the file is stored under another name. */
  readonly fileName?: string | undefined;
}

export interface HuggingFaceSource extends Mapped {
  readonly type: 'huggingface';
  /** `owner/name`, or `name` for the few that have no owner. */
  readonly name: string;
  /** `train` by default. */
  readonly split?: string | undefined;
  readonly subset?: string | undefined;
}

export interface BlobSource extends Mapped {
  readonly type: 'blob';
  readonly url: string;
  /** Sent as a bearer token, to the first host only. */
  readonly token?: string | undefined;
}

export type DataSource = FileSource | HuggingFaceSource | BlobSource;

export interface DatasetOptions {
  /** Keeps downloads, named by the hash of their content. */
  readonly cacheFolder: string;
  /** Remembers which commit of a Hub data set was read. Without it, the latest commit is read. */
  readonly snapshotFolder?: string | undefined;
  /** Only for the Hub. Blobs need a connection to the exact address that was checked. */
  readonly fetch?: typeof fetch | undefined;
  /** Whether blobs may be on this machine or its network. */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** `HF_ENDPOINT` by default, or else the public Hub. */
  readonly hubUrl?: string | undefined;
  /** `HF_TOKEN` by default. */
  readonly hubToken?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DataRow {
  /** A plain object with `messages`, `prompt` and `completion`, or `text`; their values are not checked. */
  readonly row: Record<string, unknown>;
  /** Its file's name, for messages. */
  readonly file: string;
  /**
   * Counts from 1: the line in JSON lines, the element in a JSON list, the row in Parquet. In CSV, the row number that a
   * spreadsheet shows, where the header is row 1.
   */
  readonly number: number;
}

export type FileFormat = 'json-lines' | 'json-list' | 'csv' | 'tsv' | 'parquet';

/** How messages name a file, which also helps to detect its format. */
export interface NamedFile extends Mapped {
  readonly name: string;
}

export interface DataFile extends NamedFile {
  readonly path: string;
}

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

const longest = 120;

/** A name for messages: short, without control characters. Keeps the end of a long name, since it shows the format. */
export function toShortName(name: string): string {
  const shown = name.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
  return shown.length > longest ? `…${shown.slice(-longest)}` : shown;
}

/** The last part of a path, shortened. */
export function toBaseName(path: string): string {
  const parts = path.split(/[\\/]/).filter(part => part !== '');
  return toShortName(parts.at(-1) ?? 'data');
}
