// The chart cursor at one step: where to draw its line and marks, and the values there.
import {
  addSmoothed,
  type ChartModel,
  type ChartReading,
  type HiddenSeries,
  nearestStep,
  neighborStep,
  readingAt,
  type SeriesName,
  type SeriesPair,
} from './chart.js';
import { toFraction } from './ticks.js';
import { valueFraction } from './value-axis.js';

export interface ChartCursor {
  readonly step: number;
  /** 0 at the left of the plot, 1 at the right. */
  readonly x: number;
  /** The points under the cursor; `y` is 0 at the bottom and 1 at the top. */
  readonly marks: readonly { readonly series: SeriesName; readonly y: number }[];
  readonly reading: ChartReading;
}

/** Null if no visible series has a point at exactly that step. */
export function chartCursor(
  model: ChartModel,
  pair: SeriesPair,
  step: number,
  hidden: HiddenSeries = {},
): ChartCursor | null {
  const reading = addSmoothed(readingAt(pair, step, hidden), model.smoothed);
  const values = { training: reading.loss, evaluation: reading.evalLoss };
  const marks = (['training', 'evaluation'] as const).flatMap(series => {
    const value = values[series];
    return value === undefined ? [] : [{ series, y: valueFraction(model.y, value) }];
  });
  if (marks.length === 0) return null;
  return { step, x: toFraction(step, model.x.min, model.x.max), marks, reading };
}

/** The step a key moves the cursor to; null for other keys, or if there is no further step that way. */
export function moveCursor(
  key: string,
  pair: SeriesPair,
  step: number,
  hidden: HiddenSeries = {},
): number | null {
  if (key === 'ArrowLeft') return neighborStep(pair, step, -1, hidden);
  if (key === 'ArrowRight') return neighborStep(pair, step, 1, hidden);
  if (key === 'Home') return nearestStep(pair, Number.NEGATIVE_INFINITY, hidden);
  return key === 'End' ? nearestStep(pair, Number.POSITIVE_INFINITY, hidden) : null;
}
