// State that may change thousands of times in a row but is drawn once per frame.
import { onUnmounted, type ShallowRef, shallowRef } from 'vue';
import { type Clock, realClock } from '../../lib/clock/index.js';

interface Updates<T> {
  /** The state as drawn. */
  state: Readonly<ShallowRef<T>>;
  /**
   * Changes the state at once, redraws soon, and returns the new state. In a rush, with more to follow at once, it is redrawn
   * only now and then.
   */
  update(change: (state: T) => T, isRush?: boolean): T;
}

/** Hidden pages get no animation frames. */
const HIDDEN_FRAME_MS = 250;
const RUSH_PAUSE_MS = 60;
const RUSH_LONGEST_MS = 400;

export function useUpdates<T>(initial: T, clock: Clock = realClock): Updates<T> {
  const state = shallowRef(initial);
  let current = initial;
  let cancel: (() => void) | undefined;
  let rushSince: number | undefined;

  function draw(): void {
    cancel = undefined;
    rushSince = undefined;
    state.value = current;
  }

  function drawSoon(): () => void {
    if (document.hidden) {
      return clock.after(HIDDEN_FRAME_MS, draw).stop;
    }
    const frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }

  /** After a pause, or now if it has gone on for long. */
  function drawAfterRush(): void {
    rushSince ??= clock.elapsed();
    cancel?.();
    const isLong = clock.elapsed() - rushSince > RUSH_LONGEST_MS;
    cancel = clock.after(isLong ? 0 : RUSH_PAUSE_MS, draw).stop;
  }

  function onVisibility(): void {
    if (!cancel) return;
    cancel();
    cancel = drawSoon();
  }

  document.addEventListener('visibilitychange', onVisibility);
  onUnmounted(() => {
    document.removeEventListener('visibilitychange', onVisibility);
    cancel?.();
  });
  return {
    state,
    update(change, isRush = false) {
      const next = change(current);
      if (next !== current) {
        current = next;
        if (isRush) drawAfterRush();
        else cancel ??= drawSoon();
      }
      return current;
    },
  };
}
