// Reads the JSON files that svc keeps for a user and in a project.
import { readFile } from 'node:fs/promises';
import { ApiError, type ErrorCode, findFault, type Schema, type Shape } from '../../contract/index.js';

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
  const value = parseJson(text);
  if (value === undefined) throw invalid(code, path, 'is not valid JSON');
  const fault = findFault(schema, value, 'It');
  if (fault) throw invalid(code, path, `has the wrong format. ${fault.replace(/\.$/, '')}`);
  return value as Shape<S>;
}

/** Undefined if it is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    // Some editors and shells on Windows begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

function invalid(code: ErrorCode, path: string, what: string): ApiError {
  return new ApiError(code, `${path} ${what}. Fix the file or move it away.`);
}
