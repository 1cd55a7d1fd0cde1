// Downloads a model or a GGUF file of the Hugging Face Hub into the folder of models. Whoever wants the same one waits.
import { join } from 'node:path';
import { downloadModel, downloadModelFile, parseModelConfig } from '../../../lib/engine/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import type { Io } from '../../command.js';
import { lockOf, placeOfFiles, placeOfModel } from './model-places.js';

export interface HubName {
  id: string;
  /** A GGUF file. */
  file?: string | undefined;
}

type Observed = Pick<Parameters<typeof downloadModel>[0], 'onFile' | 'onProgress' | 'signal'> & {
  /** Called when no one else downloads it anymore. */
  onStart?: () => void;
};

/** Where it is then. Sends no request if it is there already. */
export async function downloadInto(
  models: string,
  { id, file }: HubName,
  env: Io['env'],
  { onStart, signal, ...observed }: Observed,
): Promise<string> {
  const folder = file === undefined ? placeOfModel(models, id) : placeOfFiles(models, id);
  const access = { hubUrl: env.HF_ENDPOINT || undefined, hubToken: env.HF_TOKEN };
  const source = { id, folder, signal, ...observed, ...access };
  await withFileLock(lockOf(folder), async () => {
    signal?.throwIfAborted();
    onStart?.();
    if (file !== undefined) return downloadModelFile({ ...source, file });
    return downloadModel({ ...source, checkConfig: parseModelConfig });
  });
  return file === undefined ? folder : join(folder, file);
}
