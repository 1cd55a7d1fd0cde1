// The chart cursor, moved with the pointer or the keyboard.
import { computed, type Ref } from 'vue';
import {
  type ChartModel,
  chartCursor,
  type HiddenSeries,
  moveCursor,
  nearestStep,
  type SeriesPair,
} from '../../lib/console/index.js';

/** `at` is its place on the x-axis, which several charts may share. */
export function useCursor(
  at: Ref<number | null>,
  model: Readonly<Ref<ChartModel>>,
  pair: () => SeriesPair,
  hidden: () => HiddenSeries,
) {
  const cursor = computed(() => {
    const { min, max } = model.value.x;
    if (at.value === null || at.value < min || at.value > max) return null;
    return chartCursor(model.value, pair(), at.value, hidden());
  });

  const point = (to: number | null) => {
    at.value = to;
  };
  const leave = () => point(null);
  const enter = () => point(nearestStep(pair(), model.value.x.max, hidden()));

  function moveBy(event: KeyboardEvent): void {
    if (event.key === 'Escape') leave();
    const from = at.value ?? Number.POSITIVE_INFINITY;
    const to = moveCursor(event.key, pair(), from, hidden());
    if (to === null) return;
    event.preventDefault();
    point(to);
  }

  return { cursor, point, moveBy, enter, leave };
}
