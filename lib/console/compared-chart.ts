// One metric of several runs, their lines over one another. Positions are fractions of the plot.

import {
  type ChartAxes,
  type ChartVertex,
  chartNote,
  type DrawOptions,
  toAxes,
  toVertices,
} from './chart-axes.js';
import { type ChartFrame, frameLines, hasPoints } from './chart-frame.js';
import { type MetricSeries, stepBefore, valueAtStep } from './series.js';
import { nearestOf, neighborOf } from './series-steps.js';
import { aroundZoom } from './series-window.js';
import { toFraction } from './ticks.js';
import { valueFraction } from './value-axis.js';

/** A run's series on the x-axis that is shown. `place` decides its color and mark. */
export interface RunSeries {
  readonly key: string;
  readonly place: number;
  readonly label: string;
  readonly series: MetricSeries;
  readonly isHidden: boolean;
}

interface ComparedLine extends Pick<RunSeries, 'key' | 'place'> {
  readonly vertices: readonly ChartVertex[];
  /** The values themselves, behind a smoothed line. */
  readonly raw: readonly ChartVertex[];
  /** The vertices that carry the run's mark. */
  readonly marked: readonly ChartVertex[];
}

interface ComparedChart extends ChartAxes, Pick<ChartFrame, 'smoothed'> {
  readonly waiting: boolean;
  readonly lines: readonly ComparedLine[];
  readonly note: string | null;
}

export interface ComparedFigure extends Pick<RunSeries, 'key' | 'place' | 'label'> {
  readonly value: number;
  /** What the smoothed line has there. */
  readonly smoothed?: number;
}

export interface ComparedCursor {
  readonly step: number;
  readonly x: number;
  readonly figures: readonly (ComparedFigure & { readonly y: number })[];
}

/** A line has about this many marks; a run of fewer points has one at each. */
export const MARKS = 8;

export function comparedChart(runs: readonly RunSeries[], options: DrawOptions = {}): ComparedChart {
  const { zoom = null } = options;
  const all = runs.map(({ series }) => series);
  const shown = runs.filter(({ isHidden }) => !isHidden);
  const filled = shown.map(({ series }) => series).filter(hasPoints);
  const frame = frameLines(filled.length > 0 ? filled : all, all, options);
  const axes = toAxes(all, frame.scale, options);
  const draw = (series: MetricSeries) => toVertices(aroundZoom(series, zoom), axes);
  return {
    ...axes,
    waiting: all.every(({ length }) => length === 0),
    smoothed: frame.smoothed,
    lines: shown.map(({ key, place, series }) => {
      const smoothed = frame.smoothed(series);
      const vertices = draw(smoothed ?? series);
      const marked = markIndexes(vertices.length, place).map(index => vertices[index]!);
      return { key, place, vertices, raw: smoothed ? draw(series) : [], marked };
    }),
    note: chartNote(frame.points, frame.scale, options),
  };
}

/** What each visible run has at a place on the x-axis, and where that is in the chart. */
export function comparedCursor(
  { x, y, smoothed }: Pick<ComparedChart, 'x' | 'y' | 'smoothed'>,
  runs: readonly RunSeries[],
  at: number,
): ComparedCursor | null {
  if (at < x.min || at > x.max) return null;
  const figures = comparedFigures(runs, at, smoothed).map(figure => ({
    ...figure,
    y: valueFraction(y, figure.value),
  }));
  return figures.length === 0 ? null : { step: at, x: toFraction(at, x.min, x.max), figures };
}

/** What each visible run has at a place on the x-axis: its value there, or its last one before. */
export function comparedFigures(
  runs: readonly RunSeries[],
  at: number,
  smoothed: ChartFrame['smoothed'],
): ComparedFigure[] {
  return visible(runs).flatMap(({ key, place, label, series }) => {
    const value = valueUpTo(series, at);
    if (value === undefined) return [];
    const line = smoothed(series);
    const calm = line ? valueUpTo(line, at) : undefined;
    return [{ key, place, label, value, ...(calm !== undefined && { smoothed: calm }) }];
  });
}

/** The place of the visible point nearest to a place on the x-axis. */
export function nearestPlace(runs: readonly RunSeries[], at: number): number | null {
  return nearestOf(
    visible(runs).map(({ series }) => series),
    at,
  );
}

/** Where a key moves the cursor to; null for other keys, or if there is no further point that way. */
export function movePlace(key: string, runs: readonly RunSeries[], at: number): number | null {
  const all = visible(runs).map(({ series }) => series);
  if (key === 'ArrowLeft') return neighborOf(all, at, -1);
  if (key === 'ArrowRight') return neighborOf(all, at, 1);
  if (key === 'Home') return nearestOf(all, Number.NEGATIVE_INFINITY);
  return key === 'End' ? nearestOf(all, Number.POSITIVE_INFINITY) : null;
}

/** After its last point a run has no value. */
function valueUpTo(series: MetricSeries, at: number): number | undefined {
  if (series.maxStep === null || at > series.maxStep) return undefined;
  const step = stepBefore(series, at, true);
  return step === null ? undefined : valueAtStep(series, step);
}

function visible(runs: readonly RunSeries[]): RunSeries[] {
  return runs.filter(({ isHidden }) => !isHidden);
}

/** Evenly along a line, at places of its own, so that lines over one another do not hide each other's marks. */
export function markIndexes(length: number, place: number, marks = MARKS): number[] {
  if (length <= marks) return Array.from({ length }, (_, index) => index);
  const gap = length / marks;
  const first = (gap * ((place * 5) % MARKS)) / MARKS;
  return Array.from({ length: marks }, (_, index) => Math.floor(first + index * gap));
}
