// Reads a file of row losses piece by piece, also while it grows.
import { type FileHandle, open } from 'node:fs/promises';
import { decodeEntries, decodeHeader, ENTRY_BYTES, type Entry, type Header } from './format.js';

/** A multiple of an entry's size. */
const PIECE_BYTES = 2 ** 20;

export interface RowLossFile {
  header: Header;
  /** All entries from the start, as often as it is called. */
  entries(signal?: AbortSignal): AsyncGenerator<Iterable<Entry>>;
  close(): Promise<void>;
}

/** Null if there is none, or not a readable one. */
export async function openRowLossFile(path: string): Promise<RowLossFile | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return null;
  const header = decodeHeader(await readAt(file, 0, ENTRY_BYTES));
  if (!header) {
    await file.close();
    return null;
  }
  return { header, entries: signal => entriesOf(file, signal), close: () => file.close() };
}

/** Whether all entries are such as a run writes. */
export async function areRowLossesValid(path: string): Promise<boolean> {
  const file = await openRowLossFile(path);
  if (!file) return false;
  try {
    for await (const entries of file.entries())
      for (const { step, loss } of entries) if (step === 0 || !Number.isFinite(loss)) return false;
    return true;
  } finally {
    await file.close();
  }
}

async function* entriesOf(
  file: FileHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<Iterable<Entry>> {
  for (let at = ENTRY_BYTES; ; at += PIECE_BYTES) {
    signal?.throwIfAborted();
    const bytes = await readAt(file, at, PIECE_BYTES);
    yield decodeEntries(bytes);
    if (bytes.length < PIECE_BYTES) return;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
