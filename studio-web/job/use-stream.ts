// Follows an event stream that may deliver bursts.
import { onUnmounted, type ShallowRef, shallowRef } from 'vue';
import { type Clock, realClock, type Timer } from '../../lib/clock/index.js';

interface Updates<T> {
  /** The state as last rendered. */
  state: Readonly<ShallowRef<T>>;
  /**
   * Updates the state immediately, schedules a redraw, and returns the new state. `events`: how many events it stands for.
   * During a burst, it redraws only now and then.
   */
  update(change: (state: T) => T, events?: number): T;
}

/** Hidden pages get no animation frames. */
const HIDDEN_FRAME_MS = 250;
/** More events than this in one frame means that a log is being replayed, with more to come. */
const RUSH = 20;
const RUSH_PAUSE_MS = 60;
const RUSH_LONGEST_MS = 400;

/** State that may change thousands of times in a row but is drawn once per frame. */
export function useUpdates<T>(initial: T, clock: Clock = realClock): Updates<T> {
  const state = shallowRef(initial);
  let current = initial;
  let cancel: (() => void) | undefined;
  let rushSince: number | undefined;
  let lastAt = 0;
  let undrawn = 0;

  function draw(): void {
    cancel = undefined;
    rushSince = undefined;
    undrawn = 0;
    state.value = current;
  }

  function drawSoon(): () => void {
    if (document.hidden) {
      return clock.after(HIDDEN_FRAME_MS, draw).stop;
    }
    const frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }

  /** Once events pause, or as soon as the burst has lasted long. One timer serves a whole burst: it has thousands of events. */
  function drawAfterRush(): void {
    lastAt = clock.elapsed();
    if (rushSince !== undefined) return;
    rushSince = lastAt;
    cancel?.();
    waitForPause(RUSH_PAUSE_MS);
  }

  function waitForPause(ms: number): void {
    cancel = clock.after(ms, () => {
      const now = clock.elapsed();
      const leftMs = Math.min(lastAt + RUSH_PAUSE_MS, rushSince! + RUSH_LONGEST_MS) - now;
      if (leftMs > 0) waitForPause(leftMs);
      else draw();
    }).stop;
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
    update(change, events = 1) {
      const next = change(current);
      if (next !== current) {
        current = next;
        undrawn += events;
        if (undrawn >= RUSH) drawAfterRush();
        else cancel ??= drawSoon();
      }
      return current;
    },
  };
}

interface HiddenTabHandlers {
  /** The tab has been hidden for a while. */
  onLongHidden(): void;
  onShown(): void;
}

const HIDDEN_MS = 5000;

/** A hidden tab soon closes its connection, since browsers allow only a few per origin, and opens it again when shown. */
export function useHiddenTab({ onLongHidden, onShown }: HiddenTabHandlers, clock: Clock = realClock): void {
  let timer: Timer | undefined;

  function onVisibility(): void {
    timer?.stop();
    if (document.hidden) timer = clock.after(HIDDEN_MS, onLongHidden);
    else onShown();
  }

  if (document.hidden) onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  onUnmounted(() => {
    document.removeEventListener('visibilitychange', onVisibility);
    timer?.stop();
  });
}
