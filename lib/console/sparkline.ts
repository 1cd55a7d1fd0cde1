// A series in one row of characters: its height in each of a few columns.
import type { MetricSeries } from './series.js';
import { toFraction } from './ticks.js';

/** For each column a level from 0 to `levels - 1`, of the last value in it; fewer columns for a short series. */
export function sparkLevels(
  { values, length, minValue, maxValue }: MetricSeries,
  columns: number,
  levels: number,
): number[] {
  const count = Math.min(length, Math.max(0, columns));
  return Array.from({ length: count }, (_, column) => {
    const value = values[Math.ceil(((column + 1) * length) / count) - 1]!;
    return Math.round(toFraction(value, minValue!, maxValue!) * (levels - 1));
  });
}
