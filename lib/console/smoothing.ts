// Smooths a noisy series with an exponential moving average that starts at the first value, not at zero. On a logarithmic
// scale it averages logarithms: otherwise a falling loss would lie far below its average.
import { emptySeries, extendSeries, type MetricSeries } from './series.js';

/** The average looks back about a tenth of the run, within these limits, so that it does not lag behind a short run. */
const SHARE = 0.1;
const LEAST_POINTS = 2;
const MOST_POINTS = 10;

/** `weight`: that of the previous average at each value. On a logarithmic scale, values at or below 0 stay as they are. */
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
