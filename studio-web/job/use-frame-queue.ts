// Collects events that arrive in a rush, such as those of a long log, so that they are taken in together. Others are
// taken at once.
import { onUnmounted } from 'vue';
import { type Clock, realClock, type Timer } from '../../lib/clock/index.js';

/** More in one message than this is a log that is read, and more of it follows. */
export const RUSH = 20;
const PAUSE_MS = 60;
const LONGEST_MS = 400;

export function useFrameQueue<Item>(take: (frames: readonly Item[]) => void, clock: Clock = realClock) {
  let waiting: Item[] = [];
  let since = 0;
  let timer: Timer | undefined;

  function flush(): void {
    timer?.stop();
    timer = undefined;
    if (waiting.length === 0) return;
    const frames = waiting;
    waiting = [];
    take(frames);
  }

  onUnmounted(() => timer?.stop());
  return {
    flush,
    /** `count`: how many events they are. */
    add(frames: readonly Item[], count: number): void {
      if (waiting.length === 0) since = clock.elapsed();
      waiting = waiting.length === 0 ? [...frames] : waiting.concat(frames);
      timer?.stop();
      if (count < RUSH || clock.elapsed() - since > LONGEST_MS) flush();
      else timer = clock.after(PAUSE_MS, flush);
    },
  };
}
