// Steps across several series: what a cursor moves to.
import { type MetricSeries, stepAfter, stepBefore } from './series.js';

/** The step of the point nearest to a fractional step; on a tie, the lower one. Null without points. */
export function nearestOf(all: readonly MetricSeries[], position: number): number | null {
  const below = greatest(all.map(series => stepBefore(series, position, true)));
  const above = smallest(all.map(series => stepAfter(series, position)));
  if (below === null || above === null) return below ?? above;
  return position - below <= above - position ? below : above;
}

/** The step of the next point to the left (-1) or right (1). */
export function neighborOf(all: readonly MetricSeries[], step: number, direction: -1 | 1): number | null {
  return direction < 0
    ? greatest(all.map(series => stepBefore(series, step)))
    : smallest(all.map(series => stepAfter(series, step)));
}

export function smallest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.min(...present) : null;
}

export function greatest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.max(...present) : null;
}
