// The cursor of a character-cell chart. A key moves it by columns, so that it visibly moves even where many steps share
// a column.
import { nearestStep, neighborStep, type SeriesPair } from './chart.js';

/** The step `distance` columns away, at least the next one in that direction; null if there is none. */
export function stepByColumns(
  pair: SeriesPair,
  step: number,
  distance: number,
  { columns, minStep, maxStep }: { columns: number; minStep: number; maxStep: number },
): number | null {
  const next = neighborStep(pair, step, distance < 0 ? -1 : 1);
  if (next === null) return null;
  const aim = step + (distance * (maxStep - minStep)) / Math.max(1, columns - 1);
  const far = nearestStep(pair, aim);
  return far !== null && (far - step) * Math.sign(distance) > (next - step) * Math.sign(distance)
    ? far
    : next;
}
