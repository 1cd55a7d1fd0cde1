// A model's license: from its card, as the Hub has it, which is a README.md that begins with settings, or from its text.
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameLicense } from '../gguf/index.js';

const MOST_BYTES = 2 ** 16;
const LONGEST = 100;

/** Null if there is no card, or it says none. */
export async function readCardLicense(folder: string): Promise<string | null> {
  const [, settings = ''] =
    /^---\r?\n([\s\S]*?)\r?\n---/.exec(await readStart(join(folder, 'README.md'))) ?? [];
  return nameLicense(readSetting(settings, 'license'), readSetting(settings, 'license_name'));
}

/** One line, or the first of a list. */
function readSetting(settings: string, name: string): string | null {
  const [, value] =
    new RegExp(`^${name}:[ \\t]*(?:\\r?\\n[ \\t]*-[ \\t]*)?(["']?)([^"'\\r\\n]+)`, 'm')
      .exec(settings)
      ?.slice(1) ?? [];
  return value?.trim().slice(0, LONGEST) || null;
}

/** Of a license; null if it has none. */
export async function readFirstLine(path: string): Promise<string | null> {
  const lines = (await readStart(path)).split('\n').map(line => line.trim());
  return lines.find(Boolean)?.slice(0, LONGEST) ?? null;
}

/** The first bytes of a file; empty if there is none. */
async function readStart(path: string): Promise<string> {
  try {
    // Opening a pipe or a device may never return.
    if (!(await stat(path)).isFile()) return '';
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
