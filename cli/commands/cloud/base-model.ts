// Which base model a cloud is started with: the one that comes with the package, a folder, or one of the Hub, which is
// downloaded into the data folder first.
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { openBaseModel, type ServeOptions } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { downloadModel, isModelId, openModel, parseModelConfig } from '../../../lib/engine/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import type { Io } from '../../command.js';
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
      token: env.HF_TOKEN,
      checkConfig: parseModelConfig,
      onFile: (path, bytes) => stderr.write(`Downloading ${wanted}: ${path}, ${formatBytes(bytes)}\n`),
    }),
  );
  return openUsable(place, wanted);
}

/** What the engine cannot run is refused here, rather than at each chat. */
async function openUsable(folder: string, name?: string): Promise<ServeOptions['baseModel']> {
  const model = openBaseModel(folder, name);
  await openModel(folder);
  return model;
}

/** As it is kept among the options. */
export function isFolder(wanted: LastingOptions[string] | undefined): boolean {
  return typeof wanted === 'string' && isAbsolute(wanted);
}

/** A folder of that name goes before a model of the Hub. */
export function isOnHub(wanted: string, cwd: string): boolean {
  return isModelId(wanted) && !existsSync(resolve(cwd, wanted));
}
