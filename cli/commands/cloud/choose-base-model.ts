// Chooses the base model to start a cloud with: the one that ships with the package, a folder, or a Hub model, which is
// downloaded into the data folder first.
import { isAbsolute, join } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { openBaseModel, type ServeOptions } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { downloadModel, openModel, parseModelConfig } from '../../../lib/engine/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import type { Io } from '../../command.js';
import { printLine } from '../../print.js';
import type { LastingOptions } from './lasting-options.js';

export async function chooseBaseModel(
  options: LastingOptions,
  folder: string,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<ServeOptions['baseModel']> {
  const wanted = options['base-model'];
  if (typeof wanted !== 'string' || wanted === BASE_MODEL_NAME)
    return openBaseModel(baseModelFolder(), BASE_MODEL_NAME);
  if (isFolder(wanted)) return openUsable(wanted);
  const place = join(folder, 'models', wanted.replace('/', '--'));
  await withFileLock(`${place}.lock`, () =>
    downloadModel({
      id: wanted,
      folder: place,
      hubUrl: env.HF_ENDPOINT || undefined,
      hubToken: env.HF_TOKEN,
      checkConfig: parseModelConfig,
      onFile: (path, bytes) =>
        printLine(stderr, `Downloading ${wanted}: ${path}, ${formatBytes(bytes)}`, env),
    }),
  );
  return openUsable(place, wanted);
}

/**
 * Rejects a model that the engine cannot run on this machine, so that the start fails instead of every chat.
 */
async function openUsable(folder: string, name?: string): Promise<ServeOptions['baseModel']> {
  const model = openBaseModel(folder, name);
  await openModel(folder);
  return model;
}

/** Folders are saved as absolute paths. */
export function isFolder(wanted: LastingOptions[string] | undefined): boolean {
  return typeof wanted === 'string' && isAbsolute(wanted);
}
