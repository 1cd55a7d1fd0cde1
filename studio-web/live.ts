// Values that stay current while a component is mounted: the time, requests, and an element's size.
import { onMounted, onUnmounted, type Ref, ref, shallowRef, watch, watchEffect } from 'vue';
import { type Clock, realClock, type Timer } from '../lib/clock/index.js';
import { isAway, type Size } from '../lib/console/index.js';
import { link } from './cloud.js';

const TICK_MS = 1000;
const POLL_MS = 5000;

/** The current time, updated every second while something runs. */
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

export function usePoll(act: () => unknown, everyMs: number = POLL_MS, clock: Clock = realClock): void {
  const timer = clock.every(everyMs, () => void act());
  onUnmounted(() => timer.stop());
}

/** Repeats a request that is not polled when the cloud is back. */
export function useReturn(ask: () => unknown): void {
  watch(link, (now, before) => {
    if (now === 'up' && isAway(before)) void ask();
  });
}

export function useSize(element: Readonly<Ref<HTMLElement | null>>): Readonly<Ref<Size>> {
  const size = shallowRef<Size>({ width: 0, height: 0 });
  const observer = new ResizeObserver(([entry]) => {
    const { width, height } = entry!.contentRect;
    size.value = { width, height };
  });
  onMounted(() => {
    const { clientWidth: width, clientHeight: height } = element.value!;
    size.value = { width, height };
    observer.observe(element.value!);
  });
  onUnmounted(() => observer.disconnect());
  return size;
}
