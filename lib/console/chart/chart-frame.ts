// The visible part of a chart's lines: the zoomed part of the x-axis, smoothed on request, and the matching
// y-axis.
import type { XRange } from './chart-choices.js';
import { emptySeries, extendSeries, type MetricSeries, stepAfter, stepBefore } from './series.js';
import { toValueScale, type ValueScale, widenScale, withoutOutliers } from './value-axis.js';

interface FrameOptions {
  readonly isLog?: boolean;
  readonly isSmooth?: boolean;
  readonly ignoresOutliers?: boolean;
  readonly zoom?: XRange | null;
}

export interface ChartFrame {
  /** Null without values. */
  readonly scale: ValueScale | null;
  /** The visible points. */
  readonly points: readonly MetricSeries[];
  /** Null for a series that is not smoothed. */
  smoothed(series: MetricSeries): MetricSeries | null;
}

/** `lines`: the series to show; `otherwise`: what the y-axis covers if none of them is in the zoom. */
export function frameLines(
  lines: readonly MetricSeries[],
  otherwise: readonly MetricSeries[],
  options: FrameOptions,
  smoothable: readonly MetricSeries[] = lines,
): ChartFrame {
  const { zoom = null, isLog = false, isSmooth = false, ignoresOutliers = false } = options;
  const along = linesAlong(lines, zoom, isLog);
  const scale = toValueScale(along.some(hasPoints) ? along : otherwise, options);
  const isLogScale = scale?.isLog ?? false;
  const calm = (series: MetricSeries) => (ignoresOutliers ? withoutOutliers(series, isLogScale) : series);
  const smoothed = new Map(
    isSmooth
      ? lines
          .filter(series => smoothable.includes(series) && series.length > 1)
          .map(series => [series, smoothSeries(calm(series), isLogScale)])
      : [],
  );
  return {
    scale:
      scale && (zoom || ignoresOutliers)
        ? widenScale(scale, linesAlong([...smoothed.values()], zoom, isLogScale))
        : scale,
    points: lines.map(series => within(series, zoom)),
    smoothed: series => smoothed.get(series) ?? null,
  };
}

/** Uses the linear scale as well if no line has a value on a logarithmic one. */
function linesAlong(lines: readonly MetricSeries[], zoom: XRange | null, isLog: boolean): MetricSeries[] {
  const along = lines.map(series => alongZoom(series, zoom, isLog));
  return isLog && !along.some(hasPoints) ? lines.map(series => alongZoom(series, zoom, false)) : along;
}

export function hasPoints({ length }: MetricSeries): boolean {
  return length > 0;
}

/** The points inside the zoom; all of them without one. */
export function within(series: MetricSeries, zoom: XRange | null): MetricSeries {
  return zoom ? pick(series, step => step >= zoom.from && step <= zoom.to) : series;
}

/** Like `within`, plus the neighbors on both sides, so that lines reach the edges. */
export function aroundZoom(series: MetricSeries, zoom: XRange | null): MetricSeries {
  if (!zoom) return series;
  const before = stepBefore(series, zoom.from) ?? zoom.from;
  const after = stepAfter(series, zoom.to) ?? zoom.to;
  return pick(series, step => step >= before && step <= after);
}

/** The points inside the zoom, and the points where the line crosses its edges, as drawn on that scale. */
export function alongZoom(series: MetricSeries, zoom: XRange | null, isLog: boolean): MetricSeries {
  if (!zoom) return series;
  const along = extendSeries(emptySeries);
  let before: Point | null = null;
  for (let index = 0; index < series.length; index++) {
    const point = { step: series.steps[index]!, value: series.values[index]! };
    if (isLog && point.value <= 0) continue;
    for (const edge of before ? edgesBetween(before, point, zoom) : [])
      along.add(edge, valueBetween(before!, point, edge, isLog));
    if (point.step >= zoom.from && point.step <= zoom.to) along.add(point.step, point.value);
    before = point;
  }
  return along.build();
}

interface Point {
  readonly step: number;
  readonly value: number;
}

/** The zoom's edges between two points, in the direction of the line. */
function edgesBetween(a: Point, b: Point, { from, to }: XRange): number[] {
  const [low, high] = [Math.min(a.step, b.step), Math.max(a.step, b.step)];
  const crossed = [from, to].filter(edge => low < edge && edge < high);
  return a.step <= b.step ? crossed : crossed.reverse();
}

function valueBetween(a: Point, b: Point, step: number, isLog: boolean): number {
  const share = (step - a.step) / (b.step - a.step);
  const between = (from: number, to: number) => from * (1 - share) + to * share;
  return isLog ? Math.exp(between(Math.log(a.value), Math.log(b.value))) : between(a.value, b.value);
}

function pick(series: MetricSeries, isWanted: (step: number) => boolean): MetricSeries {
  const picked = extendSeries(emptySeries);
  for (let index = 0; index < series.length; index++) {
    const step = series.steps[index]!;
    if (isWanted(step)) picked.add(step, series.values[index]!);
  }
  return picked.build();
}

/** The average looks back about a tenth of the run, within these limits, so that it does not lag behind a short run. */
const SHARE = 0.1;
const LEAST_POINTS = 2;
const MOST_POINTS = 10;

/**
 * Smooths a noisy series with an exponential moving average that starts at the first value, not at zero. On a
 * logarithmic scale it averages logarithms: otherwise a falling loss would lie far below its average. Values
 * at or below 0 are left unchanged. `weight`: the weight of the previous average at each value. @internal
 */
export function smoothSeries(
  series: MetricSeries,
  isLog = false,
  weight: number = fittingWeight(series.length),
): MetricSeries {
  const smoothed = extendSeries(emptySeries);
  let average = 0;
  let debt = 1;
  for (let index = 0; index < series.length; index++) {
    const [step, value] = [series.steps[index]!, series.values[index]!];
    if (isLog && value <= 0) {
      smoothed.add(step, value);
      continue;
    }
    average = average * weight + (isLog ? Math.log(value) : value) * (1 - weight);
    debt *= weight;
    const now = average / (1 - debt);
    smoothed.add(step, isLog ? Math.exp(now) : now);
  }
  return smoothed.build();
}

function fittingWeight(length: number): number {
  return 1 - 1 / Math.min(MOST_POINTS, Math.max(LEAST_POINTS, length * SHARE));
}
