// The loss chart and its cursor, as both the browser and the terminal draw them. Positions are fractions of the plot; converting them to
// pixels or character cells is up to the caller.
import {
  type ChartAxes,
  type ChartVertex,
  chartNote,
  type DrawOptions,
  toAxes,
  toVertices,
} from './chart-axes.js';
import { aroundZoom, frameLines, hasPoints } from './chart-frame.js';
import { type MetricSeries, moveAmong, nearestOf, neighborOf, valueAtStep } from './series.js';
import { toFraction } from './ticks.js';
import { valueFraction } from './value-axis.js';

export type SeriesName = 'training' | 'evaluation';
export type SeriesPair = Readonly<Record<SeriesName, MetricSeries>>;
export type HiddenSeries = { readonly [name in SeriesName]?: boolean | undefined };

interface ChartOptions extends DrawOptions {
  readonly hidden?: HiddenSeries;
}

/** The x-axis covers both series, so that hiding one does not shift the steps; the y-axis covers the visible ones. */
export interface ChartModel extends ChartAxes {
  /** True until there is a point in either series; show a placeholder instead of the chart. */
  readonly waiting: boolean;
  /** One vertex per event; empty while the series is hidden. */
  readonly training: readonly ChartVertex[];
  readonly evaluation: readonly ChartVertex[];
  /** The unsmoothed training loss behind the smoothed line; empty without smoothing. */
  readonly raw: readonly ChartVertex[];
  /** Null without smoothing. */
  readonly smoothed: MetricSeries | null;
  readonly legend: readonly SeriesName[];
  /** Describes the hidden points of visible series. */
  readonly note: string | null;
}

export interface ChartReading {
  readonly step: number;
  readonly loss?: number;
  readonly evalLoss?: number;
  /** The value of the smoothed line. */
  readonly smoothed?: number;
}

export function chartModel(pair: SeriesPair, options: ChartOptions = {}): ChartModel {
  const { hidden = {}, zoom = null } = options;
  const all = [pair.training, pair.evaluation];
  const visible = visibleSeries(pair, hidden);
  const frame = frameLines(visible.some(hasPoints) ? visible : all, all, options, [pair.training]);
  const axes = toAxes(all, frame.scale, options);
  const smoothed = frame.smoothed(pair.training);
  const draw = (series: MetricSeries, isHidden: boolean | undefined) =>
    isHidden ? [] : toVertices(aroundZoom(series, zoom), axes);
  return {
    ...axes,
    waiting: all.every(series => series.length === 0),
    training: draw(smoothed ?? pair.training, hidden.training),
    evaluation: draw(pair.evaluation, hidden.evaluation),
    raw: smoothed ? draw(pair.training, hidden.training) : [],
    smoothed,
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: chartNote(frame.points, frame.scale, options),
  };
}

/** The step of the visible point nearest to a fractional step; on a tie, the lower one. */
export function nearestStep(
  pair: SeriesPair,
  stepPosition: number,
  hidden: HiddenSeries = {},
): number | null {
  return nearestOf(visibleSeries(pair, hidden), stepPosition);
}

/** The step of the next visible point to the left (-1) or right (1), for moving the cursor by key. */
export function neighborStep(
  pair: SeriesPair,
  step: number,
  direction: -1 | 1,
  hidden: HiddenSeries = {},
): number | null {
  return neighborOf(visibleSeries(pair, hidden), step, direction);
}

/** The visible values at exactly that step; a missing value has no key. */
export function readingAt(pair: SeriesPair, step: number, hidden: HiddenSeries = {}): ChartReading {
  const loss = hidden.training ? undefined : valueAtStep(pair.training, step);
  const evalLoss = hidden.evaluation ? undefined : valueAtStep(pair.evaluation, step);
  return { step, ...(loss !== undefined && { loss }), ...(evalLoss !== undefined && { evalLoss }) };
}

/** Adds the value of the smoothed line at the reading's position. */
export function addSmoothed(
  reading: ChartReading,
  smoothed: MetricSeries | null,
  x: number = reading.step,
): ChartReading {
  const value = smoothed && reading.loss !== undefined ? valueAtStep(smoothed, x) : undefined;
  return value === undefined ? reading : { ...reading, smoothed: value };
}

function visibleSeries(pair: SeriesPair, hidden: HiddenSeries): MetricSeries[] {
  return (['training', 'evaluation'] as const).filter(name => !hidden[name]).map(name => pair[name]);
}

/** The cursor at one step: where to draw its line and marks, and the values there. */
export interface ChartCursor {
  readonly step: number;
  /** 0 at the left of the plot, 1 at the right. */
  readonly x: number;
  /** The points under the cursor that the axis has a place for; `y` is 0 at the bottom and 1 at the top. */
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
  const read = (['training', 'evaluation'] as const).filter(series => values[series] !== undefined);
  if (read.length === 0) return null;
  const marks = read
    .map(series => ({ series, y: valueFraction(model.y, values[series]!) }))
    .filter(({ y }) => !Number.isNaN(y));
  return { step, x: toFraction(step, model.x.min, model.x.max), marks, reading };
}

/** The step a key moves the cursor to; null for other keys, or if there is no further step that way. */
export function moveCursor(
  key: string,
  pair: SeriesPair,
  step: number,
  hidden: HiddenSeries = {},
): number | null {
  return moveAmong(key, visibleSeries(pair, hidden), step);
}
