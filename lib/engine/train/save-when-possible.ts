// Retries saving while the disk is at fault: losing the steps since the last checkpoint would cost more than the wait.
import { type Clock, realClock } from '../../clock/index.js';
import { findDiskFault } from '../../system/index.js';

interface SaveControl {
  signal?: AbortSignal | undefined;
  /** Called with the disk fault's code while a save waits, and with null once it is done. Without it, nothing is retried. */
  onHeldUp?: ((code: string | null) => void) | undefined;
  clock?: Clock | undefined;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

/** `clear` removes the leftovers of a failed attempt, to free their space. */
export async function saveWhenPossible<T>(
  save: () => Promise<T>,
  clear: () => Promise<void>,
  { signal, onHeldUp, clock = realClock }: SaveControl,
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
      await clock.sleep(wait, signal);
    }
  }
}
