// Prepares the rows of a run: opens its data sets, and encodes what training needs to start. A small data set is read
// completely; of a large one, only enough rows to start.
import { createHash } from 'node:crypto';
import type { ModelSource } from '../model/index.js';
import { openText, TextError } from '../text/index.js';
import type { DataRow, RowTable } from './data/index.js';
import type { EncodingOptions, TooLong } from './encoded-rows.js';
import { type OpenRows, openRows, partOf, type RowPart, type RowSet, type RowSources } from './open-rows.js';
import type { TrainOptions } from './options.js';
import {
  type BackgroundReader,
  createBackgroundReader,
  describeSweep,
  type LongRows,
  type Preparing,
  RowSweep,
} from './row-sweep.js';
import { fits, type Limit, sampleIndices } from './sample-rows.js';
import { NoRowsLeftError } from './steps.js';

export interface RowRequest extends RowSources, Pick<EncodingOptions, 'variables'> {
  /** The base model's folder, in Hugging Face layout. */
  modelFolder: string;
  /** `assistant` to learn only what the assistant says. */
  trainOn: 'assistant' | 'all';
  /** What to do with rows longer than `maxLength`; truncated by default. */
  tooLong?: TooLong | undefined;
  cacheFolder: string;
  allowPrivateAddresses?: boolean | undefined;
  /** For data sets on the Hub; `HF_TOKEN` by default. An empty one means no token. */
  hubToken?: string | undefined;
  signal?: AbortSignal | undefined;
}

interface DataSet {
  digest: string;
  rows: number;
}

export interface PreparedRows {
  training: RowSet;
  evaluation: RowSet;
  /** Reads the remaining rows of a large data set; null for a small one. */
  reader: BackgroundReader | null;
  /** The places, in the training rows, of the reader's sample. */
  sample: readonly number[];
  /** Rows that were already found to be too long. */
  readonly tooLong: LongRows | null;
  /** Tokens to learn in one epoch; null until all rows have been read. */
  readonly trainTokens: number | null;
  /** Reads a row as it is in the data set, by its place among all rows. */
  rowAt(row: number): DataRow['row'];
  /** The same row as tokens; none if it is skipped. */
  idsAt(row: number): ArrayLike<number>;
  /** A short name of the data set. */
  name: string;
  /** The data set, and that for evaluation if there is one, by their digests. */
  data: DataSet[];
  /** The rows of earlier runs, by data set; how many of each. */
  replayed: DataSet[];
  close(): void;
}

export interface PrepareOptions {
  /** Reports progress from time to time. */
  onPreparing?: ((event: Preparing) => void) | undefined;
  /** How much to read before training starts; tests lower it. */
  limits?: Limits;
}

interface Limits {
  /** Data sets up to this size are read completely. */
  small: Limit;
  /** Of larger ones, this much is read from the start and as much again from random rows. */
  opening: Limit;
}

/** Takes a few seconds. */
export const LIMITS: Limits = {
  small: { rows: 8192, bytes: 4 * 1024 ** 2 },
  opening: { rows: 1024, bytes: 512 * 1024 },
};
const REPORT_EVERY_MS = 1000;
const REPORT_EVERY_ROWS = 1000;

/** Errors about a row name its file and number. */
export async function prepareRows(
  request: RowRequest,
  model: Pick<ModelSource, 'config'>,
  { maxLength, seed, method, softWeight }: Pick<TrainOptions, 'maxLength' | 'seed' | 'method' | 'softWeight'>,
  { limits = LIMITS, onPreparing = () => {} }: PrepareOptions = {},
): Promise<PreparedRows> {
  const { trainOn, variables, tooLong = 'truncate', folder, signal } = request;
  const text = await openText(request.modelFolder);
  const { vocabulary } = model.config;
  const soft = softWeight > 0 || undefined;
  const reading = { trainOn, variables, method: method?.type, ...(soft && { soft }) };
  const encoding: EncodingOptions = { ...reading, tooLong, maxLength, vocabulary };
  const report = createThrottle(onPreparing);
  const sources = { ...request, snapshotFolder: folder, seed };
  const rows = await openRows(sources, text, encoding, found =>
    report({ type: 'preparing', rows: found, totalRows: null }),
  );
  try {
    const parts = [...rows.parts, ...rows.replayed];
    const tables = parts.map(({ table }) => table);
    const sweep = new RowSweep(parts, maxLength);
    // A small data set is read completely before training.
    const isSmall = fits(tables, limits.small);
    const upTo = isSmall ? sweep.totalRows : countOpening(tables[0]!, limits.opening);
    await sweep.read({ rows: upTo, onSlice: () => report(describeSweep(sweep)), signal });
    const { training, evaluation } = isSmall && sweep.longRows ? dropGaps(rows) : rows;
    const { evaluationFraction = 0, replay } = request;
    const settings = [
      tables.map(({ digest }) => digest),
      encoding,
      evaluationFraction,
      ...(replay ? [replay.share, replay.sources.map(source => source.evaluationFraction ?? 0)] : []),
    ];
    const sample = isSmall ? [] : sampleIndices(training, limits.opening);
    const examples = sample.flatMap(index => training.at(index) ?? []);
    if (soft && !sweep.hasSoft && !examples.some(example => example.soft))
      throw new TextError(
        'No row has `logprobs`, the distribution of a teacher, which `softWeight` is for. Set it to 0 to learn from answers alone.',
      );
    return {
      training,
      evaluation,
      reader: isSmall ? null : createBackgroundReader(sweep, examples, sha256(settings)),
      sample,
      get tooLong() {
        return sweep.longRows;
      },
      get trainTokens() {
        return sweep.trainTokens;
      },
      rowAt(row) {
        const { table, first } = partOf(parts, row);
        return table.read(row - first).row;
      },
      idsAt(row) {
        const { rows: encoded, first } = partOf(parts, row);
        return encoded.at(row - first).ids;
      },
      name: rows.name,
      data: rows.parts.map(describe),
      replayed: rows.replayed.map(describe),
      close: rows.close,
    };
  } catch (error) {
    rows.close();
    throw error;
  }
}

const describe = ({ table: { digest, length } }: RowPart): DataSet => ({ digest, rows: length });

/** How many of the first rows reach the limit; at least one. */
function countOpening(table: RowTable, limit: Limit): number {
  let [rows, bytes] = [0, 0];
  while (rows < Math.min(limit.rows, table.length) && bytes < limit.bytes) bytes += table.bytesOf(rows++);
  return rows;
}

/** For a data set that has been read completely, so that all skipped rows are known. */
function dropGaps({ training, evaluation }: OpenRows) {
  const left = { training: training.withoutGaps(), evaluation: evaluation.withoutGaps() };
  if (left.training.length === 0) throw new NoRowsLeftError();
  return left;
}

type Report = (event: Preparing) => void;

/** Limits how often progress is reported, and skips it for a few rows. */
function createThrottle(onPreparing: (event: Preparing) => void): Report {
  let last = { rows: 0, at: performance.now() };
  return event => {
    const { rows } = event;
    if (Math.abs(rows - last.rows) < REPORT_EVERY_ROWS || performance.now() - last.at < REPORT_EVERY_MS)
      return;
    onPreparing(event);
    last = { rows, at: performance.now() };
  };
}

function sha256(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}
