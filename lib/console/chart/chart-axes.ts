// What charts share: their axes, lines as vertices, and the note on what is not shown. Positions are
// fractions of the plot.

import { plural } from '../text/format.js';
import type { XRange } from './chart-choices.js';
import { greatest, type MetricSeries, smallest } from './series.js';
import { type Tick, toFraction } from './ticks.js';
import { countBeyond, type ValueScale, valueFraction, valueTicks } from './value-axis.js';
import { type XAxis, xTicks } from './x-axis.js';

/** How to draw a chart, besides the lines themselves. */
export interface DrawOptions {
  readonly isLog?: boolean;
  readonly isSmooth?: boolean;
  readonly ignoresOutliers?: boolean;
  /** Shows only this part of the x-axis. */
  readonly zoom?: XRange | null;
  /** The minimum end of the x-axis. */
  readonly reach?: number | null;
  /** The x-axis, if the series were projected onto one other than steps. */
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

/** A chart's axes, and the full range for zooming. */
export interface ChartAxes {
  readonly x: ChartAxis;
  readonly whole: XRange;
  readonly y: ChartAxis & ValueScale;
}

export interface ChartVertex {
  readonly step: number;
  readonly value: number;
  /** 0 at the left, 1 at the right. */
  readonly x: number;
  /** 0 at the bottom, 1 at the top; outside that range for ignored outliers. */
  readonly y: number;
}

const EMPTY_SCALE: ValueScale = { isLog: false, min: 0, max: 1 };

/** `scale`: null without values. */
export function toAxes(
  all: readonly MetricSeries[],
  scale: ValueScale | null,
  { zoom = null, reach = null, axis = 'step' }: DrawOptions,
): ChartAxes {
  const whole = toWhole(all, reach);
  return { x: toXAxis(scale ? (zoom ?? whole) : null, axis), whole, y: toYAxis(scale) };
}

/** Every point of the series, in event order, except values that a logarithmic scale cannot show. */
export function toVertices(series: MetricSeries, { x, y }: ChartAxes): ChartVertex[] {
  const vertices: ChartVertex[] = [];
  for (let index = 0; index < series.length; index++) {
    const step = series.steps[index]!;
    const value = series.values[index]!;
    const height = valueFraction(y, value);
    if (!Number.isNaN(height)) vertices.push({ step, value, x: toFraction(step, x.min, x.max), y: height });
  }
  return vertices;
}

/** Describes the points that this scale does not show; null if it shows all of them. */
export function chartNote(
  series: readonly MetricSeries[],
  scale: ValueScale | null,
  { isLog = false, ignoresOutliers = false }: Pick<DrawOptions, 'isLog' | 'ignoresOutliers'>,
): string | null {
  if (!scale) return null;
  const beyond =
    ignoresOutliers || scale.isLog ? series.reduce((sum, one) => sum + countBeyond(one, scale), 0) : 0;
  const notes = [
    isLog && !scale.isLog ? 'No values above 0: using a linear scale.' : null,
    beyond > 0
      ? `${plural(beyond, 'value')} ${ignoresOutliers ? 'out of range' : 'at or below 0 not shown'}`
      : null,
  ].filter(note => note !== null);
  return notes.length > 0 ? notes.join(' · ') : null;
}

/** The fractional step at a position on the x-axis, 0 at the left to 1 at the right; clamped to that range. */
export function stepAtFraction({ x: { min, max } }: Pick<ChartAxes, 'x'>, fraction: number): number {
  const inside = fraction > 0 ? Math.min(fraction, 1) : 0;
  return min * (1 - inside) + max * inside;
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
