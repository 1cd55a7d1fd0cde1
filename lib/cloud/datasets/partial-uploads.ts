// Resumable uploads: bytes that arrived before an interruption, or before this cloud was killed, are kept. An upload is
// named by its owner and the digest of all its bytes, so a restarted client finds it again.
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { unlessMissing } from '../../system/index.js';
import { listNames } from '../disk/files.js';
import { isDiskFull, toUploadError, type Upload, writeUpload } from './receive-upload.js';

export interface PartialName {
  orgId: string;
  sha256: string;
}

interface Piece {
  offset: number;
  body: ReadableStream<Uint8Array>;
  /** The maximum size of the upload after this piece. */
  limit: number;
}

/** An upload without new bytes for this long is abandoned. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const SUFFIX = '.upload';

/** Work in progress on an upload. */
interface Turn {
  stop: AbortController;
  ended: Promise<unknown>;
}

export function openPartialUploads(folder: string, clock: Clock) {
  const turns = new Map<string, Turn>();
  const fileOf = ({ orgId, sha256 }: PartialName) => `${orgId}.${sha256}${SUFFIX}`;
  const pathOf = (name: PartialName) => join(folder, fileOf(name));

  /** How many bytes have arrived; null if none. */
  async function offsetOf(name: PartialName): Promise<number | null> {
    return (await unlessMissing(stat(pathOf(name)), null))?.size ?? null;
  }

  /** The newest connection wins: one that the client gave up on may still look open here. */
  async function takeOver<Result>(file: string, work: (stop: AbortSignal) => Promise<Result>) {
    const stop = new AbortController();
    const before = turns.get(file);
    before?.stop.abort();
    const run = (before?.ended ?? Promise.resolve()).then(() => {
      if (stop.signal.aborted) throw conflict('Another request continues this upload.');
      return work(stop.signal);
    });
    const turn = { stop, ended: run.catch(() => {}) };
    turns.set(file, turn);
    try {
      return await run;
    } finally {
      if (turns.get(file) === turn) turns.delete(file);
    }
  }

  /** Whether the upload can still be resumed. */
  async function isKept(file: string): Promise<boolean> {
    if (!file.endsWith(SUFFIX)) return false;
    if (turns.has(file)) return true;
    const found = await unlessMissing(stat(join(folder, file)), null);
    return found !== null && clock.now() - found.mtimeMs < ABANDONED_MS;
  }

  async function removeAbandoned(): Promise<void> {
    for (const file of await listNames(folder))
      if (file.endsWith(SUFFIX) && !(await isKept(file))) await rm(join(folder, file), { force: true });
  }

  return {
    offsetOf,
    isKept,
    /** Returns the new offset. Throws `upload_conflict` unless the piece starts where the last one ended. */
    append: (name: PartialName, { offset, body, limit }: Piece): Promise<number> =>
      takeOver(fileOf(name), async stop => {
        const before = (await offsetOf(name)) ?? 0;
        if (offset !== before)
          throw conflict(`The upload continues at byte ${before}, but this piece starts at byte ${offset}.`);
        if (before === 0) {
          await mkdir(folder, { recursive: true });
          await removeAbandoned();
        }
        try {
          return before + (await writeUpload(pathOf(name), readUntil(body, stop, limit - before), 'a'));
        } catch (error) {
          // Running jobs have priority for disk space.
          if (isDiskFull(error)) await rm(pathOf(name), { force: true });
          throw toUploadError(error);
        }
      }),
    /** Runs `use` on the bytes that have arrived, and deletes them if it succeeds. Null if there are none. */
    finish: <Result>(name: PartialName, use: (upload: Upload) => Promise<Result>): Promise<Result | null> =>
      takeOver(fileOf(name), async () => {
        const bytes = await offsetOf(name);
        if (bytes === null) return null;
        const result = await use({ path: pathOf(name), bytes });
        await rm(pathOf(name), { force: true });
        return result;
      }),
    discard: (name: PartialName) => rm(pathOf(name), { force: true }),
  };
}

async function* readUntil(
  body: ReadableStream<Uint8Array>,
  stop: AbortSignal,
  most: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const onStop = () => void reader.cancel().catch(() => {});
  stop.addEventListener('abort', onStop, { once: true });
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (stop.aborted) throw conflict('Another request continues this upload.');
      if (done) return;
      bytes += value.byteLength;
      if (bytes > most) throw new ApiError('body_too_large', 'The upload is larger than 2 GiB.');
      yield value;
    }
  } finally {
    stop.removeEventListener('abort', onStop);
    // Lets the server discard the rest.
    void reader.cancel().catch(() => {});
  }
}

function conflict(what: string): ApiError {
  return new ApiError('upload_conflict', `${what} Ask for its offset, then go on from there.`);
}
