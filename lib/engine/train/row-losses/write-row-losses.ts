// Appends the losses of rows to a file in the run's folder. A resumed run first drops what came after its checkpoint, so
// that the file is the same as if nothing had interrupted it.
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../system/index.js';
import { ROW_LOSSES } from '../../run-layout.js';
import type { RowLoss } from '../objective.js';
import { ENTRY_BYTES, type Entry, encodeEntries, encodeHeader, openRowLossFile } from './row-loss-file.js';

export interface RowLosses {
  /** Records a step. Writes it at the latest a second later, with a later step. */
  add(step: number, losses: readonly RowLoss[]): Promise<void>;
  /** Returns when everything that was added is on disk. */
  save(): Promise<void>;
}

interface RowLossOptions {
  /** In the data set. */
  rows: number;
  /** Rows from this number on are not recorded. */
  upTo?: number | undefined;
  /** How many rows the steps of the run take in all. */
  visits: number;
  /** The step that the run resumes from; 0 for a new one. */
  afterStep: number;
  /** Throws if this run may no longer save. */
  assertOwner(): Promise<void>;
}

/** The most rows to record, and the most entries, about 64 MB. Of more, a fixed random part is recorded. */
const [MOST_ROWS, MOST_ENTRIES] = [100_000, 4_000_000];
/** What the file's header holds. */
const MOST_LEFT_OUT = 2 ** 32 - 1;
const WRITE_EVERY_MS = 1000;

export async function openRowLosses(
  folder: string,
  { rows, visits, upTo = Number.POSITIVE_INFINITY, afterStep, assertOwner }: RowLossOptions,
): Promise<RowLosses> {
  const path = join(folder, ROW_LOSSES);
  const wanted = Math.ceil(Math.max(rows / MOST_ROWS, visits / MOST_ENTRIES));
  const every = Math.min(Math.max(1, wanted), MOST_LEFT_OUT);
  let size = await startFile(path, every, afterStep);
  let waiting: Entry[] = [];
  let writtenAt = performance.now();

  /** Writes at a known position, so that what a failed write has left is overwritten. */
  async function write(isLasting: boolean): Promise<void> {
    await assertOwner();
    const bytes = encodeEntries(waiting);
    const file = await open(path, 'r+');
    try {
      await writeAll(file, bytes, size);
      if (isLasting) await file.datasync();
    } finally {
      await file.close();
    }
    size += bytes.length;
    waiting = [];
    writtenAt = performance.now();
  }

  return {
    async add(step, losses) {
      for (const loss of losses)
        if (loss.row < upTo && isRecorded(loss.row, every)) waiting.push({ step, ...loss });
      if (performance.now() - writtenAt < WRITE_EVERY_MS) return;
      // Only a save has to succeed.
      await write(false).catch(() => {});
    },
    save: () => write(true),
  };
}

/** The same rows in every epoch and every run. */
function isRecorded(row: number, every: number): boolean {
  let mixed = Math.imul(row ^ (row >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) % every === 0;
}

/** Leaves a file with the steps up to `afterStep`, and returns its size. */
async function startFile(path: string, every: number, afterStep: number): Promise<number> {
  const known = afterStep > 0 ? await openRowLossFile(path) : null;
  let size = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    const header = encodeHeader({ every });
    size += header.length;
    yield header;
    if (!known) return;
    for await (const entries of known.entries()) {
      const kept = [...entries].filter(({ step }) => step <= afterStep);
      size += kept.length * ENTRY_BYTES;
      yield encodeEntries(kept);
    }
  }
  await mkdir(dirname(path), { recursive: true });
  try {
    await replaceFile(path, content());
  } finally {
    await known?.close();
  }
  return size;
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}
