// Streams a data set's rows through the trainer's `map` function into a file to upload.
import { type FileHandle, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ApiError, type ColumnMap } from '../../contract/index.js';
import { TaskRowError, type TaskRows, WrongRows } from '../../task/index.js';
import { explainTemporary, inTemporaryFolder } from '../files/temporary.js';
import type { DatasetInput, MapRow } from './options.js';

type MappedInput = Exclude<DatasetInput, { type: 'rows' | 'distilled' }> & {
  map: MapRow;
  /** Default: the original rows. */
  columns?: ColumnMap;
  /** The task whose rows `map` makes, for errors. */
  taskName?: string | undefined;
};

/** The progress of `map` over a data set. */
export interface MapProgress {
  /** A short name of the data set. */
  name: string;
  rows: number;
  /** Rows for which `map` returned null. */
  dropped: number;
  isDone: boolean;
}

interface MapContext {
  /** The project's folder. */
  folder: string;
  /** Called periodically, and at the end. */
  onMap?: ((progress: MapProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Runs `use` on a file of the mapped rows, which is deleted afterward. */
export async function withMappedRows<Result>(
  input: MappedInput,
  context: MapContext,
  use: (path: string, name: string) => Promise<Result>,
): Promise<Result> {
  return inTemporaryFolder('svc-map', async temporary => {
    const path = join(temporary, 'rows.jsonl');
    const file = await explainTemporary(open(path, 'wx', 0o600));
    const name = await writeRows(input, temporary, file, context).finally(() => file.close());
    return use(path, name);
  });
}

const BATCH = 1024 ** 2;
const REPORT_EVERY_MS = 200;

/** Returns the name of the data set. */
async function writeRows(
  input: MappedInput,
  cacheFolder: string,
  file: FileHandle,
  { folder, onMap = () => {}, signal }: MapContext,
): Promise<string> {
  // Imported lazily: most projects have no `map`, and need no data set readers.
  const { ANY_COLUMNS, areKnown, codeOf, DatasetError, describeUnknown, openDataset } = await import(
    '../../engine/train/data/index.js'
  );
  const { map, taskName = '', ...original } = input;
  const found = original.type === 'file' ? { ...original, path: resolve(folder, original.path) } : original;
  let [batch, rows, dropped] = ['', 0, 0];
  const wrong = new WrongRows();
  let reportedAt = performance.now();
  try {
    const source = { ...found, columns: found.columns ?? ANY_COLUMNS };
    const dataset = await openDataset(source, { cacheFolder, allowPrivateAddresses: true, signal });
    const name = dataset.fileName;
    for await (const { row, file: fileName, number } of dataset.rows()) {
      signal?.throwIfAborted();
      const at = `${fileName}, row ${number}`;
      const made = await callMap(map, row, at, wrong);
      rows++;
      if (performance.now() - reportedAt > REPORT_EVERY_MS) {
        onMap({ name, rows, dropped, isDone: false });
        reportedAt = performance.now();
      }
      if (made === null || made === undefined) {
        dropped++;
        continue;
      }
      const columns = Object.keys(made);
      if (!areKnown(columns)) throw refuse(at, `returned ${show(made)}, which ${describeUnknown(columns)}`);
      batch += `${toJson(made, at)}\n`;
      if (batch.length < BATCH) continue;
      await explainTemporary(file.writeFile(batch));
      batch = '';
    }
    const fault = wrong.describe(taskName);
    if (fault) throw new ApiError('dataset_invalid', fault, { param: 'dataset' });
    await explainTemporary(file.writeFile(batch));
    if (dropped === rows) throw refuse(name, `returned nothing for all ${rows} rows`);
    onMap({ name, rows, dropped, isDone: true });
    return name;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof DatasetError)) throw error;
    const isMissing = original.type === 'file' && codeOf(error) === 'ENOENT';
    const message = isMissing
      ? `Dataset ${resolve(folder, original.path)} does not exist.`
      : `${error.message}.`;
    throw new ApiError('dataset_invalid', message, { param: 'dataset', cause: error });
  }
}

async function callMap(
  map: MapRow,
  row: Record<string, unknown>,
  at: string,
  wrong: WrongRows,
): Promise<object | null | undefined> {
  let made: unknown;
  try {
    made = await map(row);
  } catch (cause) {
    if (cause instanceof TaskRowError) {
      wrong.add(cause, at);
      return null;
    }
    throw refuse(
      at,
      `threw ${cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)}`,
      cause,
    );
  }
  if (made === null || made === undefined) return made;
  if (typeof made !== 'object' || Array.isArray(made))
    throw refuse(at, `returned ${show(made)}, which is not an object`);
  return made;
}

function toJson(made: object, at: string): string {
  try {
    return JSON.stringify(made);
  } catch (cause) {
    throw refuse(at, `returned what JSON cannot hold (${(cause as Error).message})`, cause);
  }
}

const LONGEST = 200;

/** Formats a value as shortened JSON. */
function show(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value);
  }
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

function refuse(at: string, what: string, cause?: unknown): ApiError {
  return new ApiError(
    'dataset_invalid',
    `${at}: \`map\` ${what}. Return a row to train on, or null to leave it out.`,
    { param: 'dataset.map', cause },
  );
}

/** Makes chats of a task's rows, after the program's own `map`. */
export function mapToTask(task: TaskRows, map: MapRow | undefined, columns: ColumnMap | undefined): MapRow {
  return async row => {
    const made = map ? await map(row) : row;
    return made ? task.read(made as Record<string, unknown>, columns) : made;
  };
}
