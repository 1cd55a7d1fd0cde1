// Tells by the browser's own notifications when a run has ended, once somebody has asked for it here.
import { ref } from 'vue';
import { realClock, type Timer } from '../../lib/clock/index.js';
import { DONE_POLL_MS, doneText, endedJobs, toHash } from '../../lib/console/index.js';
import type { JobSummary } from '../../lib/contract/index.js';
import { NOTIFY_KEY, recall, remember } from '../stored.js';
import { studio } from '../studio.js';

export const isNotifying = ref(false);

let timer: Timer | undefined;
let before: readonly JobSummary[] = [];

/** At the start of the page: goes on if that was wanted and is still allowed. */
export function startNotifying(): void {
  if (recall(NOTIFY_KEY) === '1' && isAllowed()) turnOn();
}

/** The reason why not; null if it is on. */
export async function askToNotify(): Promise<string | null> {
  if (!('Notification' in window)) return 'This browser has no notifications.';
  const answer = isAllowed() ? 'granted' : await Notification.requestPermission();
  if (answer !== 'granted') return 'This browser does not allow notifications for this page.';
  turnOn();
  return null;
}

export function stopNotifying(): void {
  timer?.stop();
  isNotifying.value = false;
  remember(NOTIFY_KEY, '');
}

function isAllowed(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

function turnOn(): void {
  timer?.stop();
  isNotifying.value = true;
  remember(NOTIFY_KEY, '1');
  timer = realClock.every(DONE_POLL_MS, look);
  void look();
}

async function look(): Promise<void> {
  const answer = await studio.listJobs().catch(() => null);
  if (!answer) return;
  for (const job of endedJobs(before, answer.jobs)) {
    const told = new Notification(doneText(job), { tag: job.id });
    told.onclick = () => {
      window.focus();
      window.location.hash = toHash({ tab: 'jobs', id: job.id });
    };
  }
  before = answer.jobs;
}
