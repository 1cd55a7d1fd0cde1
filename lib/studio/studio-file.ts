// `.svc/studio.json`: how scripts reach the Studio of a project. Written at launch, removed at the end, and never another
// launch's.
import { readFileSync, rmSync } from 'node:fs';
import type { StudioFile } from '../contract/index.js';
import { replaceFile, studioPath } from '../sdk/index.js';

export async function writeStudioFile(folder: string, content: StudioFile): Promise<void> {
  await replaceFile(studioPath(folder), `${JSON.stringify(content, null, 2)}\n`, 0o600);
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
