// From what a run is asked for to what the trainer takes: the model's folder, its tokenizer, and rows as examples.
import { openModel } from '../model/index.js';
import { type EncodedRow, type ModelText, openText, RowError } from '../text/index.js';
import type { CourseControl } from './course.js';
import { type DataSource, type Dataset, openDataset, splitEvaluation } from './data/index.js';
import { TRAIN_DEFAULTS, type TrainOptions } from './options.js';
import type { TrainJob } from './trainer.js';

export interface TrainRequest extends CourseControl {
  /** The base model's folder, in Hugging Face's layout. */
  modelFolder: string;
  /** Its name, for the adapter's config. */
  modelName: string;
  source: DataSource;
  /** Rows to evaluate on: of their own, or a part of the others. */
  evaluationSource?: DataSource | undefined;
  evaluationFraction?: number | undefined;
  /** `assistant` for what the assistant says alone. */
  trainOn: 'assistant' | 'all';
  options: Partial<TrainOptions>;
  /** Where checkpoints and the adapter go. */
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
  rows: number;
  /** Rows that were cut at `maxLength`. */
  truncated: number;
  /** The longest row, in tokens. */
  longest: number;
}

/** Reads and checks everything that a run needs. What is wrong with a row is said with its file and number. */
export async function prepareTraining(request: TrainRequest): Promise<Prepared> {
  const { modelFolder, modelName, source, evaluationSource, evaluationFraction, folder } = request;
  const { signal, pause, attempt, onHeldUp } = request;
  const [model, text] = [await openModel(modelFolder), await openText(modelFolder)];
  const options = { ...TRAIN_DEFAULTS, ...request.options };
  const maxLength = Math.min(options.maxLength, model.config.maxPositions);
  const encoding = { ...request, maxLength, vocabulary: model.config.vocabulary };
  const reading = { ...request, memoryFolder: folder };
  const dataset = await openDataset(source, reading);
  const rows = await encodeAll(dataset, text, encoding);
  const heldOut = evaluationSource
    ? await encodeAll(await openDataset(evaluationSource, reading), text, encoding)
    : [];
  const { examples, evaluation } = evaluationSource
    ? { examples: rows, evaluation: heldOut }
    : holdOut(rows, evaluationFraction ?? 0, options.seed);
  return {
    job: {
      model,
      baseModel: modelName,
      examples,
      evaluation,
      options: { ...options, maxLength },
      folder,
      signal,
      pause,
      attempt,
      onHeldUp,
    },
    dataset: dataset.fileName,
    rows: rows.length,
    truncated: rows.filter(({ truncated }) => truncated).length,
    longest: rows.reduce((most, { ids }) => Math.max(most, ids.length), 0),
  };
}

interface EncodeOptions {
  trainOn: 'assistant' | 'all';
  maxLength: number;
  vocabulary: number;
  signal?: AbortSignal | undefined;
}

async function encodeAll(dataset: Dataset, text: ModelText, options: EncodeOptions): Promise<EncodedRow[]> {
  const { trainOn, maxLength, vocabulary, signal } = options;
  const examples: EncodedRow[] = [];
  for await (const { row, file, number } of dataset.rows()) {
    signal?.throwIfAborted();
    const example = text.encodeRow(row, { trainOn, maxLength, file, row: number });
    const stranger = example.ids.find(id => id >= vocabulary);
    if (stranger !== undefined) {
      throw new RowError(
        file,
        number,
        `its token ${stranger} is not in the model's vocabulary of ${vocabulary}`,
      );
    }
    examples.push(example);
  }
  return examples;
}

function holdOut(rows: readonly EncodedRow[], fraction: number, seed: number) {
  if (fraction === 0) return { examples: rows, evaluation: [] };
  const held = new Set(splitEvaluation(rows.length, fraction, seed));
  return {
    examples: rows.filter((_, i) => !held.has(i)),
    evaluation: rows.filter((_, i) => held.has(i)),
  };
}
