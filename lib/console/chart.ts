// The loss chart as both the browser and the terminal draw it. Positions are fractions of the plot; converting them to
// pixels or character cells is up to the caller.
import type { XRange } from './chart-choices.js';
import { downsample } from './downsample.js';
import { formatCount, plural } from './format.js';
import { type MetricSeries, stepAfter, stepBefore, valueAtStep } from './series.js';
import { aroundZoom, within } from './series-window.js';
import { smoothSeries } from './smoothing.js';
import { type Tick, toFraction } from './ticks.js';
import { countBeyond, toValueScale, type ValueScale, valueFraction, valueTicks } from './value-axis.js';
import { type XAxis, xTicks } from './x-axis.js';

export type SeriesName = 'training' | 'evaluation';
export type SeriesPair = Readonly<Record<SeriesName, MetricSeries>>;
export type HiddenSeries = { readonly [name in SeriesName]?: boolean | undefined };

/** More would not be visible: the widest screens have 7,680 columns, and four points fill a column. */
export const SCREEN_VERTICES = 4 * 7680;

interface ChartOptions {
  /** The most vertices per line; longer series are downsampled. Default: `SCREEN_VERTICES`. */
  readonly maxVertices?: number;
  readonly hidden?: HiddenSeries;
  readonly isLog?: boolean;
  readonly isSmooth?: boolean;
  readonly ignoresOutliers?: boolean;
  /** The stretch of the x-axis to show instead of everything. */
  readonly zoom?: XRange | null;
  /** The x-axis reaches at least to here. */
  readonly reach?: number | null;
  /** What the series have as their steps, if they were projected onto another axis. */
  readonly axis?: XAxis;
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
  /** 0 at the bottom, 1 at the top; beyond for outliers that are ignored. */
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
  /** All that can be zoomed into. */
  readonly whole: XRange;
  /** Covers the visible series. */
  readonly y: ChartAxis & ValueScale;
  readonly training: ChartLine;
  readonly evaluation: ChartLine;
  /** The training loss itself, behind its smoothed line; empty without smoothing. */
  readonly raw: ChartLine;
  readonly legend: readonly SeriesName[];
  /** Set when not every point of the visible series is drawn. */
  readonly note: string | null;
}

export interface ChartReading {
  readonly step: number;
  readonly loss?: number;
  readonly evalLoss?: number;
}

const NO_LINE: ChartLine = { vertices: [], total: 0, drawn: 0 };
const EMPTY_SCALE: ValueScale = { isLog: false, min: 0, max: 1 };

export function chartModel(pair: SeriesPair, options: ChartOptions = {}): ChartModel {
  const { maxVertices = SCREEN_VERTICES, hidden = {}, zoom = null, reach = null, axis = 'step' } = options;
  const all = [pair.training, pair.evaluation];
  const whole = toWhole(all, reach);
  const shown = zoom ?? whole;
  const names = visibleNames(hidden);
  const visible = names.map(name => pair[name]);
  const framed = (visible.some(({ length }) => length > 0) ? visible : all).map(series =>
    within(series, zoom),
  );
  const scale = toValueScale(framed.some(({ length }) => length > 0) ? framed : all, options);
  const isSmooth = options.isSmooth === true && pair.training.length > 1;
  const draw = (series: MetricSeries, isHidden: boolean | undefined) =>
    toLine(aroundZoom(series, zoom), isHidden ? 0 : maxVertices, shown, scale ?? EMPTY_SCALE);
  const lines = {
    training: draw(isSmooth ? smoothSeries(pair.training) : pair.training, hidden.training),
    evaluation: draw(pair.evaluation, hidden.evaluation),
  };
  return {
    waiting: all.every(series => series.length === 0),
    x: toXAxis(scale ? shown : null, axis),
    whole,
    y: toYAxis(scale),
    ...lines,
    raw: isSmooth ? draw(pair.training, hidden.training) : NO_LINE,
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: toNote(
      names.map(name => lines[name]),
      framed,
      scale,
      options,
    ),
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

function toWhole(all: readonly MetricSeries[], reach: number | null): XRange {
  const from = smallest(all.map(series => series.minStep)) ?? 0;
  const to = greatest(all.map(series => series.maxStep)) ?? 1;
  return { from, to: reach === null ? to : Math.max(to, reach) };
}

function toXAxis(shown: XRange | null, axis: XAxis): ChartAxis {
  if (!shown) return { min: 0, max: 1, ticks: [] };
  const { from: min, to: max } = shown;
  const ticks = xTicks(axis, min, max);
  return { min, max, ticks: ticks.map(tick => ({ ...tick, position: toFraction(tick.value, min, max) })) };
}

function toYAxis(scale: ValueScale | null): ChartAxis & ValueScale {
  if (!scale) return { ...EMPTY_SCALE, ticks: [] };
  return {
    ...scale,
    ticks: valueTicks(scale).map(tick => ({ ...tick, position: valueFraction(scale, tick.value) })),
  };
}

function toLine(series: MetricSeries, limit: number, { from, to }: XRange, scale: ValueScale): ChartLine {
  const vertices = downsample(series.values, series.length, limit).map(index => {
    const step = series.steps[index]!;
    const value = series.values[index]!;
    return { step, value, x: toFraction(step, from, to), y: valueFraction(scale, value) };
  });
  const shown = scale.isLog ? vertices.filter(({ y }) => !Number.isNaN(y)) : vertices;
  return { vertices: shown, total: series.length, drawn: vertices.length };
}

function toNote(
  lines: readonly ChartLine[],
  series: readonly MetricSeries[],
  scale: ValueScale | null,
  { isLog, ignoresOutliers }: ChartOptions,
): string | null {
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  const drawn = lines.reduce((sum, line) => sum + line.drawn, 0);
  const beyond =
    scale && (ignoresOutliers || scale.isLog)
      ? series.reduce((sum, one) => sum + countBeyond(one, scale), 0)
      : 0;
  const notes = [
    drawn < total ? `${formatCount(drawn)} of ${formatCount(total)} points drawn` : null,
    isLog && scale && !scale.isLog ? 'No values above 0: using a linear scale.' : null,
    beyond > 0
      ? `${plural(beyond, 'value')} ${ignoresOutliers ? 'out of range' : 'at or below 0 not shown'}`
      : null,
  ].filter(note => note !== null);
  return notes.length > 0 ? notes.join(' · ') : null;
}

function smallest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.min(...present) : null;
}

function greatest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.max(...present) : null;
}
