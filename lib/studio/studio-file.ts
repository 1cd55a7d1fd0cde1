// `.svc/studio.json`: how scripts reach the Studio of a project. Written at launch, removed at the end, and never another
// launch's; the one of a launch before that still runs is put back.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { StudioFile } from '../contract/index.js';
import { isAlive, replaceFile, studioPath } from '../sdk/index.js';

export async function writeStudioFile(folder: string, content: StudioFile): Promise<void> {
  await replaceFile(studioPath(folder), `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

/** At once, since there may be no time left. The Studio that was found before this one is found again while it lives. */
export function removeStudioFile(
  folder: string,
  { token }: Pick<StudioFile, 'token'>,
  before: StudioFile | null,
): void {
  const path = studioPath(folder);
  try {
    if ((JSON.parse(readFileSync(path, 'utf8')) as Partial<StudioFile>).token !== token) return;
    if (before && before.pid !== process.pid && isAlive(before.pid))
      writeFileSync(path, `${JSON.stringify(before, null, 2)}\n`, { mode: 0o600 });
    else rmSync(path);
  } catch {
    // It is gone, or nobody's: nothing to remove.
  }
}
