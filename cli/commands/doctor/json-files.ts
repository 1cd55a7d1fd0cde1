// Checks svc's JSON files. A corrupt file is reported, never replaced, and its content is never shown.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { credentialsFile, findFault, type Schema, stateFile } from '../../../lib/contract/index.js';
import type { Check } from './check.js';

export function checkCredentials(home: string): Promise<Check> {
  return checkJsonFile('credentials', join(home, 'credentials.json'), credentialsFile, {
    missing: 'none yet; the first use creates an anonymous identity',
    hint: 'Fix the file or move it away; svc never overwrites it.',
  });
}

/** Whether this folder is linked to a project. */
export function checkProject(cwd: string): Promise<Check> {
  return checkJsonFile('project', join(cwd, '.svc', 'state.json'), stateFile, {
    missing: `${cwd} is not linked to a project yet`,
    hint: 'It must be { "orgSlug", "projectSlug", "projectId" }. Fix it or move it away; svc never overwrites it.',
  });
}

interface Wording {
  /** Shown when the file is missing, which is never a fault. */
  missing: string;
  hint: string;
}

async function checkJsonFile(
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
