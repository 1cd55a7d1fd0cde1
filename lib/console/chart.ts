// The loss chart as both the browser and the terminal draw it. Positions are fractions of the plot; converting them to
// pixels or character cells is up to the caller.
import { downsample } from './downsample.js';
import { formatCount } from './format.js';
import { type MetricSeries, stepAfter, stepBefore, valueAtStep } from './series.js';
import { niceTicks, type Tick, toFraction } from './ticks.js';

export type SeriesName = 'training' | 'evaluation';
export type SeriesPair = Readonly<Record<SeriesName, MetricSeries>>;
export type HiddenSeries = { readonly [name in SeriesName]?: boolean | undefined };

/** More would not be visible: the widest screens have 7,680 columns, and four points fill a column. */
export const SCREEN_VERTICES = 4 * 7680;

interface ChartOptions {
  /** The most vertices per line; longer series are downsampled. Default: `SCREEN_VERTICES`. */
  readonly maxVertices?: number;
  readonly hidden?: HiddenSeries;
}

interface AxisTick extends Tick {
  /** 0 at the axis minimum, 1 at the maximum. */
  readonly position: number;
}

interface ChartAxis {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly AxisTick[];
}

export interface ChartVertex {
  readonly step: number;
  readonly value: number;
  /** 0 at the left, 1 at the right. */
  readonly x: number;
  /** 0 at the bottom, 1 at the top. */
  readonly y: number;
}

interface ChartLine {
  /** In event order; empty while the series is hidden. */
  readonly vertices: readonly ChartVertex[];
  readonly total: number;
  readonly drawn: number;
}

export interface ChartModel {
  /** True until there is a point in either series; show a placeholder instead of the chart. */
  readonly waiting: boolean;
  /** Covers both series, so that hiding one does not shift the steps. */
  readonly x: ChartAxis;
  /** Covers the visible series. */
  readonly y: ChartAxis;
  readonly training: ChartLine;
  readonly evaluation: ChartLine;
  readonly legend: readonly SeriesName[];
  /** Set when not every point of the visible series is drawn. */
  readonly note: string | null;
}

export interface ChartReading {
  readonly step: number;
  readonly loss?: number;
  readonly evalLoss?: number;
}

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

/** The fractional step at a position on the x axis, 0 at the left to 1 at the right; clamped to that range. */
export function stepAtFraction(model: ChartModel, fraction: number): number {
  const { min, max } = model.x;
  const inside = fraction > 0 ? Math.min(fraction, 1) : 0;
  return min * (1 - inside) + max * inside;
}

/** The step of the visible point nearest to a fractional step; on a tie, the lower one. */
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

/** The step of the next visible point to the left (-1) or right (1), for moving the cursor by key. */
export function neighborStep(
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

/** The visible values at exactly that step; a missing value has no key. */
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
