// `.svc/studio.json` tells scripts how to reach a project's Studio. The latest launch writes it.
import { readFileSync, rmSync } from 'node:fs';
import { type Clock, type Repeating, repeat } from '../clock/index.js';
import type { StudioFile } from '../contract/index.js';
import { readStudioFile, replaceFile, studioPath } from '../sdk/index.js';

/** How often to look at the file. */
const LOOK_MS = 1000;

/** Names this Studio. Returns that of another one that runs here, if there is one. */
export async function announceStudio(folder: string, content: StudioFile): Promise<StudioFile | null> {
  const other = await readStudioFile(folder).catch(() => null);
  await writeStudioFile(folder, content);
  return other;
}

/** Never makes the project's folder: it was moved or deleted if it is gone. */
async function writeStudioFile(folder: string, content: StudioFile): Promise<void> {
  await replaceFile(studioPath(folder), `${JSON.stringify(content, null, 2)}\n`, 0o600, folder);
}

/**
 * Rewrites the file if it is gone or names a dead process, so that after a Studio is killed scripts find another one that
 * is still running.
 */
export function keepStudioFile(folder: string, content: StudioFile, clock: Clock): Repeating {
  const look = async () => {
    const found = await readStudioFile(folder).catch(() => null);
    // A failed write is retried at the next check.
    if (!found) await writeStudioFile(folder, content).catch(() => {});
  };
  return repeat(look, LOOK_MS, clock);
}

/** Each Studio removes only its own. Synchronous, because the process may be exiting. */
export function removeStudioFile(folder: string, { token }: Pick<StudioFile, 'token'>): void {
  const path = studioPath(folder);
  try {
    if ((JSON.parse(readFileSync(path, 'utf8')) as Partial<StudioFile>).token === token) rmSync(path);
  } catch {
    // Gone or unreadable: nothing to remove.
  }
}
