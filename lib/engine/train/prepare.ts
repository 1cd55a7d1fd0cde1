// From a request to a job for the trainer: opens the model and the rows, from data sets or from files of tokens.
import { openModel } from '../model/index.js';
import { openText } from '../text/index.js';
import { completeOptions, type RequestedOptions, type StartingPoint } from './options.js';
import { type PreparedRows, type PrepareOptions, prepareRows, type RowRequest } from './prepare-rows.js';
import { openTokens, type TokenFiles } from './tokens.js';
import type { TrainJob } from './trainer.js';
import type { RunControl } from './training-loop.js';

interface RunRequest extends RunControl {
  /** The base model's folder, in Hugging Face layout. */
  modelFolder: string;
  /** Its name, for the adapter's config. */
  modelName: string;
  options: RequestedOptions;
  /** The adapter that the run goes on from. */
  from?: StartingPoint | undefined;
  /** For checkpoints, the adapter and the run's temporary files. */
  folder: string;
  /** Keeps rounded weights; by default, they stay with the run. */
  roundedFolder?: string | undefined;
}

export interface TrainRequest extends RunRequest, Omit<RowRequest, 'signal'> {}

/** A run whose rows another machine has read and encoded. Its losses are the same. */
export interface TokenTrainRequest extends RunRequest {
  tokens: TokenFiles;
}

interface Prepared extends Pick<PreparedRows, 'data' | 'replayed' | 'close'> {
  job: TrainJob;
  /** A short name of the data set. */
  dataset: string;
}

/** Errors about a row name its file and number. */
export async function prepareTraining(
  request: TrainRequest | TokenTrainRequest,
  prepareOptions: PrepareOptions = {},
): Promise<Prepared> {
  const { modelFolder, modelName, folder, roundedFolder, from, signal, pause, attempt, onHeldUp, score } =
    request;
  const model = await openModel(modelFolder);
  const options = completeOptions(model, request.options);
  const rows =
    'tokens' in request
      ? openTokens(request.tokens)
      : await prepareRows(request, model, options, prepareOptions);
  const { training: examples, evaluation, reader, tooLong, name, data, replayed = [], close } = rows;
  const run = { folder, roundedFolder, from, signal, pause, attempt, onHeldUp, score };
  // A machine that gets rows as tokens knows them by their places; their rewards come from where the rows are.
  const rowAt = 'rowAt' in rows ? rows.rowAt : () => ({});
  return {
    job: {
      ...{ model, baseModel: modelName, examples, evaluation, reader, tooLong, options, ...run },
      dataRows: data[0]!.rows,
      ...(options.method?.type === 'grpo' && { prompts: { text: await openText(modelFolder), rowAt } }),
    },
    dataset: name,
    data,
    replayed,
    close,
  };
}
