// Which base model a cloud is started with: the one that comes with the package, a folder, or one of the Hub, which is
// downloaded into the data folder first.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BASE_MODEL_NAME, baseModelFolder } from '../../../lib/base-model/index.js';
import { openBaseModel, type ServeOptions } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { downloadModel, isModelId } from '../../../lib/engine/index.js';
import { withFileLock } from '../../../lib/sdk/local-cloud/index.js';
import type { Input, Io } from '../../command.js';

export async function chooseBaseModel(
  { values }: Pick<Input, 'values'>,
  folder: string,
  { cwd, env, stderr }: Pick<Io, 'cwd' | 'env' | 'stderr'>,
): Promise<ServeOptions['baseModel']> {
  const wanted = values['base-model'];
  if (typeof wanted !== 'string') return openBaseModel(baseModelFolder(), BASE_MODEL_NAME);
  if (!isOnHub(wanted, cwd)) return openBaseModel(resolve(cwd, wanted));
  const place = join(folder, 'models', wanted.replace('/', '--'));
  await withFileLock(`${place}.lock`, () =>
    downloadModel({
      id: wanted,
      folder: place,
      hubUrl: env.HF_ENDPOINT || undefined,
      token: env.HF_TOKEN,
      onFile: (path, bytes) => stderr.write(`Downloading ${wanted}: ${path}, ${formatBytes(bytes)}\n`),
    }),
  );
  return openBaseModel(place, wanted);
}

/** A folder of that name goes before a model of the Hub. */
export function isOnHub(wanted: string, cwd: string): boolean {
  return isModelId(wanted) && !existsSync(resolve(cwd, wanted));
}
