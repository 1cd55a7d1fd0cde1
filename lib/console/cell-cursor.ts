// The cursor of a character-cell chart. A key moves it by columns, so that it visibly moves even where many steps share
// a column.
import type { SeriesPair } from './chart.js';
import type { MetricSeries } from './series.js';
import { nearestOf, neighborOf } from './series-steps.js';

interface Columns {
  readonly columns: number;
  readonly minStep: number;
  readonly maxStep: number;
}

/** The step `distance` columns away, at least the next one in that direction; null if there is none. */
export function stepByColumns(
  { training, evaluation }: SeriesPair,
  step: number,
  distance: number,
  chart: Columns,
): number | null {
  return placeByColumns([training, evaluation], step, distance, chart);
}

/** The same among any series. */
export function placeByColumns(
  all: readonly MetricSeries[],
  step: number,
  distance: number,
  { columns, minStep, maxStep }: Columns,
): number | null {
  const next = neighborOf(all, step, distance < 0 ? -1 : 1);
  if (next === null) return null;
  const aim = step + (distance * (maxStep - minStep)) / Math.max(1, columns - 1);
  const far = nearestOf(all, aim);
  return far !== null && (far - step) * Math.sign(distance) > (next - step) * Math.sign(distance)
    ? far
    : next;
}
