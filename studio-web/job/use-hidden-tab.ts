// A hidden tab soon closes its connection, since browsers allow only a few per origin, and opens it again when shown.
import { onUnmounted } from 'vue';

interface HiddenTabHandlers {
  /** The tab has been hidden for a while. */
  onLongHidden(): void;
  onShown(): void;
}

const HIDDEN_MS = 60_000;

export function useHiddenTab({ onLongHidden, onShown }: HiddenTabHandlers): void {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function onVisibility(): void {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(onLongHidden, HIDDEN_MS);
    else onShown();
  }

  if (document.hidden) onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  onUnmounted(() => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(timer);
  });
}
