// Uploads a file in pieces. After a cut it goes on where the cloud has got to, also if this program or the cloud was
// killed in between: the upload is named by the digest of the file.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type CloudClient, createBackoff, isFinalError } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { ApiError, type ColumnMap, type Dataset } from '../../contract/index.js';

export interface UploadProgress {
  /** The file's name. */
  name: string;
  /** The file is read for its digest, sent, or counted by the cloud. */
  stage: 'reading' | 'sending' | 'counting';
  /** Of the stage. */
  done: number;
  total: number;
  /** Why nothing moves at the moment; it is tried again. */
  problem?: string;
}

interface PieceUpload {
  path: string;
  name: string;
  blob: Blob;
  columns: ColumnMap | undefined;
  /** Asked again after each failure, since a local cloud may have been started again elsewhere. */
  cloud(): Promise<CloudClient>;
  onProgress(progress: UploadProgress): void;
  signal?: AbortSignal | undefined;
  clock: Clock;
}

const RETRY = { firstMs: 500, longestMs: 15_000 };
/** How long nothing may move before it gives up. */
const PATIENCE_MS = 10 * 60_000;

/** Null if the cloud is too old to take pieces. */
export async function uploadPieces(upload: PieceUpload): Promise<Dataset | null> {
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
      if (!(error instanceof ApiError)) throw changedOr(error, name);
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

/** Pieces that take about a second: progress is seen, and few bytes are sent twice after a cut. @internal */
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

/** A blob cannot be read once its file has changed. */
function changedOr(error: unknown, name: string): unknown {
  return error instanceof Error && error.name === 'NotReadableError' ? changed(name) : error;
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
