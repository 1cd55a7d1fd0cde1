import { appendPoint, emptySeries, type MetricSeries } from '../../../lib/console/chart/series.js';
import type { SeriesPair } from '../../../lib/console/index.js';

/** Values by their steps, `{ 1: 5, 2: 3 }`, or points in the order in which they come, `['2: 3', '1: 5']`. */
export type Points = Readonly<Record<number, number>> | readonly string[];

export function seriesOf(points: Points): MetricSeries {
  const texts = Array.isArray(points) ? points : Object.entries(points).map(entry => entry.join(': '));
  return texts.reduce((series: MetricSeries, text: string) => {
    const [step, value] = text.split(': ').map(Number);
    return appendPoint(series, step!, value!);
  }, emptySeries);
}

export const pairOf = (training: Points, evaluation: Points = {}): SeriesPair => ({
  training: seriesOf(training),
  evaluation: seriesOf(evaluation),
});
