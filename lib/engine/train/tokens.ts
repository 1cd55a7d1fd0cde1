// A run's rows as token files, which one machine prepares for trainers on other machines. To the training code, they look
// the same as rows that it reads itself.
import { join } from 'node:path';
import { type ModelSource, openModel } from '../model/index.js';
import { openText } from '../text/index.js';
import { writeAdapter } from '../weights/index.js';
import { runFingerprint } from './checkpoint.js';
import { completeOptions, type RequestedOptions, type StartingPoint, type TrainOptions } from './options.js';
import type { ExampleSet } from './packing.js';
import { type PrepareOptions, prepareRows, type RowRequest } from './prepare-rows.js';
import { type AnswerFacts, writePrompts } from './rewards/prompt-file.js';
import type { BackgroundReader, LongRows, Preparing } from './row-sweep.js';
import { createFirstAdapter, toAdapterConfig, toPairs } from './state.js';
import { openTokenFile, writeTokenFile } from './token-file.js';

/** Information about the rows besides the tokens. */
interface TokenFacts {
  /** A short name of the data set. */
  name: string;
  data: { digest: string; rows: number }[];
  /** Missing if there are no rows of earlier runs. */
  replayed?: { digest: string; rows: number }[];
  tooLong: LongRows | null;
  /** Identifies the run: an engine resumes only from checkpoints with the same one. */
  fingerprint: string;
  /** For a large data set, what a run that reads it while training starts with; null for a small one. */
  reading: { digest: string; sample: readonly number[]; rows: number; trainTokens: number } | null;
  /** For a run that learns from rewards for its answers. */
  answers?: AnswerFacts;
}

export interface TokenFiles extends TokenFacts {
  trainingPath: string;
  evaluationPath: string | null;
}

interface OpenTokens extends Pick<TokenFacts, 'name' | 'data' | 'replayed' | 'tooLong'> {
  training: ExampleSet;
  evaluation: ExampleSet;
  reader: BackgroundReader | null;
  close(): void;
}

export function openTokens({ trainingPath, evaluationPath, reading, ...facts }: TokenFiles): OpenTokens {
  const training = openTokenFile(trainingPath);
  try {
    const evaluation = evaluationPath === null ? null : openTokenFile(evaluationPath);
    return {
      ...facts,
      training,
      evaluation: evaluation ?? [],
      reader: reading && finishedReader(training, reading, facts.tooLong),
      close() {
        training.close();
        evaluation?.close();
      },
    };
  } catch (error) {
    training.close();
    throw error;
  }
}

/** All rows have already been read; only reports the findings. */
function finishedReader(
  training: ExampleSet,
  { digest, sample, rows, trainTokens }: NonNullable<TokenFacts['reading']>,
  tooLong: LongRows | null,
): BackgroundReader {
  let found: Preparing | null = {
    type: 'preparing',
    rows,
    totalRows: rows,
    ...(tooLong && { tooLong }),
    trainTokens,
  };
  return {
    sample: sample.flatMap(index => training.at(index) ?? []),
    digest,
    isComplete: true,
    advance: async () => {},
    takeProgress() {
      const told = found;
      found = null;
      return told;
    },
  };
}

/** How much of a data set is read before others get a turn. */
const SLICE_MS = 1000;

export interface TokenRequest extends RowRequest {
  options: RequestedOptions;
  from?: StartingPoint | undefined;
  /** Where to write the files. */
  target: string;
}

export interface WrittenTokens extends TokenFiles {
  /** The adapter of step 0, in PEFT's layout. */
  initialFolder: string;
}

/**
 * Makes the files of a run: the rows as tokens, as training here would see them, and the adapter that it starts with.
 * Reads all rows. Errors about a row name its file and number.
 */
export async function writeTokens(
  { target, ...request }: TokenRequest,
  prepareOptions: PrepareOptions = {},
): Promise<WrittenTokens> {
  const { signal, from } = request;
  const model = await openModel(request.modelFolder);
  const options = completeOptions(model, request.options);
  const rows = await prepareRows(request, model, options, prepareOptions);
  try {
    const { training, evaluation, reader, name, data, replayed, sample } = rows;
    while (reader?.isComplete === false) await reader.advance(SLICE_MS, signal);
    const trainingPath = join(target, 'training.safetensors');
    const evaluationPath = evaluation.length === 0 ? null : join(target, 'evaluation.safetensors');
    await writeTokenFile(trainingPath, training);
    if (evaluationPath) await writeTokenFile(evaluationPath, evaluation);
    const answers =
      options.method?.type === 'grpo'
        ? await writePrompts(target, rows, await openText(request.modelFolder))
        : undefined;
    const initialFolder = await writeInitialAdapter(join(target, 'initial'), model, options, from);
    signal?.throwIfAborted();
    const { tooLong, trainTokens } = rows;
    const all = [...data, ...replayed].reduce((sum, table) => sum + table.rows, 0);
    const reading = reader && { digest: reader.digest, sample, rows: all, trainTokens: trainTokens! };
    const fingerprint = runFingerprint(
      { options, model, examples: training, evaluation, reader, from },
      'f32',
    );
    return {
      ...{ name, data, tooLong, fingerprint, reading, trainingPath, evaluationPath, initialFolder },
      ...(replayed.length > 0 && { replayed }),
      ...(answers && { answers }),
    };
  } finally {
    rows.close();
  }
}

/** The cloud decides the base model's name. */
async function writeInitialAdapter(
  folder: string,
  model: Pick<ModelSource, 'config'>,
  options: TrainOptions,
  from: StartingPoint | undefined,
): Promise<string> {
  const state = await createFirstAdapter(model, options, from);
  await writeAdapter(folder, { config: toAdapterConfig(options, null), tensors: toPairs(state) });
  return folder;
}
