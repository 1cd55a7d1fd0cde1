// Collects what events measure into the series of a view, and what the x-axis can count: the time since the start, and
// the tokens learned so far.
import type { EventEffect, StartFacts } from './event-message.js';
import type { MetricTable } from './metrics.js';
import type { RunTimes } from './run-times.js';
import { emptySeries, extendSeries, type MetricSeries, type SeriesBuilder } from './series.js';

interface MeasuredSeries {
  readonly training: MetricSeries;
  readonly evaluation: MetricSeries;
  readonly metrics: MetricTable;
}

interface Measurements {
  /** The greatest step with a loss so far. */
  readonly lastStep: number | null;
  add(effect: Pick<EventEffect, 'point' | 'measured'>, started: StartFacts, times: RunTimes): void;
  build(): MeasuredSeries;
}

/** They have series of their own. */
const LOSSES = new Set(['step', 'loss', 'evalLoss']);

export function extendMeasurements(before: MeasuredSeries): Measurements {
  const training = extendSeries(before.training);
  const evaluation = extendSeries(before.evaluation);
  const metrics = new Map<string, SeriesBuilder>();

  function seriesOf(name: string): SeriesBuilder {
    const known = metrics.get(name);
    if (known) return known;
    const series = extendSeries(before.metrics[name] ?? emptySeries);
    metrics.set(name, series);
    return series;
  }

  return {
    get lastStep() {
      return training.maxStep;
    },
    add({ point, measured = {} }, { trainTokens }, { first, last }) {
      if (!point) return;
      const { step, loss, evalLoss } = point;
      if (loss !== undefined) training.add(step, loss);
      if (evalLoss !== undefined) evaluation.add(step, evalLoss);
      for (const name in measured) {
        const value = measured[name];
        if (typeof value === 'number' && name !== 'tokens' && !LOSSES.has(name))
          seriesOf(name).add(step, value);
      }
      if (first !== null && last !== null) seriesOf('time').add(step, (last - first) / 1000);
      const tokens = tokensSoFar(measured, trainTokens, () => seriesOf('tokens').last ?? 0);
      if (tokens !== null) seriesOf('tokens').add(step, tokens);
    },
    build() {
      const built = [...metrics].map(([name, series]) => [name, series.build()] as const);
      const isSame = built.every(([name, series]) => series === before.metrics[name]);
      return {
        training: training.build(),
        evaluation: evaluation.build(),
        metrics: isSame ? before.metrics : { ...before.metrics, ...Object.fromEntries(built) },
      };
    },
  };
}

/** The sum of what the events say; for runs that do not say it, what the epoch amounts to. */
function tokensSoFar(
  { tokens, epoch }: Readonly<Record<string, unknown>>,
  trainTokens: number | undefined,
  before: () => number,
): number | null {
  if (typeof tokens === 'number') return before() + tokens;
  return typeof epoch === 'number' && trainTokens !== undefined ? Math.round(epoch * trainTokens) : null;
}
