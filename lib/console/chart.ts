// What both faces draw of a loss chart and show under its cursor: positions are fractions of the plot, so that
// pixels and character cells stay their business.
import { downsample } from './downsample.js';
import { formatCount } from './format.js';
import { type MetricSeries, stepAfter, stepBefore, valueAtStep } from './series.js';
import { niceTicks, type Tick, toFraction } from './ticks.js';

export type SeriesName = 'training' | 'evaluation';
export type SeriesPair = Readonly<Record<SeriesName, MetricSeries>>;
export type HiddenSeries = { readonly [name in SeriesName]?: boolean | undefined };

/** Beyond these nothing more can be seen: the widest screens have 7,680 columns, and four points fill one of them. */
export const SCREEN_VERTICES = 4 * 7680;

export interface ChartOptions {
  /** The most vertices of one line; a longer series is down-sampled. `SCREEN_VERTICES` unless told. */
  readonly maxVertices?: number;
  readonly hidden?: HiddenSeries;
}

export interface AxisTick extends Tick {
  /** 0 at the axis' minimum to 1 at its maximum. */
  readonly position: number;
}

export interface ChartAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly AxisTick[];
}

export interface ChartVertex {
  readonly step: number;
  readonly value: number;
  /** 0 at the left to 1 at the right. */
  readonly x: number;
  /** 0 at the bottom to 1 at the top. */
  readonly y: number;
}

export interface ChartLine {
  /** In event order; none while the series is hidden. */
  readonly vertices: readonly ChartVertex[];
  readonly total: number;
  readonly drawn: number;
}

export interface ChartModel {
  /** True until there is a point of either kind: a placeholder stands instead of the chart. */
  readonly waiting: boolean;
  /** Over both series, so that hiding one does not shift the steps. */
  readonly x: ChartAxis;
  /** Over the visible series. */
  readonly y: ChartAxis;
  readonly training: ChartLine;
  readonly evaluation: ChartLine;
  readonly legend: readonly SeriesName[];
  /** Says so when not every point of the visible series is drawn. */
  readonly note: string | null;
}

export interface ChartReading {
  readonly step: number;
  readonly loss?: number;
  readonly evalLoss?: number;
}

/** The chart of a training and an evaluation series. */
export function chartModel(pair: SeriesPair, options: ChartOptions = {}): ChartModel {
  const { maxVertices = SCREEN_VERTICES, hidden = {} } = options;
  const all = [pair.training, pair.evaluation];
  const names = visibleNames(hidden);
  const visible = names.map(name => pair[name]);
  const framed = visible.some(series => series.length > 0) ? visible : all;
  const x = toAxis(
    all.map(series => series.minStep),
    all.map(series => series.maxStep),
    true,
  );
  const y = toAxis(
    framed.map(series => series.minValue),
    framed.map(series => series.maxValue),
    false,
  );
  const lines = {
    training: toLine(pair.training, hidden.training ? 0 : maxVertices, x, y),
    evaluation: toLine(pair.evaluation, hidden.evaluation ? 0 : maxVertices, x, y),
  };
  return {
    waiting: all.every(series => series.length === 0),
    x,
    y,
    ...lines,
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: toNote(names.map(name => lines[name])),
  };
}

/** The fractional step under a place on the x axis, 0 at its left to 1 at its right; outside counts as the end. */
export function stepAtFraction(model: ChartModel, fraction: number): number {
  const { min, max } = model.x;
  const inside = fraction > 0 ? Math.min(fraction, 1) : 0;
  return min * (1 - inside) + max * inside;
}

/** The step of a visible point that lies nearest to a fractional step; of two as near, the lower. */
export function nearestStep(
  pair: SeriesPair,
  stepPosition: number,
  hidden: HiddenSeries = {},
): number | null {
  const visible = visibleSeries(pair, hidden);
  const below = greatest(visible.map(series => stepBefore(series, stepPosition, true)));
  const above = smallest(visible.map(series => stepAfter(series, stepPosition)));
  if (below === null || above === null) return below ?? above;
  return stepPosition - below <= above - stepPosition ? below : above;
}

/** The next step of a visible point to the left (-1) or to the right (1), for a cursor moved by keys. */
export function neighbourStep(
  pair: SeriesPair,
  step: number,
  direction: -1 | 1,
  hidden: HiddenSeries = {},
): number | null {
  const visible = visibleSeries(pair, hidden);
  return direction < 0
    ? greatest(visible.map(series => stepBefore(series, step)))
    : smallest(visible.map(series => stepAfter(series, step)));
}

/** The visible values that exist at that very step; a value that does not exist has no key. */
export function readingAt(pair: SeriesPair, step: number, hidden: HiddenSeries = {}): ChartReading {
  const loss = hidden.training ? undefined : valueAtStep(pair.training, step);
  const evalLoss = hidden.evaluation ? undefined : valueAtStep(pair.evaluation, step);
  return { step, ...(loss !== undefined && { loss }), ...(evalLoss !== undefined && { evalLoss }) };
}

function visibleNames(hidden: HiddenSeries): SeriesName[] {
  return (['training', 'evaluation'] as const).filter(name => !hidden[name]);
}

function visibleSeries(pair: SeriesPair, hidden: HiddenSeries): MetricSeries[] {
  return visibleNames(hidden).map(name => pair[name]);
}

function toAxis(minima: (number | null)[], maxima: (number | null)[], integer: boolean): ChartAxis {
  const min = smallest(minima);
  const max = greatest(maxima);
  if (min === null || max === null) return { min: 0, max: 1, ticks: [] };
  const ticks = niceTicks(min, max, { integer });
  return { min, max, ticks: ticks.map(tick => ({ ...tick, position: toFraction(tick.value, min, max) })) };
}

function toLine(series: MetricSeries, limit: number, x: ChartAxis, y: ChartAxis): ChartLine {
  const vertices = downsample(series.values, series.length, limit).map(index => {
    const step = series.steps[index]!;
    const value = series.values[index]!;
    return { step, value, x: toFraction(step, x.min, x.max), y: toFraction(value, y.min, y.max) };
  });
  return { vertices, total: series.length, drawn: vertices.length };
}

function toNote(lines: ChartLine[]): string | null {
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  const drawn = lines.reduce((sum, line) => sum + line.drawn, 0);
  return drawn < total ? `${formatCount(drawn)} of ${formatCount(total)} points drawn` : null;
}

function smallest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.min(...present) : null;
}

function greatest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.max(...present) : null;
}
