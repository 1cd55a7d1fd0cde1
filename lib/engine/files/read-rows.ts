// Reads the losses of a run's rows, with an excerpt of each row from the data set that it trained on.
import { join } from 'node:path';
import { ROW_LOSSES } from '../run-layout.js';
import { openDataset, type RowTable } from '../train/data/index.js';
import { readRowLosses } from '../train/row-losses/index.js';
import { excerptOf } from './excerpt.js';
import type { FileWork, RowText } from './messages.js';

type ReadRows = FileWork['readRows'];

export async function readRows(
  { folder, source, cacheFolder, query }: ReadRows['input'],
  signal: AbortSignal,
): Promise<ReadRows['result']> {
  const { rows, ...report } = await readRowLosses(join(folder, ROW_LOSSES), query, signal);
  const texts = rows.length === 0 ? null : await openTexts({ folder, source, cacheFolder }, signal);
  return { ...report, rows: rows.map(row => ({ ...row, text: texts && textOf(texts, row.row) })) };
}

/** The last data set that was opened: indexing a large one takes a while, and pages follow each other. */
let opened: { key: string; table: RowTable } | null = null;

/** Null if the data set is gone: the losses can be shown without it. */
async function openTexts(
  { folder, source, cacheFolder }: Pick<ReadRows['input'], 'folder' | 'source' | 'cacheFolder'>,
  signal: AbortSignal,
): Promise<RowTable | null> {
  if (!source) return null;
  const key = JSON.stringify([folder, source]);
  if (opened?.key === key) return opened.table;
  try {
    const dataset = await openDataset(source, {
      cacheFolder,
      snapshotFolder: folder,
      fetch: offline,
      signal,
    });
    const table = await dataset.index({ scratchFolder: folder });
    opened?.table.close();
    opened = { key, table };
    return table;
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Nobody waits for a download to look at a list. */
async function offline(): Promise<never> {
  throw new Error('Only data sets that are on this machine are read.');
}

function textOf(table: RowTable, index: number): RowText | null {
  if (index >= table.length) return null;
  try {
    const { row, file, number } = table.read(index);
    return { file, number, ...excerptOf(row) };
  } catch {
    return null; // A row of a data set that was replaced.
  }
}
