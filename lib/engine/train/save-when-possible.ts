// Saves, and tries again while the disk does not take it: the steps since the last checkpoint are worth the wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { findDiskFault } from '../../system/index.js';

export interface SaveControl {
  signal?: AbortSignal | undefined;
  /** Is told the code of the disk's fault while a save waits, and null once it is done. Without it nothing waits. */
  onHeldUp?: ((code: string | null) => void) | undefined;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** `clear` removes what a failed try has left, so that it takes no space. */
export async function saveWhenPossible<T>(
  save: () => Promise<T>,
  clear: () => Promise<void>,
  { signal, onHeldUp }: SaveControl,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS, isHeldUp = false; ; wait = Math.min(LONGEST_WAIT_MS, 2 * wait)) {
    try {
      const saved = await save();
      if (isHeldUp) onHeldUp?.(null);
      return saved;
    } catch (error) {
      const fault = findDiskFault(error);
      if (fault === null || !onHeldUp) throw error;
      isHeldUp = true;
      onHeldUp(fault);
      await clear().catch(() => {});
      await sleep(wait, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }
}
