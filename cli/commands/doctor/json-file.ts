// Whether a JSON file of svc's is there and can be read: a corrupt one is reported, never replaced.
import { readFile } from 'node:fs/promises';
import type { Check } from './check.js';

interface Wording {
  /** What to say when there is no such file, which is never a fault. */
  missing: string;
  hint: string;
}

export async function checkJsonFile(name: string, path: string, { missing, hint }: Wording): Promise<Check> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { name, status: 'ok', message: missing, hint: null };
    return { name, status: 'problem', message: `${path} cannot be read (${code})`, hint };
  }
  if (isJsonObject(text)) return { name, status: 'ok', message: path, hint: null };
  return { name, status: 'problem', message: `${path} is not valid JSON, or no object`, hint };
}

/** The parser's own message is dropped: it quotes the text, which may be a secret. */
function isJsonObject(text: string): boolean {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null && !Array.isArray(content);
  } catch {
    return false;
  }
}
