// A JSON file in a shape, or the error of the contract that leaves it as it is.
import { readFile } from 'node:fs/promises';
import { ApiError, type ErrorCode, findFault, type Schema, type Shape } from '../../contract/index.js';

/** Null when there is no such file. What is there but cannot be read, or has another shape, is an error of `code`. */
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
  if (fault) throw invalid(code, path, `does not have the shape that it should. ${fault.replace(/\.$/, '')}`);
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
  return new ApiError(code, `${path} ${what}. It was left as it is: repair it, or move it away.`);
}
