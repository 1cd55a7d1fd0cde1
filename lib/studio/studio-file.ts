// `.svc/studio.json`: how scripts reach the Studio of a project. The one that was launched last writes it, and removes
// nothing but its own. Any that runs writes it again when it is gone, or names one that is: a Studio that was killed
// takes nobody else's with it.
import { readFileSync, rmSync } from 'node:fs';
import type { StudioFile } from '../contract/index.js';
import { readStudioFile, replaceFile, studioPath } from '../sdk/index.js';
import { type Repeating, repeat } from '../system/index.js';

export async function writeStudioFile(folder: string, content: StudioFile): Promise<void> {
  await replaceFile(studioPath(folder), `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

export function keepStudioFile(folder: string, content: StudioFile, everyMs: number): Repeating {
  return repeat(async () => {
    const found = await readStudioFile(folder).catch(() => null);
    // What cannot be written now is tried again.
    if (!found) await writeStudioFile(folder, content).catch(() => {});
  }, everyMs);
}

/** At once, since there may be no time left. */
export function removeStudioFile(folder: string, { token }: Pick<StudioFile, 'token'>): void {
  const path = studioPath(folder);
  try {
    if ((JSON.parse(readFileSync(path, 'utf8')) as Partial<StudioFile>).token === token) rmSync(path);
  } catch {
    // It is gone, or nobody's: nothing to remove.
  }
}
