// Runs a trainer's own function on each row of a data set, as a stream, and keeps what it returns in a file to upload.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ApiError } from '../../contract/index.js';
import type { DatasetInput, MapRow } from './options.js';

type MappedInput = Exclude<DatasetInput, { type: 'rows' }> & { map: MapRow };

/** What a function made of a data set. */
export interface MappedRows {
  /** A short name of the data set. */
  name: string;
  rows: number;
  /** Those for which it returned nothing. */
  dropped: number;
}

interface MapContext {
  /** The project's folder. */
  folder: string;
  signal?: AbortSignal | undefined;
}

/** Runs `use` on a file of the mapped rows, which is deleted afterward. */
export async function withMappedRows<Result>(
  input: MappedInput,
  context: MapContext,
  use: (path: string, mapped: MappedRows) => Promise<Result>,
): Promise<Result> {
  const temporary = await mkdtemp(join(tmpdir(), 'svc-map-'));
  try {
    const path = join(temporary, 'rows.jsonl');
    const file = await open(path, 'wx', 0o600);
    const mapped = await writeRows(input, temporary, file, context).finally(() => file.close());
    return await use(path, mapped);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const BATCH = 1024 ** 2;

async function writeRows(
  input: MappedInput,
  cacheFolder: string,
  file: FileHandle,
  { folder, signal }: MapContext,
): Promise<MappedRows> {
  // Most projects have no function, and need no readers of data sets.
  const { ANY_COLUMNS, areKnown, codeOf, DatasetError, describeUnknown, openDataset } = await import(
    '../../engine/train/data/index.js'
  );
  const { map, ...given } = input;
  const found = given.type === 'file' ? { ...given, path: resolve(folder, given.path) } : given;
  let [batch, rows, dropped] = ['', 0, 0];
  try {
    const source = { ...found, columns: ANY_COLUMNS };
    const dataset = await openDataset(source, { cacheFolder, allowPrivateAddresses: true, signal });
    for await (const { row, file: name, number } of dataset.rows()) {
      signal?.throwIfAborted();
      const made = await callMap(map, row, `${name}, row ${number}`);
      rows++;
      if (made === null || made === undefined) {
        dropped++;
        continue;
      }
      const columns = Object.keys(made);
      if (!areKnown(columns))
        throw refuse(`${name}, row ${number}`, `returned ${show(made)}, which ${describeUnknown(columns)}`);
      batch += `${JSON.stringify(made)}\n`;
      if (batch.length < BATCH) continue;
      await file.writeFile(batch);
      batch = '';
    }
    await file.writeFile(batch);
    const name = dataset.fileName;
    if (dropped === rows) throw refuse(name, `returned nothing for all ${rows} rows`);
    return { name, rows, dropped };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof DatasetError)) throw error;
    const isMissing = given.type === 'file' && codeOf(error) === 'ENOENT';
    const message = isMissing
      ? `Dataset ${resolve(folder, given.path)} does not exist.`
      : `${error.message}.`;
    throw new ApiError('dataset_invalid', message, { param: 'dataset', cause: error });
  }
}

async function callMap(
  map: MapRow,
  row: Record<string, unknown>,
  at: string,
): Promise<object | null | undefined> {
  let made: unknown;
  try {
    made = await map(row);
  } catch (cause) {
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

const LONGEST = 200;

/** As JSON, shortened. */
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
