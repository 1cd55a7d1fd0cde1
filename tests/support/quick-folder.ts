// Where tests keep what lives for a second: in memory where the system has room for files there, since what is synced to a
// disk takes most of the time of a test with a store.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** Containers often have little. */
const LEAST_BYTES = 2 * 1024 ** 3;

export const quickFolder = hasRoom() ? IN_MEMORY : tmpdir();

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= LEAST_BYTES;
  } catch {
    return false;
  }
}
