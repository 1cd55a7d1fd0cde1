// The time, for what counts on every second while something runs.
import { onUnmounted, type Ref, ref, watchEffect } from 'vue';
import { type Clock, realClock, type Timer } from '../lib/clock/index.js';

const TICK_MS = 1000;

export function useNow(isRunning: () => boolean, clock: Clock = realClock): Readonly<Ref<number>> {
  const now = ref(clock.now());
  let timer: Timer | undefined;
  watchEffect(() => {
    timer?.stop();
    now.value = clock.now();
    if (!isRunning()) return;
    timer = clock.every(TICK_MS, () => {
      now.value = clock.now();
    });
  });
  onUnmounted(() => timer?.stop());
  return now;
}
