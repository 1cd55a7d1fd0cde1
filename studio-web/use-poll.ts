// Acts now and then as long as the component is there.
import { onUnmounted } from 'vue';
import { type Clock, realClock } from '../lib/clock/index.js';

const POLL_MS = 5000;

export function usePoll(act: () => unknown, everyMs: number = POLL_MS, clock: Clock = realClock): void {
  const timer = clock.every(everyMs, () => void act());
  onUnmounted(() => timer.stop());
}
