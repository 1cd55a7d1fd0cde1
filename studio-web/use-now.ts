// The time, for what counts on every second while something runs.
import { onUnmounted, type Ref, ref, watchEffect } from 'vue';

const TICK_MS = 1000;

export function useNow(isRunning: () => boolean): Readonly<Ref<number>> {
  const now = ref(Date.now());
  let timer: ReturnType<typeof setInterval> | undefined;
  watchEffect(() => {
    clearInterval(timer);
    now.value = Date.now();
    if (!isRunning()) return;
    timer = setInterval(() => {
      now.value = Date.now();
    }, TICK_MS);
  });
  onUnmounted(() => clearInterval(timer));
  return now;
}
