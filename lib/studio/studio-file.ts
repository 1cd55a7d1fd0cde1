// `.svc/studio.json` tells scripts how to reach a project's Studio. The latest launch writes it, and each Studio
// removes only its own. A running Studio rewrites the file if it is gone or names a dead process, so that after a
// Studio is killed scripts find another one that is still running.
import { readFileSync, rmSync } from 'node:fs';
import type { Clock } from '../clock/index.js';
import type { StudioFile } from '../contract/index.js';
import { readStudioFile, replaceFile, studioPath } from '../sdk/index.js';
import { type Repeating, repeat } from '../system/index.js';

/** How often to look. */
const LOOK_MS = 1000;

export async function writeStudioFile(folder: string, content: StudioFile): Promise<void> {
  await replaceFile(studioPath(folder), `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

export function keepStudioFile(folder: string, content: StudioFile, clock: Clock): Repeating {
  const look = async () => {
    const found = await readStudioFile(folder).catch(() => null);
    // A failed write is retried at the next check.
    if (!found) await writeStudioFile(folder, content).catch(() => {});
  };
  return repeat(look, LOOK_MS, clock);
}

/** Synchronous, because the process may be exiting. */
export function removeStudioFile(folder: string, { token }: Pick<StudioFile, 'token'>): void {
  const path = studioPath(folder);
  try {
    if ((JSON.parse(readFileSync(path, 'utf8')) as Partial<StudioFile>).token === token) rmSync(path);
  } catch {
    // Gone or unreadable: nothing to remove.
  }
}
