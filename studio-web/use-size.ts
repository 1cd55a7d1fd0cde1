// The size of an element, kept up to date.
import { onMounted, onUnmounted, type Ref, shallowRef } from 'vue';
import type { Size } from '../lib/console/index.js';

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
