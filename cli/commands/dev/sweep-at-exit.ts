// The last resort: a process that ends without having closed Studio, since its terminal is gone or it crashed, still
// takes its file and its children with it.
import type { ServedStudio } from '../../../lib/studio/index.js';

/** Returns how to call it off. */
export function sweepAtExit({ abandon }: Pick<ServedStudio, 'abandon'>): () => void {
  process.once('exit', abandon);
  return () => void process.off('exit', abandon);
}
