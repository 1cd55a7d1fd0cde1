// The file of a run's row losses: a header and then one entry for each row of each step, in the order of the steps. All
// have the same size, so that the number of whole entries follows from the file's size, and the last step from the last
// entry.
import { type FileHandle, open } from 'node:fs/promises';
import { unlessMissing } from '../../../system/index.js';
import type { RowLoss } from '../objective.js';

export interface Header {
  /** One in this many rows is recorded. */
  every: number;
}

export interface Entry extends RowLoss {
  /** Counts from 1. */
  step: number;
}

export const ENTRY_BYTES = 16;

const MAGIC = 'svc-row1';

export function encodeHeader({ every }: Header): Uint8Array {
  const bytes = Buffer.alloc(ENTRY_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(every, 8);
  return bytes;
}

function decodeHeader(bytes: Uint8Array): Header | null {
  const buffer = toBuffer(bytes);
  if (buffer.length < ENTRY_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC) return null;
  return { every: Math.max(1, buffer.readUInt32LE(8)) };
}

export function encodeEntries(entries: readonly Entry[]): Uint8Array {
  const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
  for (const [i, { step, row, labels, loss }] of entries.entries()) {
    const at = i * ENTRY_BYTES;
    bytes.writeUInt32LE(step % 2 ** 32, at);
    bytes.writeUInt32LE(row, at + 4);
    bytes.writeUInt32LE(labels, at + 8);
    bytes.writeFloatLE(loss, at + 12);
  }
  return bytes;
}

/** The whole entries; an incomplete one at the end is left out. @internal */
export function* decodeEntries(bytes: Uint8Array): Generator<Entry> {
  const buffer = toBuffer(bytes);
  for (let at = 0; at + ENTRY_BYTES <= buffer.length; at += ENTRY_BYTES) {
    yield {
      step: buffer.readUInt32LE(at),
      row: buffer.readUInt32LE(at + 4),
      labels: buffer.readUInt32LE(at + 8),
      loss: buffer.readFloatLE(at + 12),
    };
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A multiple of an entry's size. */
const PIECE_BYTES = 2 ** 20;

export interface RowLossFile {
  header: Header;
  /** Each call reads all entries from the start. */
  entries(signal?: AbortSignal): AsyncGenerator<Iterable<Entry>>;
  close(): Promise<void>;
}

/** Reads the file in pieces, even while it grows. Null if it is missing or not a file of row losses. */
export async function openRowLossFile(path: string): Promise<RowLossFile | null> {
  const file = await unlessMissing(open(path, 'r'), null);
  if (!file) return null;
  const header = decodeHeader(await readAt(file, 0, ENTRY_BYTES));
  if (!header) {
    await file.close();
    return null;
  }
  return { header, entries: signal => entriesOf(file, signal), close: () => file.close() };
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
