// The last resort: if the process ends without closing Studio, because it crashed or its terminal is gone, its file and
// child processes are still removed.
import type { ServedStudio } from '../../../lib/studio/index.js';

/** Returns a function that cancels this. */
export function sweepAtExit({ abandon }: Pick<ServedStudio, 'abandon'>): () => void {
  process.once('exit', abandon);
  return () => void process.off('exit', abandon);
}
