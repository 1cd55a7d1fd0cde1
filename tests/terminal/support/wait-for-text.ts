// Waiting for something to be seen, or not to be seen any more. The wait ends with what was seen instead.
import { untilFound } from '../../support/in-time.js';

/** `onDrawn` tells when something may look different; it returns how to stop. */
export function watchText(text: () => string, onDrawn: (look: () => void) => () => void) {
  const until = async (check: () => boolean) =>
    void (await untilFound(check, { on: onDrawn, progress: () => withoutTimes(text()), beside: text }));
  return {
    /** Waits until all of these are seen. */
    async shows(...wanted: (string | RegExp)[]) {
      for (const one of wanted) await until(() => isSeen(text(), one));
    },
    hides: (unwanted: string) => until(() => !isSeen(text(), unwanted)),
  };
}

function isSeen(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

/** What counts the seconds changes although nothing happens. */
function withoutTimes(text: string): string {
  return text.replace(/\d+(?:\.\d+)? ?(?:ms|s|min|h)\b/g, '');
}
