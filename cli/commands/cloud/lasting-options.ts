// The options of `svc cloud start` that a cloud remembers: every later start, manual or automatic, uses them
// again. They are stored in `options.json` in its data folder.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isLocalModel, isModelId, parseModelFile } from '../../../lib/engine/index.js';
import { replaceFile } from '../../../lib/sdk/index.js';
import { CommandError, type OptionValues } from '../../command.js';
import { startOptions } from './start-options.js';

export type LastingOptions = Readonly<Record<string, string | true>>;

/** Options for a single start or its output, which are not remembered. */
const PASSING: ReadonlySet<string> = new Set(['data', 'foreground', 'json', 'help', 'reset']);
const PATHS: ReadonlySet<string> = new Set(['tls-cert', 'tls-key', 'ray-token-file', 'vllm-token-file']);
/** Setting one of a pair removes the other. */
const OPPOSITES: Readonly<Record<string, string>> = {
  anonymous: 'no-anonymous',
  'no-anonymous': 'anonymous',
  'store-for': 'no-store',
  'no-store': 'store-for',
};

/** A local folder or file with that name takes precedence over a Hub model, and over one of another program. */
function isPath(model: string, cwd: string): boolean {
  const isName = isModelId(model) || parseModelFile(model) !== undefined || isLocalModel(model);
  return !isName || existsSync(resolve(cwd, model));
}

/** The typed options, with paths made absolute. */
export function toLasting(values: OptionValues, cwd: string): LastingOptions {
  const lasting = Object.entries(values).flatMap(([name, value]): [string, string | true][] => {
    if (PASSING.has(name)) return [];
    if (typeof value !== 'string') return value === true ? [[name, true]] : [];
    const isFile = PATHS.has(name) || (name === 'base-model' && isPath(value, cwd));
    return [[name, isFile ? resolve(cwd, value) : value]];
  });
  return Object.fromEntries(lasting);
}

/** Merges newly typed options into the remembered ones. */
export function changeOptions(former: LastingOptions, typed: LastingOptions): LastingOptions {
  const isTakenBack = (name: string) => OPPOSITES[name] !== undefined && OPPOSITES[name]! in typed;
  const stays = Object.entries(former).filter(([name]) => !isTakenBack(name));
  return { ...Object.fromEntries(stays), ...typed };
}

export function isSameOptions(one: LastingOptions, other: LastingOptions): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(name => one[name] === other[name]);
}

/** The options as command-line arguments. */
export function toWords(options: LastingOptions): string[] {
  return Object.entries(options).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${value}`,
  );
}

/** Null when the content does not match the command's option table. @internal */
export function parseLasting(content: unknown): LastingOptions | null {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return null;
  const isAllowed = ([name, value]: [string, unknown]) => {
    const type =
      PASSING.has(name) || !Object.hasOwn(startOptions, name) ? undefined : startOptions[name]!.type;
    return type === 'boolean' ? value === true : type === 'string' && typeof value === 'string';
  };
  return Object.entries(content).every(isAllowed) ? (content as LastingOptions) : null;
}

const pathIn = (folder: string) => join(folder, 'options.json');

/**
 * Empty for a cloud that was started without options. An unreadable file is an error, because it may require
 * users to have an account. `data`: what commands need to be about this folder, if it is not the usual one.
 */
export async function readOptions(folder: string, data = ''): Promise<LastingOptions> {
  const path = pathIn(folder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}';
    throw unreadable(path, `cannot be read (${error.code})`, data);
  });
  const found = parseLasting(parse(text));
  if (found) return found;
  throw unreadable(path, 'does not contain valid options for "svc cloud start"', data);
}

export async function writeOptions(folder: string, options: LastingOptions): Promise<void> {
  await replaceFile(pathIn(folder), `${JSON.stringify(options, null, 2)}\n`, 0o600);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function unreadable(path: string, what: string, data: string): CommandError {
  return new CommandError(`${path} ${what}. Fix it, or start over with "svc cloud start${data} --reset".`);
}
