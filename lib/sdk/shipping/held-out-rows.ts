// The rows that a trainer holds out, as its jobs get them: those of `evalDataset`, or the share of `dataset` that `evalFraction`
// keeps from training.
import { resolve } from 'node:path';
import { ApiError, type Job } from '../../contract/index.js';
import type { DataRow } from '../../engine/train/data/index.js';
import { openTaskRows } from '../../task/index.js';
import { withDistilledRows } from '../distil/distil-rows.js';
import type { ProgramRows } from '../evaluation/read-rows.js';
import type { Session } from '../session/session.js';
import { mapToTask, withMappedRows } from '../trainer/map-rows.js';
import type { DatasetInput, TrainerOptions } from '../trainer/options.js';

export async function readHeldOutRows(
  { name, task, dataset, evalDataset, method }: TrainerOptions,
  job: Pick<Job, 'id' | 'trainer' | 'config'>,
  { folder, home, env, clock }: Pick<Session, 'folder' | 'home' | 'env' | 'clock'>,
  signal?: AbortSignal,
): Promise<ProgramRows> {
  const { evalFraction, evalDatasetSource } = job.config as {
    evalFraction?: number;
    evalDatasetSource?: unknown;
  };
  const refuse = (reason: string) => refuseRows(reason, method);
  if (job.trainer !== name)
    throw refuse(`Job ${job.id} is of the trainer ${job.trainer}, and this project's is ${name}.`);
  if (!evalFraction && !(evalDatasetSource && evalDataset)) throw refuse(`Job ${job.id} holds out no rows.`);
  const input = evalFraction ? dataset : evalDataset!;
  const read = (source: FileInput) => readRows(source, evalFraction ?? 0, folder, signal);
  if (input.type === 'rows') throw refuse("The trainer's held-out rows are in its program.");
  const taskRows = task && openTaskRows(task);
  if (input.type === 'distilled') {
    const context = { folder, env, clock, signal, task: taskRows, mayAsk: false };
    return withDistilledRows(input, context, async (path, fileName) => ({
      ...(await read({ type: 'file', path, cacheFolder: '' })),
      name: fileName,
    }));
  }
  const { map: own, ...given } = input;
  const { columns, ...unmapped } = given;
  const map = taskRows ? mapToTask(taskRows, own, columns) : own;
  if (!map) return read({ ...given, cacheFolder: `${home}/cache/data` });
  const taskName = taskRows?.description().name;
  const mapped = { ...(taskRows ? unmapped : given), map, taskName };
  return withMappedRows(mapped, { folder, signal }, async (path, fileName) => ({
    ...(await read({ type: 'file', path, cacheFolder: '' })),
    name: fileName,
  }));
}

type FileInput = Exclude<DatasetInput, { type: 'rows' | 'distilled' }> & { cacheFolder: string };

/** All rows, or those with the lowest hashes. */
async function readRows(
  { cacheFolder, ...source }: FileInput,
  fraction: number,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<ProgramRows> {
  // Imported lazily: it has the readers of all formats.
  const { ANY_PARSED, hashRows, openDataset, splitByContent } = await import(
    '../../engine/train/data/index.js'
  );
  const found = source.type === 'file' ? { ...source, path: resolve(folder, source.path) } : source;
  const dataset = await openDataset(
    { ...found, columns: source.columns ?? ANY_PARSED },
    { cacheFolder, allowPrivateAddresses: true, signal },
  );
  const read: DataRow[] = [];
  for await (const row of dataset.rows()) read.push(row);
  const table = { length: read.length, scan: () => iterate(read) };
  const held =
    fraction === 0 ? read.keys() : splitByContent(await hashRows(table, signal), fraction).values();
  return { type: 'rows', name: dataset.fileName, rows: [...held].map(index => read[index]!.row) };
}

function* iterate<Row>(rows: readonly Row[]): Generator<Row> {
  yield* rows;
}

function refuseRows(reason: string, method: TrainerOptions['method']): ApiError {
  const rows =
    method?.type === 'grpo' ? 'prompts, or rows whose answers are known' : 'rows whose answers are known';
  return new ApiError('dataset_invalid', `${reason} Name ${rows}: "--on ROWS".`, { param: 'on' });
}
