// What a data set is to the rest of training: where it may come from, and rows that say where they stand.
export interface FileSource {
  readonly type: 'file';
  readonly path: string;
  /** The name that tells the format and stands in messages, when the file is stored under another. */
  readonly fileName?: string | undefined;
}

export interface HuggingFaceSource {
  readonly type: 'huggingface';
  /** `owner/name`, or `name` for the few that have no owner. */
  readonly name: string;
  /** `train` unless given. */
  readonly split?: string | undefined;
  readonly subset?: string | undefined;
}

export interface BlobSource {
  readonly type: 'blob';
  readonly url: string;
  /** Sent as a bearer token, to the first host only. */
  readonly token?: string | undefined;
}

export type DataSource = FileSource | HuggingFaceSource | BlobSource;

export interface DatasetOptions {
  /** Where downloads are kept, under the hash of what they hold. */
  readonly cacheFolder: string;
  /** Where it is remembered at which commit a data set on the Hub was read; at the one of now unless given. */
  readonly snapshotFolder?: string | undefined;
  /** For the Hub alone: a blob needs a connection that goes to the address that was checked. */
  readonly fetch?: typeof fetch | undefined;
  /** Whether a blob may lie on this machine or its network. */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** `HF_ENDPOINT`, else the public Hub. */
  readonly hubUrl?: string | undefined;
  /** `HF_TOKEN` unless given. */
  readonly hubToken?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DataRow {
  /** A plain object with `messages`, `prompt` and `completion`, or `text`; what these hold is not looked at. */
  readonly row: Record<string, unknown>;
  /** The name of its file, for messages. */
  readonly file: string;
  /**
   * Counted from 1: the line of JSON lines, the element of a JSON list, the row of a Parquet file, the row that a
   * spreadsheet shows for CSV, where the header is row 1.
   */
  readonly number: number;
}

export type FileFormat = 'json-lines' | 'json-list' | 'csv' | 'tsv' | 'parquet';

/** A file on this machine that holds rows. */
export interface DataFile {
  readonly path: string;
  /** For messages, and for its format. */
  readonly name: string;
}
