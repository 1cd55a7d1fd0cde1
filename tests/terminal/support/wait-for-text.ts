// Waiting for something to be seen, or not to be seen any more. The wait ends with what was seen instead.
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../../support/patience.js';

const LOOK_EVERY_MS = 20;

export interface Watcher {
  /** Waits until all of these are seen. */
  shows(...wanted: (string | RegExp)[]): Promise<void>;
  hides(unwanted: string): Promise<void>;
}

export function watchText(text: () => string): Watcher {
  async function until(check: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!check()) {
      if (Date.now() > deadline) throw new Error(`The screen ${what}:\n${text()}`);
      await sleep(LOOK_EVERY_MS);
    }
  }
  return {
    async shows(...wanted) {
      for (const one of wanted) await until(() => isSeen(text(), one), `does not show ${one}`);
    },
    hides: unwanted => until(() => !isSeen(text(), unwanted), `still shows ${unwanted}`),
  };
}

function isSeen(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}
