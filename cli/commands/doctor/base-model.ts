// The base model that the next start of the local cloud uses: what it is, and whether it is still there.
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { BASE_MODEL_NAME } from '../../../lib/base-model/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { describeModel, findLocalModel, isLocalModel } from '../../../lib/engine/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import type { Io } from '../../command.js';
import { readOptions } from '../cloud/lasting-options.js';
import { placesOf } from '../cloud/model-places.js';
import { type Check, outcomesOf } from './check.js';

const { ok, problem } = outcomesOf('base-model');

export async function checkBaseModel(home: string, env: Io['env']): Promise<Check> {
  try {
    const { 'base-model': wanted = BASE_MODEL_NAME } = await readOptions(cloudFolder(home));
    return ok(await describe(String(wanted), env));
  } catch (error) {
    return problem((error as Error).message, 'Choose another one with "svc cloud start --base-model".');
  }
}

async function describe(wanted: string, env: Io['env']): Promise<string> {
  if (wanted === BASE_MODEL_NAME) return `${wanted} (ships with svc)`;
  const path = isLocalModel(wanted) ? await findLocalModel(wanted, placesOf({ env })) : wanted;
  if (!isAbsolute(path)) return `${wanted} (Hugging Face Hub)`;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no base model in ${path}.`);
  const { architecture, weightFormat, bytes, problem } = await describeModel({ path });
  if (problem !== null) throw new Error(`${wanted}: ${problem}`);
  const kind = found.isDirectory() ? 'folder' : 'GGUF file';
  return `${wanted} (${kind}: ${architecture}, ${weightFormat}, ${formatBytes(bytes)})`;
}
