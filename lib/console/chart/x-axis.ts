// X-axes: steps, or other quantities derived from the events of each step. Projects series onto an axis and
// maps positions back to steps.
import { formatDuration, formatNumber } from '../text/format.js';
import type { MetricTable } from './metrics.js';
import {
  emptySeries,
  extendSeries,
  type MetricSeries,
  stepAfter,
  stepBefore,
  valueAtStep,
} from './series.js';
import { niceTicks, type Tick } from './ticks.js';

export const X_AXES = ['step', 'tokens', 'epoch', 'time'] as const;

export type XAxis = (typeof X_AXES)[number];

export const X_AXIS_LABELS: Readonly<Record<XAxis, string>> = {
  step: 'step',
  tokens: 'tokens',
  epoch: 'epoch',
  time: 'time',
};

/** The axes that these events support. */
export function offeredAxes(metrics: MetricTable): XAxis[] {
  return X_AXES.filter(axis => axis === 'step' || (metrics[axis]?.length ?? 0) > 0);
}

/** The chosen axis, or steps if the events do not support it. */
export function usableAxis(metrics: MetricTable, wanted: XAxis): XAxis {
  return offeredAxes(metrics).includes(wanted) ? wanted : 'step';
}

/** The axis value at a step, between those of the steps around it; undefined after the last known one. */
export function xOfStep(metrics: MetricTable, axis: XAxis, step: number): number | undefined {
  return axis === 'step' ? step : valueAround(metrics[axis] ?? emptySeries, step);
}

/** The step at a value on the axis. */
export function stepOfX(metrics: MetricTable, axis: XAxis, x: number): number {
  if (axis === 'step') return x;
  const along = metrics[axis] ?? emptySeries;
  return Math.round(
    valueAround({ ...along, steps: along.values, values: along.steps, ascending: false }, x) ?? x,
  );
}

/** The value at a step, or on the line between the points around it: every axis begins with 0 at step 0. */
function valueAround(series: MetricSeries, step: number): number | undefined {
  const known = valueAtStep(series, step);
  const after = known === undefined && step >= 0 ? stepAfter(series, step) : null;
  if (after === null) return known;
  const before = stepBefore(series, step) ?? 0;
  const from = valueAtStep(series, before) ?? 0;
  return from + ((valueAtStep(series, after)! - from) * (step - before)) / (after - before);
}

const projected = new WeakMap<MetricSeries, Map<MetricSeries, MetricSeries>>();

/** The series with axis values in place of steps, without the points that have none. */
export function projectSeries(series: MetricSeries, metrics: MetricTable, axis: XAxis): MetricSeries {
  const along = metrics[axis];
  if (axis === 'step' || !along) return series;
  const known = projected.get(series)?.get(along);
  if (known) return known;
  const points = extendSeries(emptySeries);
  for (let index = 0; index < series.length; index++) {
    const x = valueAround(along, series.steps[index]!);
    if (x !== undefined) points.add(x, series.values[index]!);
  }
  const result = points.build();
  projected.set(series, new Map([[along, result]]));
  return result;
}

/** Round durations, in seconds. */
const TIME_STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
];
const USUAL_TICKS = 5;

/** About `target` round places on the axis. */
export function xTicks(axis: XAxis, min: number, max: number, target = USUAL_TICKS): Tick[] {
  if (axis !== 'time') return niceTicks(min, max, { integer: axis !== 'epoch', target });
  if (min === max) return [{ value: min, label: formatX(axis, min) }];
  const step = TIME_STEPS.find(size => (max - min) / size <= target + 1);
  if (step === undefined || max - min < TIME_STEPS[0]!)
    return niceTicks(min, max, { target })
      .map(({ value }) => ({ value, label: formatX(axis, value) }))
      .filter(({ label }, index, all) => label !== all[index - 1]?.label);
  const first = Math.ceil(min / step);
  const count = Math.floor(max / step) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const value = (first + index) * step;
    return { value, label: value === 0 ? '0' : formatSpan(value) };
  });
}

/** To the second, without zero parts: `90 s` is `1 min 30 s`, `120 s` is `2 min`, `3690 s` is `1 h 1 min 30 s`. */
function formatSpan(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds < 3600 ? 0 : seconds % 60;
  const whole = formatDuration((seconds - rest) * 1000);
  return rest === 0 ? whole : `${whole} ${rest} s`;
}

/** Formats a value on the axis, for example for a tooltip. */
export function formatX(axis: XAxis, x: number): string {
  if (axis === 'time') return formatDuration(x * 1000);
  return axis === 'epoch' ? formatNumber(x) : Math.round(x).toLocaleString('en-US');
}
