// A base model in a folder: whether it is complete, and what it is called on the wire.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { CloudDeps } from '../deps.js';
import { digestBaseModel } from './base-digest.js';

/** The folder is not there, or lacks a file; the message says which. */
export class BaseModelError extends Error {
  override readonly name = 'BaseModelError';
}

/** Any one of each row is enough. */
const NEEDED = [
  ['config.json'],
  ['tokenizer.json'],
  ['tokenizer_config.json'],
  ['model.safetensors', 'model.safetensors.index.json'],
] as const;

/** Called by its folder, unless its config has a name. */
export function openBaseModel(path: string, name?: string): CloudDeps['baseModel'] {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new BaseModelError(`There is no base model in ${folder}.`);
  const missing = NEEDED.filter(names => !names.some(file => existsSync(join(folder, file))));
  if (missing.length > 0)
    throw new BaseModelError(
      `The base model in ${folder} is missing ${missing.map(([name]) => name).join(', ')}.`,
    );
  return { folder, name: name ?? readName(folder) ?? basename(folder), digest: digestBaseModel(folder) };
}

/** Configs also carry the paths of the machines that they were written on: those are no names. */
function readName(folder: string): string | null {
  try {
    const { _name_or_path: name } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    return typeof name === 'string' && /^[\w][\w.-]*(?:\/[\w][\w.-]*)?$/.test(name) ? name : null;
  } catch (cause) {
    throw new BaseModelError(`The config.json in ${folder} is not valid JSON.`, { cause });
  }
}
