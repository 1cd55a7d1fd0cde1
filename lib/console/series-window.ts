// The part of a series in a stretch of the x-axis.
import type { XRange } from './chart-choices.js';
import { emptySeries, extendSeries, type MetricSeries, stepAfter, stepBefore } from './series.js';

/** The points inside a stretch; all of them without one. */
export function within(series: MetricSeries, zoom: XRange | null): MetricSeries {
  return zoom ? pick(series, step => step >= zoom.from && step <= zoom.to) : series;
}

/** The same with the neighbors outside, so that lines run up to the edges. */
export function aroundZoom(series: MetricSeries, zoom: XRange | null): MetricSeries {
  if (!zoom) return series;
  const before = stepBefore(series, zoom.from) ?? zoom.from;
  const after = stepAfter(series, zoom.to) ?? zoom.to;
  return pick(series, step => step >= before && step <= after);
}

/** The points inside a stretch, and where the line between points enters and leaves it, as that scale draws it. */
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

/** The edges that lie between two points, in the direction of the line. */
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
