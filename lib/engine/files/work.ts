// All slow file work, run in the file-reading process.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openModelAdapter, readModelConfig } from '../model/index.js';
import { ADAPTER_CONFIG, ROW_LOSSES } from '../run-layout.js';
import { requireUsable } from '../text/index.js';
import { type CheckRequest, type OpenCheck, openCheck } from '../train/check/open-check.js';
import { countRows, openBlob, openDataset, type RowTable } from '../train/data/index.js';
import { describeAdapter, digestFile } from '../train/digests.js';
import { type OpenPrompts, openPrompts } from '../train/rewards/prompt-file.js';
import { readRowLosses } from '../train/row-losses/read-row-losses.js';
import { writeTokens } from '../train/tokens.js';
import { MODULES, toTargetName, WeightsError } from '../weights/index.js';
import { excerptOf } from './excerpt.js';
import type { CheckedAdapter, FileWork, RowText, WorkKind } from './messages.js';

type Workers = {
  [K in WorkKind]: (input: FileWork[K]['input'], signal: AbortSignal) => Promise<FileWork[K]['result']>;
};

const workers: Workers = {
  inspect,
  download: ({ source, options }, signal) => openBlob(source, { ...options, signal }),
  checkAdapter,
  readRows,
  previewData,
  readAnswers,
  writeTokens: (request, signal) => writeTokens({ ...request, signal }),
  digestFile: async ({ path }, signal) => ({
    bytes: (await stat(path)).size,
    sha256: await digestFile(path, signal),
  }),
  digestAdapter: async ({ folder }) => (await describeAdapter(folder, 'final', 0)).sha256,
};

export function doWork<K extends WorkKind>(
  kind: K,
  input: FileWork[K]['input'],
  signal: AbortSignal,
): Promise<FileWork[K]['result']> {
  return workers[kind](input, signal);
}

/** Rows first: a file that cannot be trained on needs no digest. */
async function inspect(
  { checksRows, ...file }: FileWork['inspect']['input'],
  signal: AbortSignal,
): Promise<FileWork['inspect']['result']> {
  const counted = await countRows(file, { check: checksRows ? requireUsable : undefined, signal });
  return { ...counted, sha256: await digestFile(file.path, signal) };
}

/** Reads an adapter that was trained elsewhere, one pair of matrices at a time, before a cloud takes it. */
async function checkAdapter(
  { folder, modelFolder }: FileWork['checkAdapter']['input'],
  signal: AbortSignal,
): Promise<CheckedAdapter> {
  const { config, sites, readPair } = await openModelAdapter(folder, await readModelConfig(modelFolder));
  const { alpha, rank, dropout, useRslora, baseModel } = config;
  if (alpha === 0)
    throw new WeightsError(join(folder, ADAPTER_CONFIG), 'lora_alpha is 0, so the adapter changes nothing');
  for (const site of sites) {
    signal.throwIfAborted();
    await readPair(site);
  }
  const adapted = new Set(sites.map(({ module }) => module));
  const modules = MODULES.filter(module => adapted.has(module)).map(toTargetName);
  const { bytes, sha256 } = await describeAdapter(folder, 'final', 0);
  return { alpha, rank, dropout, useRslora, baseModel, modules: [...new Set(modules)], bytes, sha256 };
}

type PreviewData = FileWork['previewData'];

let checked: { key: string; check: OpenCheck } | null = null;

/**
 * Checks a data set and lists its rows. The last one that was checked stays open: pages of its rows follow each other.
 */
async function previewData(
  { request, query }: PreviewData['input'],
  signal: AbortSignal,
): Promise<PreviewData['result']> {
  const check = await openChecked(request, signal);
  const { rows, total } = check.list(query);
  return {
    report: check.report,
    rows: rows.map(({ content, ...row }) => ({
      ...row,
      ...(content ? excerptOf(content) : { prompt: '', answer: '' }),
    })),
    total,
  };
}

async function openChecked(request: CheckRequest, signal: AbortSignal): Promise<OpenCheck> {
  const key = JSON.stringify(request);
  if (checked?.key === key) return checked.check;
  checked?.check.close();
  checked = null;
  const check = await openCheck(request, signal);
  checked = { key, check };
  return check;
}

/** The last run whose answers were read: the next ones are of its next step. */
let answered: { folder: string; prompts: OpenPrompts } | null = null;

async function readAnswers({
  folder,
  modelFolder,
  groups,
}: FileWork['readAnswers']['input']): Promise<FileWork['readAnswers']['result']> {
  if (answered?.folder !== folder) {
    answered?.prompts.close();
    answered = null;
    answered = { folder, prompts: await openPrompts(folder, modelFolder) };
  }
  return answered.prompts.read(groups);
}

type ReadRows = FileWork['readRows'];

/** Reads the losses of a run's rows, with an excerpt of each row from the data set that it trained on. */
async function readRows(
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

/** Never downloads: a list must open without waiting for that. */
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
