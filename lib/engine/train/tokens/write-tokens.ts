// Makes the files of a run for trainers on other machines: the rows as tokens, as training here would see them, and the
// adapter that it starts with.
import { join } from 'node:path';
import { type ModelSource, openModel } from '../../model/index.js';
import { writeAdapter } from '../../weights/index.js';
import { initializeLora } from '../initialize.js';
import { createAdapterState, toPairs } from '../lora-state.js';
import { TRAIN_DEFAULTS, type TrainOptions } from '../options.js';
import { limitLength, type PrepareOptions, prepareRows, type RowRequest } from '../prepare-rows.js';
import { runFingerprint } from '../run-fingerprint.js';
import type { TokenFiles } from './open-tokens.js';
import { writeTokenFile } from './token-file.js';

/** How much of a data set is read before others get a turn. */
const SLICE_MS = 1000;

export interface TokenRequest extends RowRequest {
  options: Partial<TrainOptions>;
  /** Where to write the files. */
  target: string;
}

export interface WrittenTokens extends TokenFiles {
  /** The adapter of step 0, in PEFT's layout. */
  initialFolder: string;
}

/** Reads all rows. Errors about a row name its file and number. */
export async function writeTokens(
  { target, ...request }: TokenRequest,
  prepareOptions: PrepareOptions = {},
): Promise<WrittenTokens> {
  const { signal } = request;
  const model = await openModel(request.modelFolder);
  const given = { ...TRAIN_DEFAULTS, ...request.options };
  const options = { ...given, maxLength: limitLength(model, given.maxLength) };
  const rows = await prepareRows(request, model, options, prepareOptions);
  try {
    const { training, evaluation, reader, name, data, sample } = rows;
    while (reader?.isComplete === false) await reader.advance(SLICE_MS, signal);
    const trainingPath = join(target, 'training.safetensors');
    const evaluationPath = evaluation.length === 0 ? null : join(target, 'evaluation.safetensors');
    await writeTokenFile(trainingPath, training);
    if (evaluationPath) await writeTokenFile(evaluationPath, evaluation);
    const initialFolder = await writeInitialAdapter(join(target, 'initial'), model, options);
    signal?.throwIfAborted();
    const { tooLong, trainTokens } = rows;
    const all = data.reduce((sum, table) => sum + table.rows, 0);
    const reading = reader && { digest: reader.digest, sample, rows: all, trainTokens: trainTokens! };
    const fingerprint = runFingerprint({ options, model, examples: training, evaluation, reader }, 'f32');
    return { name, data, tooLong, fingerprint, reading, trainingPath, evaluationPath, initialFolder };
  } finally {
    rows.close();
  }
}

/** The name of the base model is the cloud's to give. */
async function writeInitialAdapter(
  folder: string,
  model: Pick<ModelSource, 'config'>,
  { rank, alpha, dropout, modules, seed }: TrainOptions,
): Promise<string> {
  const state = createAdapterState(model, { rank, scaling: alpha / rank, modules });
  initializeLora(state, seed);
  await writeAdapter(folder, { config: { rank, alpha, dropout, baseModel: null }, tensors: toPairs(state) });
  return folder;
}
