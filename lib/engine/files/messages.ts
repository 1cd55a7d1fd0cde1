// The messages between the process that reads files and its parent, and errors as parts of them.
import type { RewardGroup, RewardQuestion } from '../../contract/index.js';
import { findDiskFault } from '../../system/index.js';
import { NoTemplateError, TextError } from '../text/errors.js';
import type { CheckRequest, OpenCheck, RowQuery } from '../train/check/open-check.js';
import {
  type BlobSource,
  codeOf,
  type DataFile,
  type DataSource,
  DatasetError,
  type DatasetOptions,
  type FileFormat,
} from '../train/data/index.js';
import type { RowLossQuery, RowLossReport } from '../train/row-losses/read-row-losses.js';
import type { TokenRequest, WrittenTokens } from '../train/tokens.js';
import { type AdapterConfig, type TargetName, WeightsError } from '../weights/index.js';

export interface FileWork {
  /** Digest, row count and format of a file to train on. */
  inspect: {
    input: DataFile & { checksRows?: boolean | undefined };
    result: { sha256: string; rows: number; format: FileFormat };
  };
  download: {
    input: { source: BlobSource; options: Pick<DatasetOptions, 'cacheFolder' | 'allowPrivateAddresses'> };
    result: DataFile;
  };
  digestAdapter: { input: { folder: string }; result: string };
  /** Reads an adapter that was trained elsewhere, completely. Fails with a `WeightsError` if the model cannot use it. */
  checkAdapter: { input: { folder: string; modelFolder: string }; result: CheckedAdapter };
  /** The rows of a run as files of tokens, and its initial adapter, for a trainer on another machine. */
  writeTokens: { input: Omit<TokenRequest, 'signal'>; result: WrittenTokens };
  /** The answers of a worker elsewhere as text, with the rows that they answer, which `writeTokens` left in the folder. */
  readAnswers: {
    input: { folder: string; modelFolder: string; groups: RewardQuestion['groups'] };
    result: RewardGroup[];
  };
  digestFile: { input: { path: string }; result: { bytes: number; sha256: string } };
  /** The losses of a run's rows; `source` is the data set, null if it is gone. */
  readRows: {
    input: { folder: string; source: DataSource | null; cacheFolder: string; query: RowLossQuery };
    result: Omit<RowLossReport, 'rows'> & {
      rows: (RowLossReport['rows'][number] & { text: RowText | null })[];
    };
  };
  /** What is wrong with a data set, and some of its rows as the model will see them. */
  previewData: {
    input: { request: CheckRequest; query: RowQuery };
    result: PreviewedData;
  };
}

type ListedRow = ReturnType<OpenCheck['list']>['rows'][number];

interface PreviewedRow extends Omit<ListedRow, 'content'>, Pick<RowText, 'prompt' | 'answer'> {}

export interface PreviewedData {
  report: OpenCheck['report'];
  rows: PreviewedRow[];
  total: number;
}

/** A row's location and an excerpt. */
export interface RowText {
  file: string;
  number: number;
  prompt: string;
  answer: string;
}

/** An adapter's settings and digest. */
export interface CheckedAdapter
  extends Pick<AdapterConfig, 'alpha' | 'rank' | 'dropout' | 'useRslora' | 'baseModel'> {
  /** The modules that it has matrices for, regardless of how its config selects them. */
  modules: TargetName[];
  bytes: number;
  sha256: string;
}

export type WorkKind = keyof FileWork;

/** One request at a time: the next is sent after the answer to the previous one. */
export type ToFileWorker =
  | { [K in WorkKind]: { type: 'work'; kind: K; input: FileWork[K]['input'] } }[WorkKind]
  | { type: 'abort' };

export type FromFileWorker = { type: 'done'; result: unknown } | { type: 'failed'; error: SerializedError };

/** Messages between processes lose an error's class. */
export type SerializedError =
  | { kind: 'dataset'; file: string; reason: string; row: number | undefined }
  | { kind: 'weights'; file: string; problem: string; tensor: string | undefined }
  | { kind: 'text'; message: string }
  | { kind: 'no template' }
  | { kind: 'other'; name: string; message: string; code: string | undefined };

export function serializeError(error: unknown): SerializedError {
  // A disk fault is not the file's fault, even if it is wrapped in an error about the file.
  const disk = findDiskFault(error);
  if (disk !== null) return { kind: 'other', name: 'Error', message: String(error), code: disk };
  if (error instanceof DatasetError) {
    const { file, reason, row } = error;
    return { kind: 'dataset', file, reason, row };
  }
  if (error instanceof WeightsError) {
    const { file, problem, tensor } = error;
    return { kind: 'weights', file, problem, tensor };
  }
  if (error instanceof NoTemplateError) return { kind: 'no template' };
  if (error instanceof TextError) return { kind: 'text', message: error.message };
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'other', name, message, code: codeOf(error) };
}

export function deserializeError(error: SerializedError): Error {
  if (error.kind === 'dataset') {
    const { file, reason, row } = error;
    return new DatasetError(file, reason, row === undefined ? {} : { row });
  }
  if (error.kind === 'weights') {
    const { file, problem, tensor } = error;
    return new WeightsError(file, problem, tensor === undefined ? {} : { tensor });
  }
  if (error.kind === 'no template') return new NoTemplateError();
  if (error.kind === 'text') return new TextError(error.message);
  const { name, message, code } = error;
  return Object.assign(new Error(message), { name, ...(code !== undefined && { code }) });
}
