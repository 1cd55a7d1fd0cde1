// Waiting for something to be seen, or not to be seen any more. The wait ends with what was seen instead.
import { untilFound } from '../../support/in-time.js';

export interface Watcher {
  /** Waits until all of these are seen. */
  shows(...wanted: (string | RegExp)[]): Promise<void>;
  hides(unwanted: string): Promise<void>;
}

/** `onDrawn` tells when something may look different; it returns how to stop. */
export function watchText(text: () => string, onDrawn: (look: () => void) => () => void): Watcher {
  const until = async (check: () => boolean) =>
    void (await untilFound(check, { on: onDrawn, progress: () => withoutTimes(text()), beside: text }));
  return {
    async shows(...wanted) {
      for (const one of wanted) await until(() => isSeen(text(), one));
    },
    hides: unwanted => until(() => !isSeen(text(), unwanted)),
  };
}

function isSeen(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

/** What counts the seconds changes although nothing happens. */
function withoutTimes(text: string): string {
  return text.replace(/\d+(?:\.\d+)? ?(?:ms|s|min|h)\b/g, '');
}
