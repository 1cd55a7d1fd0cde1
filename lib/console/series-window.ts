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

function pick(series: MetricSeries, isWanted: (step: number) => boolean): MetricSeries {
  const picked = extendSeries(emptySeries);
  for (let index = 0; index < series.length; index++) {
    const step = series.steps[index]!;
    if (isWanted(step)) picked.add(step, series.values[index]!);
  }
  return picked.build();
}
