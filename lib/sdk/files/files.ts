// The files that svc keeps for a user and in a project: where they are, and how they are read and written.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ApiError, type ErrorCode, findFault, type Schema, type Shape } from '../../contract/index.js';
import { replaceFile as replace } from '../../system/index.js';
import { toNotWritable } from './not-writable.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** `SVC_HOME`, or `.svc` in the home folder. */
export function findHome({ SVC_HOME }: Env): string {
  return SVC_HOME ? resolve(SVC_HOME) : join(homedir(), '.svc');
}

/**
 * Creates a folder, and leaves an existing one alone. `elsewhere`: the alternative to suggest if it cannot be created.
 */
export function makeFolder(
  folder: string,
  { mode, elsewhere }: { mode?: number; elsewhere?: string | undefined } = {},
): void {
  try {
    make(folder, mode);
  } catch (error) {
    throw toNotWritable(error, folder, elsewhere);
  }
}

/**
 * One folder at a time: Node's recursive mkdir never returns if the system reports an existing folder as missing, as it
 * does in /proc.
 */
function make(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !existsSync(dirname(folder))) {
      make(dirname(folder), mode);
      make(folder, mode);
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Writes a small file atomically, in a folder that is made if needed. */
export async function replaceFile(path: string, content: string, mode?: number): Promise<void> {
  makeFolder(dirname(path), { mode: 0o700 });
  await replace(path, content, mode).catch(error => {
    throw toNotWritable(error, path);
  });
}

/**
 * A JSON file, checked against a schema; null if there is none. A file that is unreadable or does not match throws an
 * error with `code`, and is never changed.
 */
export async function readJsonFile<S extends Schema>(
  path: string,
  schema: S,
  code: ErrorCode,
): Promise<Shape<S> | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw invalid(code, path, `cannot be read (${error.code})`);
  });
  if (text === null) return null;
  const value = parse(text);
  if (value === undefined) throw invalid(code, path, 'is not valid JSON');
  const fault = findFault(schema, value, 'It');
  if (fault) throw invalid(code, path, `has the wrong format. ${fault.replace(/\.$/, '')}`);
  return value as Shape<S>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function invalid(code: ErrorCode, path: string, what: string): ApiError {
  return new ApiError(code, `${path} ${what}. Fix the file or move it away.`);
}
