// The cursor of a chart at one step: where its line and its marks stand, and what it reads there.
import {
  type ChartModel,
  type ChartReading,
  type HiddenSeries,
  nearestStep,
  neighbourStep,
  readingAt,
  type SeriesName,
  type SeriesPair,
} from './chart.js';
import { toFraction } from './ticks.js';

export interface ChartCursor {
  readonly step: number;
  /** 0 at the left of the plot to 1 at its right. */
  readonly x: number;
  /** The points under the cursor, each 0 at the bottom to 1 at the top. */
  readonly marks: readonly { readonly series: SeriesName; readonly y: number }[];
  readonly reading: ChartReading;
}

/** Null where no visible series has a point at that very step. */
export function chartCursor(
  model: ChartModel,
  pair: SeriesPair,
  step: number,
  hidden: HiddenSeries = {},
): ChartCursor | null {
  const reading = readingAt(pair, step, hidden);
  const values = { training: reading.loss, evaluation: reading.evalLoss };
  const marks = (['training', 'evaluation'] as const).flatMap(series => {
    const value = values[series];
    return value === undefined ? [] : [{ series, y: toFraction(value, model.y.min, model.y.max) }];
  });
  if (marks.length === 0) return null;
  return { step, x: toFraction(step, model.x.min, model.x.max), marks, reading };
}

/** Where a key takes the cursor; null when it is no key of the chart, or there is nothing further that way. */
export function moveCursor(
  key: string,
  pair: SeriesPair,
  step: number,
  hidden: HiddenSeries = {},
): number | null {
  if (key === 'ArrowLeft') return neighbourStep(pair, step, -1, hidden);
  if (key === 'ArrowRight') return neighbourStep(pair, step, 1, hidden);
  if (key === 'Home') return nearestStep(pair, Number.NEGATIVE_INFINITY, hidden);
  return key === 'End' ? nearestStep(pair, Number.POSITIVE_INFINITY, hidden) : null;
}
