// Opens a base model folder: checks that it is complete and determines its name on the wire.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { CloudDeps } from '../deps.js';
import { digestBaseModel } from './base-digest.js';

/** The folder or one of its files is missing. The message says which. @internal */
export class BaseModelError extends Error {
  override readonly name = 'BaseModelError';
}

/** One file of each row is enough. */
const NEEDED = [
  ['config.json'],
  ['tokenizer.json'],
  ['tokenizer_config.json'],
  ['model.safetensors', 'model.safetensors.index.json'],
] as const;

/** The files that are read, of which opening pipes and devices may never return. */
const READ =
  /^(?:(?:config|tokenizer|tokenizer_config|generation_config|model\.safetensors\.index)\.json|chat_template\.jinja|.*\.safetensors)$/;

/** Uses the folder's name unless the config has one. */
export function openBaseModel(path: string, name?: string): CloudDeps['baseModel'] {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new BaseModelError(`There is no base model in ${folder}.`);
  const missing = NEEDED.filter(names => !names.some(file => existsSync(join(folder, file))));
  if (missing.length > 0)
    throw new BaseModelError(
      `The base model in ${folder} is missing ${missing.map(([name]) => name).join(', ')}.`,
    );
  const odd = readdirSync(folder).find(
    file => READ.test(file) && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === false,
  );
  if (odd !== undefined) throw new BaseModelError(`${odd} of the base model in ${folder} is not a file.`);
  return { folder, name: name ?? readName(folder) ?? basename(folder), digest: digestBaseModel(folder) };
}

/** Configs may also contain paths of the machine they were written on, which are not names. */
function readName(folder: string): string | null {
  try {
    const { _name_or_path: name } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    return typeof name === 'string' && /^[\w][\w.-]*(?:\/[\w][\w.-]*)?$/.test(name) ? name : null;
  } catch (cause) {
    throw new BaseModelError(`The config.json in ${folder} is not valid JSON.`, { cause });
  }
}
