// Opens a base model folder: checks that it is complete and determines its name on the wire.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { listTargetModules, parseModelConfig, REQUIRED_FILES, staysInFolder } from '../../engine/index.js';
import { CloudError } from '../cloud-error.js';
import type { CloudDeps } from '../deps.js';

const modelError = (message: string, cause?: unknown) => new CloudError('base_model', message, { cause });

const INDEX = 'model.safetensors.index.json';
/** One file of each group is enough. */
const NEEDED = [...REQUIRED_FILES.map(name => [name]), ['model.safetensors', INDEX]];

/** Files to read; pipes and devices are rejected, since opening them may never return. */
const READ =
  /^(?:(?:config|tokenizer|tokenizer_config|generation_config|model\.safetensors\.index)\.json|chat_template\.jinja|.*\.safetensors)$/;

/** Uses the folder's name unless the config has one. */
export function openBaseModel(path: string, name?: string): CloudDeps['baseModel'] {
  const folder = resolve(path);
  if (!existsSync(folder)) throw modelError(`There is no base model in ${folder}.`);
  const missing = NEEDED.filter(names => !names.some(file => existsSync(join(folder, file))));
  if (missing.length > 0)
    throw modelError(
      findUnsupported(folder) ??
        `The base model in ${folder} is missing ${missing.map(([name]) => name).join(', ')}.`,
    );
  const odd = readdirSync(folder).find(
    file => READ.test(file) && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === false,
  );
  if (odd !== undefined) throw modelError(`${odd} of the base model in ${folder} is not a file.`);
  const { ownName, targetModules } = readConfig(folder);
  return {
    folder,
    name: name ?? ownName ?? basename(folder),
    digest: digestBaseModel(folder),
    ...(targetModules && { targetModules }),
  };
}

/** Why it could not be used with all of its files either, or null. */
function findUnsupported(folder: string): string | null {
  const file = join(folder, 'config.json');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return null;
  const content = parse(readFileSync(file, 'utf8'));
  if (content === undefined) return null;
  try {
    parseModelConfig(content, file);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readConfig(folder: string) {
  const file = join(folder, 'config.json');
  try {
    const config = JSON.parse(readFileSync(file, 'utf8'));
    return { ownName: toName(config._name_or_path), targetModules: findTargetModules(config, file) };
  } catch (cause) {
    throw modelError(`The config.json in ${folder} is not valid JSON.`, cause);
  }
}

/** Configs may also contain paths of the machine that wrote them, which are not names. */
function toName(written: unknown): string | null {
  const isName = typeof written === 'string' && /^[\w][\w.-]*(?:\/[\w][\w.-]*)?$/.test(written);
  return isName ? written : null;
}

/** A config that is not supported is rejected by name when the model is opened. */
function findTargetModules(config: unknown, file: string): CloudDeps['baseModel']['targetModules'] {
  try {
    return listTargetModules(config, file);
  } catch {
    return undefined;
  }
}

const WHOLE = /^(?:config|tokenizer)\.json$/;
const WEIGHTS = /^model(?:-\d+-of-\d+)?\.safetensors$/;

const HEAD_BYTES = 1024 ** 2;
const PLACES = 256;
const PLACE_BYTES = 4096;

/**
 * Distinguishes base models of the same name without reading gigabytes: digests small files completely, and the size, header
 * and samples of weights. Changes whenever the model is retrained, or its shape or tokenizer changes.
 */
function digestBaseModel(folder: string): string {
  const hash = createHash('sha256');
  const listed = listShards(folder);
  for (const name of [...new Set([...readdirSync(folder), ...listed])].sort()) {
    const path = join(folder, name);
    if (WHOLE.test(name)) hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
    else if (WEIGHTS.test(name) || listed.has(name)) addWeights(hash.update(`${name}\0`), path);
  }
  return hash.digest('hex');
}

/** The files of weights that an index names, whatever they are called. Those that are missing are reported when they are opened. */
function listShards(folder: string): Set<string> {
  const index = join(folder, INDEX);
  if (!existsSync(index)) return new Set();
  const { weight_map: files } = Object(parse(readFileSync(index, 'utf8')));
  const names = new Set(Object.values(Object(files)).filter(staysInFolder));
  return new Set([...names].filter(name => isFile(join(folder, name))));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function addWeights(hash: Hash, path: string): void {
  const { size } = statSync(path);
  hash.update(`${size}\0`);
  const file = openSync(path, 'r');
  try {
    const add = (at: number, bytes: number) => {
      const place = Buffer.alloc(bytes);
      hash.update(place.subarray(0, readSync(file, place, 0, bytes, at)));
    };
    add(0, HEAD_BYTES);
    for (let i = 1; i <= PLACES; i++) {
      add(Math.max(0, Math.floor((size * i) / PLACES) - PLACE_BYTES), PLACE_BYTES);
    }
  } finally {
    closeSync(file);
  }
}
