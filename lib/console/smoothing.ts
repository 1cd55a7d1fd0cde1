// Smooths a noisy series with an exponential moving average that starts at the first value, not at zero.
import { emptySeries, extendSeries, type MetricSeries } from './series.js';

/** The weight of the previous average at each value. */
const SMOOTHING = 0.9;

export function smoothSeries(series: MetricSeries, weight: number = SMOOTHING): MetricSeries {
  const smoothed = extendSeries(emptySeries);
  let average = 0;
  let debt = 1;
  for (let index = 0; index < series.length; index++) {
    average = average * weight + series.values[index]! * (1 - weight);
    debt *= weight;
    smoothed.add(series.steps[index]!, average / (1 - debt));
  }
  return smoothed.build();
}
