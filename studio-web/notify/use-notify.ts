// Browser notifications when a run ends. Off until the user turns them on.
import { ref, watch } from 'vue';
import { realClock } from '../../lib/clock/index.js';
import { createDoneWatch, toHash } from '../../lib/console/index.js';
import { NOTIFY_KEY, recall, remember } from '../stored.js';
import { isStale, studio } from '../studio.js';

export const isNotifying = ref(false);

const doneWatch = createDoneWatch({
  listJobs: () => studio.listJobs(),
  onDone({ id }, text) {
    const notification = new Notification(text, { tag: id });
    notification.onclick = () => {
      window.focus();
      window.location.hash = toHash({ tab: 'jobs', id });
    };
  },
  clock: realClock,
});

watch(
  () => isNotifying.value && !isStale.value,
  isWatching => (isWatching ? doneWatch.start() : doneWatch.stop()),
);

/** Follows what is stored, if notifications are still allowed: on page load, and when another tab has changed it. */
export function startNotifying(): void {
  isNotifying.value = recall(NOTIFY_KEY) === '1' && isAllowed();
}

window.addEventListener('storage', startNotifying);

/** Why notifications could not be turned on; null if they are on. */
export async function askToNotify(): Promise<string | null> {
  if (!('Notification' in window)) return 'This browser has no notifications.';
  const answer = isAllowed() ? 'granted' : await Notification.requestPermission();
  if (answer !== 'granted') return 'This browser does not allow notifications for this page.';
  turnOn();
  return null;
}

export function stopNotifying(): void {
  isNotifying.value = false;
  remember(NOTIFY_KEY, '');
}

function isAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

function turnOn(): void {
  isNotifying.value = true;
  remember(NOTIFY_KEY, '1');
}
