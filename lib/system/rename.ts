// `rename` that waits on Windows, where a file cannot be replaced while a virus scanner, an indexer or a reader briefly
// has it open.
import { rename as renameOnce } from 'node:fs/promises';
import { type Clock, realClock } from '../clock/index.js';

interface Attempts {
  rename?: (from: string, to: string) => Promise<void>;
  platform?: NodeJS.Platform;
  clock?: Clock;
}

const IN_USE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** The wait before each further attempt. About three seconds in total. */
const WAITS_MS = [10, 20, 40, 80, 160, 320, 500, 500, 500, 500, 500];

/** On other systems these errors are final and thrown at once. */
export async function rename(
  from: string,
  to: string,
  { rename: once = renameOnce, platform = process.platform, clock = realClock }: Attempts = {},
): Promise<void> {
  const waits = platform === 'win32' ? WAITS_MS : [];
  for (const wait of waits) {
    try {
      return await once(from, to);
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code)) throw error;
    }
    await clock.sleep(wait);
  }
  return once(from, to);
}
