// A state that may change thousands of times at once, and is drawn once a frame.
import { onUnmounted, type ShallowRef, shallowRef } from 'vue';

export interface Updates<T> {
  /** What is drawn. */
  state: Readonly<ShallowRef<T>>;
  /** Changes the state at once, and what is drawn soon. */
  update(change: (state: T) => T): T;
}

/** A hidden page has no frames. */
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
