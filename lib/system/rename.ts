// `rename` that waits on Windows, where a file cannot be replaced while a virus scanner, an indexer or a reader briefly
// has it open.
import { rename as renameOnce } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

interface Attempts {
  rename?: (from: string, to: string) => Promise<void>;
  platform?: NodeJS.Platform;
  /** The wait before each further attempt. */
  waitsMs?: readonly number[];
}

const IN_USE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** About three seconds in total. */
const WAITS_MS = [10, 20, 40, 80, 160, 320, 500, 500, 500, 500, 500];

/** On other systems these errors are final and thrown at once. */
export async function rename(
  from: string,
  to: string,
  { rename: once = renameOnce, platform = process.platform, waitsMs = WAITS_MS }: Attempts = {},
): Promise<void> {
  const waits = platform === 'win32' ? waitsMs : [];
  for (const wait of waits) {
    try {
      return await once(from, to);
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code)) throw error;
    }
    await sleep(wait);
  }
  return once(from, to);
}
