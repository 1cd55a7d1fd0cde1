// Makes the files of tokens of a run, for trainers on other machines: the rows as training here would see them.
import { join } from 'node:path';
import { openModel } from '../../model/index.js';
import { TRAIN_DEFAULTS, type TrainOptions } from '../options.js';
import { limitLength, type PrepareOptions, prepareRows, type RowRequest } from '../prepare-rows.js';
import type { TokenFiles } from './open-tokens.js';
import { writeTokenFile } from './token-file.js';

/** How much of a data set is read before others get a turn. */
const SLICE_MS = 1000;

export interface TokenRequest extends RowRequest {
  options: Partial<TrainOptions>;
  /** Where to write the files. */
  target: string;
}

/** Reads all rows. Errors about a row name its file and number. */
export async function writeTokens(
  { target, ...request }: TokenRequest,
  prepareOptions: PrepareOptions = {},
): Promise<TokenFiles> {
  const { signal } = request;
  const model = await openModel(request.modelFolder);
  const { maxLength, seed } = { ...TRAIN_DEFAULTS, ...request.options };
  const encoding = { maxLength: limitLength(model, maxLength), seed };
  const rows = await prepareRows(request, model, encoding, prepareOptions);
  try {
    const { training, evaluation, reader, name, data, sample } = rows;
    while (reader?.isComplete === false) await reader.advance(SLICE_MS, signal);
    const trainingPath = join(target, 'training.safetensors');
    const evaluationPath = evaluation.length === 0 ? null : join(target, 'evaluation.safetensors');
    await writeTokenFile(trainingPath, training);
    if (evaluationPath) await writeTokenFile(evaluationPath, evaluation);
    signal?.throwIfAborted();
    const { tooLong, trainTokens } = rows;
    const all = data.reduce((sum, table) => sum + table.rows, 0);
    const reading = reader && { digest: reader.digest, sample, rows: all, trainTokens: trainTokens! };
    return { name, data, tooLong, reading, trainingPath, evaluationPath };
  } finally {
    rows.close();
  }
}
