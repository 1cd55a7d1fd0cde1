// The current view, from the address bar. Views live in the hash, so reload, back and deep links keep them. Scrolling
// works as it does between documents: a new view starts at the top, and going back restores the position.
import { computed, nextTick, onUnmounted, ref } from 'vue';
import { realClock } from '../lib/clock/index.js';
import { parseHash, viewHash } from '../lib/console/index.js';

export function useLocation() {
  const hash = ref(window.location.hash);
  const places = new Map<string, number>();
  let scrolled = window.scrollY;

  const onScroll = () => {
    scrolled = window.scrollY;
  };
  const onChange = async ({ oldURL }: HashChangeEvent) => {
    // Views change their own query without this event.
    places.set(new URL(oldURL).hash, scrolled);
    hash.value = window.location.hash;
    const isBack = history.state !== null;
    markVisited();
    const shown = hash.value;
    await pageShown(() => hash.value === shown);
    if (hash.value !== shown) return;
    window.scrollTo(0, isBack ? (places.get(hash.value) ?? 0) : 0);
    focusFirst();
  };

  history.scrollRestoration = 'manual';
  markVisited();
  window.addEventListener('scroll', onScroll, { passive: true });
  window.addEventListener('hashchange', onChange);
  onUnmounted(() => {
    window.removeEventListener('scroll', onScroll);
    window.removeEventListener('hashchange', onChange);
  });
  return computed(() => parseHash(hash.value));
}

const PATIENCE_MS = 10_000;

/** Waits until the view has rendered, since lazily loaded views appear later. */
async function pageShown(isWanted: () => boolean): Promise<void> {
  const giveUp = realClock.elapsed() + PATIENCE_MS;
  await nextTick();
  while (isWanted() && !document.querySelector('main h1') && realClock.elapsed() < giveUp)
    await realClock.sleep(15);
}

/** The element that the view marks for focus, or its heading. */
export function focusFirst(): void {
  const named = document.querySelector<HTMLElement>('[data-first]');
  (named ?? document.querySelector<HTMLElement>('h1'))?.focus({ preventScroll: true });
}

/** History entries without state have not been visited yet. */
function markVisited(): void {
  if (history.state === null) history.replaceState({ visited: true }, '');
}

/** Calls `follow` when a link leads to the view that is shown already: only what follows the question mark may differ. */
export function useLinksHere(follow: () => void): void {
  const here = viewInAddress();
  const onChange = () => {
    if (viewInAddress() === here) follow();
  };
  window.addEventListener('hashchange', onChange);
  onUnmounted(() => window.removeEventListener('hashchange', onChange));
}

function viewInAddress(): string | null {
  const location = parseHash(window.location.hash);
  return location && viewHash(location);
}

/** A link to the view can name a job. It is told once, so that a reload keeps later choices. */
export function useLinkedJob(choose: (id: string) => void): void {
  const follow = () => {
    const job = parseHash(window.location.hash)?.job;
    if (!job) return;
    choose(job);
    showInAddress('');
  };
  follow();
  useLinksHere(follow);
}

/** Updates the view's query string without adding a history entry. */
export function showInAddress(query: string): void {
  const [page] = window.location.hash.split('?');
  const hash = query === '' ? page! : `${page}?${query}`;
  if (hash !== window.location.hash) history.replaceState(history.state, '', hash);
}
