// What the next start of the local cloud uses: its base model, whether that is still there, and the Python that trains, if any.
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { BASE_MODEL_NAME } from '../../../lib/base-model/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { describeTorch } from '../../../lib/contract/index.js';
import { describeModel, findLocalModel, isLocalModel } from '../../../lib/engine/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import type { Io } from '../../command.js';
import { type LastingOptions, readOptions } from '../cloud/lasting-options.js';
import { placesOf } from '../cloud/model-places.js';
import { TORCH_OFF } from '../cloud/settings.js';
import { type Check, outcomesOf } from './check.js';

const baseModel = outcomesOf('base-model');

export async function checkBaseModel(home: string, env: Io['env']): Promise<Check> {
  try {
    const { 'base-model': wanted = BASE_MODEL_NAME } = await readOptions(cloudFolder(home));
    return baseModel.ok(await describe(String(wanted), env));
  } catch (error) {
    return baseModel.problem(
      (error as Error).message,
      'Choose another one with "svc cloud start --base-model".',
    );
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

const python = outcomesOf('torch');

const TORCH_HINT = 'Choose another one with "svc cloud start --torch PYTHON", or none with "--torch off".';

export async function checkTorch(home: string): Promise<Check[]> {
  // The check of the base model reports a file that cannot be read.
  const { torch = TORCH_OFF } = await readOptions(cloudFolder(home)).catch((): LastingOptions => ({}));
  return torch === TORCH_OFF ? [] : [await checkPython(String(torch))];
}

async function checkPython(path: string): Promise<Check> {
  try {
    // Loaded lazily because it loads the database's native code, which may be broken here.
    const { probeTorch } = await import('../../../lib/cloud/index.js');
    const facts = await probeTorch(path);
    const text = describeTorch(facts);
    return facts.problem == null ? python.ok(text) : python.problem(text, TORCH_HINT);
  } catch (error) {
    return python.problem((error as Error).message, null);
  }
}
