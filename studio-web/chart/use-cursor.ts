// The chart cursor, moved with the pointer or the keyboard.
import { computed, type Ref, ref } from 'vue';
import {
  type ChartModel,
  chartCursor,
  type HiddenSeries,
  moveCursor,
  nearestStep,
  type SeriesPair,
} from '../../lib/console/index.js';

export function useCursor(model: Readonly<Ref<ChartModel>>, pair: () => SeriesPair, hidden: HiddenSeries) {
  const step = ref<number | null>(null);
  const cursor = computed(() =>
    step.value === null ? null : chartCursor(model.value, pair(), step.value, hidden),
  );

  const point = (to: number | null) => {
    step.value = to;
  };
  const leave = () => point(null);
  const toLast = () => point(nearestStep(pair(), Number.POSITIVE_INFINITY, hidden));

  function moveBy(event: KeyboardEvent): void {
    if (event.key === 'Escape') leave();
    const from = step.value ?? Number.POSITIVE_INFINITY;
    const to = moveCursor(event.key, pair(), from, hidden);
    if (to === null) return;
    event.preventDefault();
    point(to);
  }

  /** Only for keyboard focus: a click sets its own position. */
  function enter({ currentTarget }: FocusEvent): void {
    if (step.value === null && (currentTarget as Element).matches(':focus-visible')) toLast();
  }

  return { cursor, point, moveBy, enter, leave };
}
