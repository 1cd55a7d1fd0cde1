// Turns a dataset into a source the cloud can read. Local files and rows are uploaded; the cloud stores identical bytes
// only once.
import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type CloudClient, createBackoff, isFinalError } from '../../client/index.js';
import { type Clock, realClock } from '../../clock/index.js';
import {
  ApiError,
  type ColumnMap,
  type Dataset,
  type DatasetSource,
  nameMapped,
} from '../../contract/index.js';
import { type TaskRows, WrongRows } from '../../task/index.js';
import { withDistilledRows } from '../distil/distil-rows.js';
import type { DistilWatch } from '../distil/progress.js';
import type { Env } from '../files/files.js';
import { type MapProgress, mapToTask, withMappedRows } from './map-rows.js';
import type { DatasetInput } from './options.js';

export interface UploadContext extends DistilWatch {
  /** The project's folder. */
  folder: string;
  /** May have a teacher's key. */
  env?: Env | undefined;
  cloud(): Promise<CloudClient>;
  /** The task that rows are for. */
  task?: TaskRows | undefined;
  /** The progress of the trainer's `map` function. */
  onMap?: ((progress: MapProgress) => void) | undefined;
  onUpload?: ((progress: UploadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Larger files are uploaded in pieces. */
  wholeBytes?: number | undefined;
  clock?: Clock;
}

const WHOLE_BYTES = 8 * 1024 ** 2;

export async function toDatasetSource(input: DatasetInput, context: UploadContext): Promise<DatasetSource> {
  return withRows(input, context, {
    made: async file => toSource(await uploadRows({ ...file, columns: undefined }, context)),
    async asTheyAre({ map: _, ...source }) {
      if (source.type !== 'file') return source;
      const { columns } = source;
      const path = resolve(context.folder, source.path);
      const file = { name: basename(path), path, blob: await openFile(path), columns };
      return toSource(await uploadRows(file, context), columns);
    },
  });
}

/** Runs `use` on the rows of a data set as JSON lines, with the columns' names that training knows, wherever they come from. */
export async function withJsonLines<Result>(
  input: DatasetInput,
  context: RowsContext,
  use: (lines: Blob) => Promise<Result>,
): Promise<Result> {
  return withRows(input, context, {
    made: ({ blob }) => use(blob),
    async asTheyAre(source) {
      // Imported lazily: it has the readers of all formats.
      const { ANY_PARSED } = await import('../../engine/train/data/index.js');
      const read = { ...source, columns: source.columns ?? ANY_PARSED, map: (row: object) => row };
      return withMappedRows(read, context, async path => use(await openFile(path)));
    },
  });
}

type RowsContext = Omit<UploadContext, 'cloud' | 'onUpload' | 'wholeBytes'>;

interface RowFile {
  name: string;
  blob: Blob;
  /** Null if the rows are in memory alone. */
  path: string | null;
}

interface RowUses<Result> {
  /** The trainer or a teacher made them. */
  made(file: RowFile): Promise<Result>;
  /** Those of a file, or of an address that the cloud reads. */
  asTheyAre(source: Exclude<DatasetInput, { type: 'rows' | 'distilled' }>): Promise<Result>;
}

async function withRows<Result>(
  input: DatasetInput,
  context: RowsContext,
  { made, asTheyAre }: RowUses<Result>,
): Promise<Result> {
  const { task } = context;
  if (input.type === 'rows') {
    const read = task ? await readTaskRows(input.rows, task) : input.rows;
    return made({ name: 'rows.jsonl', blob: toBlob(read), path: null });
  }
  if (input.type === 'distilled') {
    const distilled = { ...context, env: context.env ?? {}, clock: context.clock ?? realClock };
    return withDistilledRows(input, distilled, async (path, name) =>
      made({ name, blob: await openFile(path), path }),
    );
  }
  const { map: own, ...given } = input;
  const { columns, ...unmapped } = given;
  const map = task ? mapToTask(task, own, columns) : own;
  if (!map) return asTheyAre(input);
  const source = task ? unmapped : given;
  return withMappedRows({ ...source, map, taskName: task?.description().name }, context, async (path, name) =>
    made({ name: nameMapped(name), blob: await openFile(path), path }),
  );
}

async function readTaskRows(rows: readonly object[], task: TaskRows): Promise<object[]> {
  const wrong = new WrongRows();
  const read: object[] = [];
  for (const [index, row] of rows.entries())
    await task.read(row as Record<string, unknown>).then(
      chat => read.push(chat),
      error => wrong.add(error, `row ${index + 1}`),
    );
  const fault = wrong.describe(task.description().name);
  if (fault) throw new ApiError('dataset_invalid', fault, { param: 'dataset' });
  return read;
}

function toSource({ id }: Pick<Dataset, 'id'>, columns?: ColumnMap): DatasetSource {
  return { type: 'upload', datasetId: id, ...(columns && { columns }) };
}

async function uploadRows(
  { path, ...file }: RowFile & { columns: ColumnMap | undefined },
  context: UploadContext,
): Promise<Dataset> {
  const {
    cloud,
    signal,
    onUpload: onProgress = () => {},
    wholeBytes = WHOLE_BYTES,
    clock = realClock,
  } = context;
  if (path === null || file.blob.size <= wholeBytes) return uploadWhole(file, context);
  const uploaded = await uploadPieces({ ...file, path, cloud, onProgress, signal, clock });
  return uploaded ?? uploadWhole(file, context);
}

async function uploadWhole(
  { name, blob, columns }: { name: string; blob: Blob; columns: ColumnMap | undefined },
  { cloud, signal }: UploadContext,
): Promise<Dataset> {
  return (await (await cloud()).uploadDataset(name, blob, { signal, columns })).dataset;
}

async function openFile(path: string): Promise<Blob> {
  const reason = await stat(path).then(
    found => (found.isFile() ? null : 'is not a file'),
    (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`,
  );
  if (reason) throw new ApiError('dataset_invalid', `Dataset ${path} ${reason}.`, { param: 'dataset.path' });
  return openAsBlob(path);
}

function toBlob(rows: readonly object[]): Blob {
  return new Blob(rows.map(toLine));
}

function toLine(row: object, index: number): string {
  try {
    return `${JSON.stringify(row)}\n`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError('dataset_invalid', `Row ${index + 1} has what JSON cannot hold: ${reason}.`, {
      param: 'dataset.rows',
      cause,
    });
  }
}

export interface UploadProgress {
  /** The file's name. */
  name: string;
  /** The file is being read for its digest, sent, or counted by the cloud. */
  stage: 'reading' | 'sending' | 'counting';
  /** Within this stage. */
  done: number;
  total: number;
  /** Why nothing moves at the moment; it will be retried. */
  problem?: string;
}

interface PieceUpload {
  path: string;
  name: string;
  blob: Blob;
  columns: ColumnMap | undefined;
  /** Called again after each failure, since a local cloud may have restarted at another URL. */
  cloud(): Promise<CloudClient>;
  onProgress(progress: UploadProgress): void;
  signal?: AbortSignal | undefined;
  clock: Clock;
}

const RETRY = { firstMs: 500, longestMs: 15_000 };
/** How long to retry without progress before giving up. */
const PATIENCE_MS = 10 * 60_000;

/**
 * Uploads a file in pieces. After an interruption it resumes from what the cloud has, even if this program or
 * the cloud was killed in between: the upload is named by the file's digest. Null if the cloud is too old to
 * accept pieces.
 */
async function uploadPieces(upload: PieceUpload): Promise<Dataset | null> {
  const { name, blob, columns, onProgress, signal, clock } = upload;
  const total = blob.size;
  const digest = await digestOf(upload);
  const backoff = createBackoff(RETRY);
  let pieceBytes = FIRST_PIECE;
  let movedAt = clock.elapsed();
  let furthest = -1;
  let done = 0;

  const report = (stage: UploadProgress['stage'], problem?: string) =>
    onProgress({ name, stage, done, total, ...(problem !== undefined && { problem }) });

  function moveTo(offset: number): void {
    done = offset;
    report('sending');
    if (offset <= furthest) return;
    furthest = offset;
    movedAt = clock.elapsed();
    backoff.reset();
  }

  async function sendAll(cloud: CloudClient): Promise<void> {
    moveTo((await cloud.getUpload(digest, { signal })).upload.offset ?? 0);
    while (done < total) {
      const began = clock.elapsed();
      const piece = blob.slice(done, Math.min(total, done + pieceBytes));
      const { upload: after } = await cloud.appendUpload(digest, done, piece, { signal });
      moveTo(after.offset ?? 0);
      pieceBytes = nextPiece(pieceBytes, clock.elapsed() - began);
    }
  }

  for (;;) {
    try {
      const cloud = await upload.cloud();
      await sendAll(cloud);
      report('counting');
      return (await cloud.finishUpload(digest, name, { columns, signal })).dataset;
    } catch (error) {
      signal?.throwIfAborted();
      if (isUnknownRoute(error)) return null;
      if (isUnreadable(error)) throw changed(name);
      if (!(error instanceof ApiError)) throw error;
      const isConflict = error.code === 'upload_conflict';
      if (isFinalError(error) && !isConflict) throw error;
      if (clock.elapsed() - movedAt > PATIENCE_MS) throw gaveUp(error, upload, done);
      report('sending', error.message);
    }
    await clock.sleep(backoff.next(), signal);
  }
}

const FIRST_PIECE = 1024 ** 2;
const SMALLEST_PIECE = 256 * 1024;
const LARGEST_PIECE = 32 * 1024 ** 2;
const QUICK_MS = 500;
const SLOW_MS = 2000;

/**
 * Pieces take about a second each, so that progress is visible and little is sent twice after an
 * interruption. @internal
 */
export function nextPiece(bytes: number, ms: number): number {
  if (ms < QUICK_MS) return Math.min(2 * bytes, LARGEST_PIECE);
  if (ms > SLOW_MS) return Math.max(bytes / 2, SMALLEST_PIECE);
  return bytes;
}

const READ_AT_ONCE = 1024 ** 2;

async function digestOf({ path, name, blob, onProgress, signal }: PieceUpload): Promise<string> {
  const hash = createHash('sha256');
  const total = blob.size;
  let done = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_AT_ONCE })) {
    signal?.throwIfAborted();
    hash.update(chunk);
    done += chunk.length;
    onProgress({ name, stage: 'reading', done, total });
  }
  if (done !== total) throw changed(name);
  return hash.digest('hex');
}

/** A blob cannot be read after its file has changed. A client takes that for a cloud that it cannot reach. */
function isUnreadable(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause.name === 'NotReadableError') return true;
  return false;
}

function changed(name: string): ApiError {
  return new ApiError('dataset_invalid', `${name} changed while it was uploaded. Start again.`);
}

function isUnknownRoute(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unknown_url' || error.code === 'method_not_allowed');
}

function gaveUp(error: ApiError, { name, blob }: PieceUpload, done: number): ApiError {
  const share = Math.floor((100 * done) / blob.size);
  const { status, type, code } = error;
  return new ApiError(
    { status, type, code },
    `${error.message} ${share} % of ${name} was uploaded; start again within a day to continue.`,
    { cause: error },
  );
}
