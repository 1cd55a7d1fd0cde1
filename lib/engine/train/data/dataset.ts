// The types of data sets: their sources, and rows that know their file and number.

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

/** A local file with rows. */
export interface DataFile extends Mapped {
  readonly path: string;
  /** For messages and to detect the format. */
  readonly name: string;
}
