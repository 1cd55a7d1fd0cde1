// Checks one of svc's JSON files. A corrupt file is reported, never replaced.
import { readFile } from 'node:fs/promises';
import { findFault, type Schema } from '../../../lib/contract/index.js';
import type { Check } from './check.js';

interface Wording {
  /** Shown when the file is missing, which is never a fault. */
  missing: string;
  hint: string;
}

export async function checkJsonFile(
  name: string,
  path: string,
  schema: Schema,
  { missing, hint }: Wording,
): Promise<Check> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { name, status: 'ok', message: missing, hint: null };
    return { name, status: 'problem', message: `cannot read ${path} (${code})`, hint };
  }
  const fault = findFaultIn(text, schema);
  if (fault === null) return { name, status: 'ok', message: path, hint: null };
  return { name, status: 'problem', message: `${path}: ${fault}`, hint };
}

/** The fault, without any of the file's content, which may be secret. */
function findFaultIn(text: string, schema: Schema): string | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return 'It is not valid JSON.';
  }
  return findFault(schema, content, 'It');
}
