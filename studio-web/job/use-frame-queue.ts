// Collects events that arrive in a rush, such as those of a long log, so that they are taken in together. Others are
// taken at once.
import { onUnmounted } from 'vue';

/** More in one message than this is a log that is read, and more of it follows. */
export const RUSH = 20;
const PAUSE_MS = 60;
const LONGEST_MS = 400;

export function useFrameQueue<Item>(take: (frames: readonly Item[]) => void) {
  let waiting: Item[] = [];
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const frames = waiting;
    waiting = [];
    take(frames);
  }

  onUnmounted(() => clearTimeout(timer));
  return {
    flush,
    /** `count`: how many events they are. */
    add(frames: readonly Item[], count: number): void {
      if (waiting.length === 0) since = performance.now();
      waiting = waiting.length === 0 ? [...frames] : waiting.concat(frames);
      clearTimeout(timer);
      if (count < RUSH || performance.now() - since > LONGEST_MS) flush();
      else timer = setTimeout(flush, PAUSE_MS);
    },
  };
}
