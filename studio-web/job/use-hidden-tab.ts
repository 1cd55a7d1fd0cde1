// A hidden tab soon closes its connection, since browsers allow only a few per origin, and opens it again when shown.
import { onUnmounted } from 'vue';
import { type Clock, realClock, type Timer } from '../../lib/clock/index.js';

interface HiddenTabHandlers {
  /** The tab has been hidden for a while. */
  onLongHidden(): void;
  onShown(): void;
}

const HIDDEN_MS = 60_000;

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
