// From what a run is asked for to what the trainer takes: the model's folder, its tokenizer, and rows as examples. All
// rows of a small data set are read before the run begins; of a large one as many as are needed to begin, and the others
// in the course of the training.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { openModel } from '../model/index.js';
import { openText } from '../text/index.js';
import { createBackgroundReader, describeSweep, type Preparing } from './background-reader.js';
import type { RowTable } from './data/index.js';
import type { EncodingOptions, TooLong } from './encoded-rows.js';
import { type OpenRows, openRows, type RowSources } from './open-rows.js';
import { TRAIN_DEFAULTS, type TrainOptions } from './options.js';
import { RowSweep } from './row-sweep.js';
import { sampleRows } from './sample-rows.js';
import type { TrainJob } from './trainer.js';
import type { RunControl } from './training-loop.js';

export interface TrainRequest extends RunControl, RowSources {
  /** The base model's folder, in Hugging Face's layout. */
  modelFolder: string;
  /** Its name, for the adapter's config. */
  modelName: string;
  /** `assistant` for what the assistant says alone. */
  trainOn: 'assistant' | 'all';
  /** What becomes of rows longer than `maxLength`; they lose their end unless given. */
  tooLong?: TooLong | undefined;
  options: Partial<TrainOptions>;
  /** Where checkpoints and the adapter go, too. */
  folder: string;
  /** Where downloads are kept. */
  cacheFolder: string;
  allowPrivateAddresses?: boolean | undefined;
  /** For data sets on the Hub; `HF_TOKEN` unless given, and an empty one stands for none. */
  hubToken?: string | undefined;
}

export interface Prepared {
  job: TrainJob;
  /** What the rows were read from, in a word. */
  dataset: string;
  /** Lets go of the rows, once the job is over. */
  close(): void;
}

export interface PrepareOptions {
  /** Told now and then how far it is. */
  onPreparing?: ((event: Preparing) => void) | undefined;
  /** What is read before the run begins; tests have less. */
  limits?: Limits;
}

interface Limits {
  /** Of a data set that is read as a whole before the run begins. */
  small: { rows: number; bytes: number };
  /** Of others as many are read from their start, and as many again from anywhere. */
  opening: { rows: number; bytes: number };
}

/** A few seconds' worth. */
const LIMITS: Limits = {
  small: { rows: 8192, bytes: 4 * 1024 ** 2 },
  opening: { rows: 1024, bytes: 512 * 1024 },
};
const TOLD_EVERY_MS = 1000;
const TOLD_EVERY_ROWS = 1000;
const SLICE_MS = 50;

/** What is wrong with a row is said with its file and number. */
export async function prepareTraining(request: TrainRequest, how: PrepareOptions = {}): Promise<Prepared> {
  const { modelFolder, modelName, folder, signal, pause, attempt, onHeldUp } = request;
  const { trainOn, tooLong = 'truncate' } = request;
  const { limits = LIMITS, onPreparing = () => {} } = how;
  const [model, text] = [await openModel(modelFolder), await openText(modelFolder)];
  const options = { ...TRAIN_DEFAULTS, ...request.options };
  const maxLength = Math.min(options.maxLength, model.config.maxPositions);
  const coding: EncodingOptions = { trainOn, tooLong, maxLength, vocabulary: model.config.vocabulary };
  const tell = createThrottle(onPreparing);
  const sources = { ...request, snapshotFolder: folder, seed: options.seed };
  const rows = await openRows(sources, text, coding, found => tell(toPreparing(found, null)));
  try {
    const sweep = new RowSweep(rows.swept, maxLength);
    const isSmall = fits(rows.tables, limits.small);
    const upTo = isSmall ? sweep.totalRows : countOpening(rows.tables[0]!, limits.opening);
    await readOpening(sweep, upTo, tell, signal);
    const { training, evaluation } = isSmall && sweep.longRows ? dropGaps(rows, sweep) : rows;
    const settings = [rows.tables.map(({ digest }) => digest), coding, request.evaluationFraction ?? 0];
    const reader = isSmall
      ? null
      : createBackgroundReader(sweep, sampleRows(training, limits.opening), sha256(settings));
    return {
      job: {
        model,
        baseModel: modelName,
        examples: training,
        evaluation,
        reader,
        tooLong: sweep.longRows,
        options: { ...options, maxLength },
        folder,
        signal,
        pause,
        attempt,
        onHeldUp,
      },
      dataset: rows.name,
      close: rows.close,
    };
  } catch (error) {
    rows.close();
    throw error;
  }
}

function fits(tables: readonly RowTable[], most: Limits['small']): boolean {
  if (tables.reduce((sum, { length }) => sum + length, 0) > most.rows) return false;
  let bytes = 0;
  for (const table of tables) for (let row = 0; row < table.length; row++) bytes += table.bytesOf(row);
  return bytes <= most.bytes;
}

/** How many rows come to so many bytes, one at least. */
function countOpening(table: RowTable, most: Limits['opening']): number {
  let [rows, bytes] = [0, 0];
  while (rows < Math.min(most.rows, table.length) && bytes < most.bytes) bytes += table.bytesOf(rows++);
  return rows;
}

/** Reads the first rows, or all. */
async function readOpening(
  sweep: RowSweep,
  upTo: number,
  tell: Tell,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isOver = () => sweep.isComplete || sweep.rows >= upTo;
  while (!isOver()) {
    const until = performance.now() + SLICE_MS;
    do sweep.next();
    while (!isOver() && performance.now() < until);
    tell(describeSweep(sweep));
    await setImmediate();
    signal?.throwIfAborted();
  }
}

/** Without the rows that were left out, which all are known. */
function dropGaps({ training, evaluation }: OpenRows, { totalRows, longRows }: RowSweep) {
  if (longRows?.skipped === totalRows) {
    const { maxLength } = longRows;
    throw new Error(
      `All ${totalRows} rows are left out, since they are longer than ${maxLength} tokens. ` +
        'Raise maxLength, or shorten the rows.',
    );
  }
  return { training: training.withoutGaps(), evaluation: evaluation.withoutGaps() };
}

type Tell = (event: Preparing) => void;

/** Tells of rows only now and then, and never of a few. */
function createThrottle(onPreparing: (event: Preparing) => void): Tell {
  let told = { rows: 0, at: performance.now() };
  return event => {
    const { rows } = event;
    if (Math.abs(rows - told.rows) < TOLD_EVERY_ROWS || performance.now() - told.at < TOLD_EVERY_MS) return;
    onPreparing(event);
    told = { rows, at: performance.now() };
  };
}

function toPreparing(rows: number, totalRows: number | null): Preparing {
  return { type: 'preparing', rows, totalRows };
}

function sha256(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}
