// State that may change thousands of times in a row but is drawn once per frame.
import { onUnmounted, type ShallowRef, shallowRef } from 'vue';

interface Updates<T> {
  /** The state as drawn. */
  state: Readonly<ShallowRef<T>>;
  /** Changes the state at once, redraws soon, and returns the new state. */
  update(change: (state: T) => T): T;
}

/** Hidden pages get no animation frames. */
const HIDDEN_FRAME_MS = 250;

export function useUpdates<T>(initial: T): Updates<T> {
  const state = shallowRef(initial);
  let current = initial;
  let cancel: (() => void) | undefined;

  function draw(): void {
    cancel = undefined;
    state.value = current;
  }

  function drawSoon(): () => void {
    if (document.hidden) {
      const timer = setTimeout(draw, HIDDEN_FRAME_MS);
      return () => clearTimeout(timer);
    }
    const frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
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
    update(change) {
      const next = change(current);
      if (next !== current) {
        current = next;
        cancel ??= drawSoon();
      }
      return current;
    },
  };
}
