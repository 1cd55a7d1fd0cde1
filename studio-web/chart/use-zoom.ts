// Zooming: drag over a range, or use the keyboard: plus and minus zoom around the crosshair, 0 (or a double click) resets.
import { computed, onUnmounted, ref } from 'vue';
import { type Clock, realClock, type Timer } from '../../lib/clock/index.js';
import { type ChartAxes, type XRange, zoomBetween, zoomBy } from '../../lib/console/index.js';

interface ZoomParts {
  model(): Pick<ChartAxes, 'x' | 'whole'>;
  isZoomed(): boolean;
  /** The pointer's horizontal position in the plot, from 0 to 1. */
  placeOf(event: MouseEvent): number;
  /** The crosshair's position on the x-axis. */
  cursor(): number | null;
  zoomTo(range: XRange | null): void;
  clock?: Clock;
}

/** While zoomed, a click waits this long for a second one. */
const DOUBLE_CLICK_MS = 300;
/** A drag shorter than this is a click. */
const LEAST_DRAG = 0.01;

export function useZoom({ model, isZoomed, placeOf, cursor, zoomTo, clock = realClock }: ZoomParts) {
  const from = ref<number | null>(null);
  const to = ref(0);
  let wasDragged = false;
  let click: Timer | undefined;

  const isDragging = computed(() => from.value !== null && Math.abs(to.value - from.value) >= LEAST_DRAG);
  const selection = computed<XRange | null>(() =>
    isDragging.value ? { from: Math.min(from.value!, to.value), to: Math.max(from.value!, to.value) } : null,
  );
  const shown = (): XRange => ({ from: model().x.min, to: model().x.max });

  onUnmounted(() => click?.stop());
  return {
    isDragging,
    selection,
    grab(event: PointerEvent): void {
      wasDragged = false;
      if (event.pointerType === 'touch' || event.button !== 0) return;
      from.value = to.value = placeOf(event);
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    drag(event: PointerEvent): void {
      if (from.value !== null) to.value = placeOf(event);
    },
    drop(): void {
      wasDragged = isDragging.value;
      const range = wasDragged ? zoomBetween(shown(), from.value!, to.value) : null;
      from.value = null;
      if (range) zoomTo(range);
    },
    cancel(): void {
      from.value = null;
    },
    /** Runs the click action, unless the click ended a drag or starts a double click. */
    click(act: () => void): void {
      click?.stop();
      if (wasDragged) return;
      if (isZoomed()) click = clock.after(DOUBLE_CLICK_MS, act);
      else act();
    },
    reset(): void {
      click?.stop();
      zoomTo(null);
    },
    press({ key, ctrlKey, metaKey }: KeyboardEvent): void {
      if (ctrlKey || metaKey) return;
      const { from: start, to: end } = shown();
      const place = cursor() ?? (start + end) / 2;
      if (key === '+' || key === '=') zoomTo(zoomBy(model().whole, shown(), place, 1));
      else if (key === '-' && isZoomed()) zoomTo(zoomBy(model().whole, shown(), place, -1));
      else if (key === '0') zoomTo(null);
    },
  };
}
