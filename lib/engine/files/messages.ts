// What is asked of the process that reads files, and how it answers. Types only.
import type { BlobSource, DataFile, DatasetOptions, FileFormat } from '../train/data/index.js';

/** Each kind of work: what it is given, and what it comes to. */
export interface FileWork {
  /** The digest, rows and format of a file that is to be trained on. */
  inspect: { given: DataFile; result: { sha256: string; rows: number; format: FileFormat } };
  /** Fetches what lies at an address. */
  download: {
    given: { source: BlobSource; options: Pick<DatasetOptions, 'cacheFolder' | 'allowPrivateAddresses'> };
    result: DataFile;
  };
  /** The digest of a saved adapter, as its job tells it. */
  digestAdapter: { given: { folder: string }; result: string };
}

export type Kind = keyof FileWork;

export type ToFileWorker =
  | { [K in Kind]: { type: 'work'; id: number; kind: K; given: FileWork[K]['given'] } }[Kind]
  | { type: 'abort'; id: number };

export type FromFileWorker =
  | { type: 'done'; id: number; result: unknown }
  | { type: 'failed'; id: number; fault: Fault };

/** An error as it crosses over: classes do not. */
export type Fault =
  | { kind: 'dataset'; file: string; reason: string; row: number | undefined }
  | { kind: 'other'; name: string; message: string; code: string | undefined };
