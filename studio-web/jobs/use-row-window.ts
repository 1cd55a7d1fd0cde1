// Which rows of a long table to render as the page scrolls.
import { computed, onMounted, onUnmounted, type Ref, shallowRef } from 'vue';
import { rowWindow } from '../../lib/console/index.js';

/** Used until a row has been measured. */
const USUAL_ROW_HEIGHT = 40;

export function useRowWindow(body: Readonly<Ref<HTMLElement | null>>, count: () => number) {
  const seen = shallowRef({ rowHeight: USUAL_ROW_HEIGHT, scrolled: 0, viewHeight: window.innerHeight });
  let frame = 0;

  function measure(): void {
    frame = 0;
    if (!body.value) return;
    const row = body.value.querySelector('.row');
    const before = body.value.querySelector('.space');
    seen.value = {
      rowHeight: row?.getBoundingClientRect().height ?? seen.value.rowHeight,
      scrolled: -(before ?? body.value).getBoundingClientRect().top,
      viewHeight: window.innerHeight,
    };
  }
  const measureSoon = () => {
    frame ||= requestAnimationFrame(measure);
  };

  onMounted(() => {
    measure();
    window.addEventListener('scroll', measureSoon, { passive: true });
    window.addEventListener('resize', measureSoon);
  });
  onUnmounted(() => {
    cancelAnimationFrame(frame);
    window.removeEventListener('scroll', measureSoon);
    window.removeEventListener('resize', measureSoon);
  });
  return computed(() => rowWindow({ count: count(), ...seen.value }));
}
