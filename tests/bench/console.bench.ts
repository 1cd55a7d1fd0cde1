// How long the view models take on a run of 100,000 points: what decides whether a face can follow it live.
import { chartModel, nearestStep, readingAt } from '../../lib/console/chart/chart.js';
import { stepAtFraction } from '../../lib/console/chart/chart-axes.js';
import { appendPoint, emptySeries, type MetricSeries } from '../../lib/console/chart/series.js';
import { summarize } from '../../lib/console/chart/statistics.js';
import { initialJobView, reduceJobView } from '../../lib/console/job/job-view.js';
import { median } from './median.js';

const POINTS = 100_000;
const HOVERS = 10_000;

export const name = 'console';

export async function run(): Promise<Array<Record<string, string | number>>> {
  const pair = { training: longSeries(), evaluation: longSeries() };
  const model = chartModel(pair);
  const alone = { training: pair.training, evaluation: emptySeries };
  return [
    { what: '100,000 appends', ms: medianMs(longSeries) },
    { what: 'a job of 100,000 events, replayed', ms: medianMs(replay, 3) },
    { what: 'chart of 100,000 points', ms: medianMs(() => chartModel(alone)) },
    {
      what: 'one hover over two series of 100,000 points',
      ms:
        medianMs(() => {
          for (let index = 0; index < HOVERS; index++) {
            readingAt(pair, nearestStep(pair, stepAtFraction(model, (index + 0.5) / HOVERS)) ?? 0);
          }
        }) / HOVERS,
    },
    {
      what: 'statistics of 100,000 values',
      ms: medianMs(() => summarize(pair.training.values, pair.training.length)),
    },
  ];
}

function replay(): void {
  let view = initialJobView;
  for (let step = 1; step <= POINTS; step++) {
    const data = `{"type":"training.log","jobId":"j","timestamp":"2026-01-01T00:00:00.000Z","step":${step},"loss":${3 / step},"learningRate":0.0002,"epoch":1,"tokensPerSecond":1234.5}`;
    const parts = [{ id: String(step), event: 'training.log', data }];
    view = reduceJobView(view, { type: 'events', parts });
  }
}

function longSeries(): MetricSeries {
  let series = emptySeries;
  for (let step = 1; step <= POINTS; step++) {
    series = appendPoint(series, step, 3 / Math.sqrt(step) + Math.sin(step * 12.9898) / 10);
  }
  return series;
}

function medianMs(work: () => unknown, times = 15): number {
  const samples = Array.from({ length: times }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return median(samples);
}
