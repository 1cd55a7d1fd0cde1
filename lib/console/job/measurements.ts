// Collects measurements from events into a view's series, and derives x-axis values: the tokens learned so
// far, and the time since the start.

import type { LoggedSteps } from '../../contract/index.js';
import type { MetricTable } from '../chart/metrics.js';
import { emptySeries, extendSeries, type MetricSeries, type SeriesBuilder } from '../chart/series.js';
import type { EventEffect, StartFacts } from './event-message.js';

interface MeasuredSeries {
  readonly training: MetricSeries;
  readonly evaluation: MetricSeries;
  readonly metrics: MetricTable;
}

interface Measurements {
  /** The greatest step with a loss so far. */
  readonly lastStep: number | null;
  add(effect: Pick<EventEffect, 'point' | 'measured'>, started: StartFacts, times: RunTimes): void;
  /** Adds many steps at once, including their times. */
  addSteps(steps: LoggedSteps, started: StartFacts, times: TimesBuilder): void;
  build(): MeasuredSeries;
}

type Measured = Readonly<Record<string, unknown>>;

/** Fields with their own series. */
const LOSSES = new Set(['step', 'loss', 'evalLoss']);

export function extendMeasurements(before: MeasuredSeries): Measurements {
  const training = extendSeries(before.training);
  const evaluation = extendSeries(before.evaluation);
  const metrics = new Map<string, SeriesBuilder>();

  function seriesOf(name: string): SeriesBuilder {
    const known = metrics.get(name);
    if (known) return known;
    // A field name may clash with an inherited property.
    const series = extendSeries(Object.hasOwn(before.metrics, name) ? before.metrics[name]! : emptySeries);
    metrics.set(name, series);
    return series;
  }

  /** Derives x-axis values. */
  function addDerived(
    step: number,
    measured: Measured,
    trainTokens: number | undefined,
    times: RunTimes,
  ): void {
    const { first, last } = times;
    if (first !== null && last !== null) seriesOf('time').add(step, (last - first) / 1000);
    const tokens = tokensSoFar(measured, trainTokens, () => seriesOf('tokens').last ?? 0);
    if (tokens !== null) seriesOf('tokens').add(step, tokens);
  }

  return {
    get lastStep() {
      return training.maxStep;
    },
    add({ point, measured = {} }, { trainTokens }, times) {
      if (!point) return;
      const { step, loss, evalLoss } = point;
      addTo(training, step, loss);
      addTo(evaluation, step, evalLoss);
      for (const name in measured) {
        const value = measured[name];
        if (typeof value === 'number' && name !== 'tokens' && !LOSSES.has(name))
          seriesOf(name).add(step, value);
      }
      addDerived(step, measured, trainTokens, times);
    },
    addSteps(steps, { trainTokens }, times) {
      const { step, loss, evalLoss, tokens, epoch } = steps.columns;
      const others = Object.entries(steps.columns).filter(([name]) => name !== 'tokens' && !LOSSES.has(name));
      for (let index = 0; index < steps.length; index++) {
        const x = step![index]!;
        times.addStep(steps.times[index]!, training.maxStep);
        addTo(training, x, loss?.[index]);
        addTo(evaluation, x, evalLoss?.[index]);
        for (const [name, values] of others)
          if (values[index] !== null) seriesOf(name).add(x, values[index]!);
        addDerived(x, { tokens: tokens?.[index], epoch: epoch?.[index] }, trainTokens, times.times);
      }
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

/** Sums the tokens that the events report; for runs that do not report them, estimates from the epoch. */
function tokensSoFar(
  { tokens, epoch }: Measured,
  trainTokens: number | undefined,
  before: () => number,
): number | null {
  if (typeof tokens === 'number') return before() + tokens;
  return typeof epoch === 'number' && trainTokens !== undefined ? Math.round(epoch * trainTokens) : null;
}

function addTo(series: SeriesBuilder, step: number, value: number | null | undefined): void {
  if (value !== null && value !== undefined) series.add(step, value);
}

/** Timestamps of a run from its events, in milliseconds; null until an event has one. */
export interface RunTimes {
  /** When it first started. */
  readonly first: number | null;
  /** When the last event occurred. */
  readonly last: number | null;
  /** When it last started or resumed, and the last step before that. */
  readonly resumed: { readonly at: number; readonly step: number } | null;
}

export const noTimes: RunTimes = { first: null, last: null, resumed: null };

type Draft = { -readonly [Field in keyof RunTimes]: RunTimes[Field] };

/** Adds many events without copying for each. */
export interface TimesBuilder {
  readonly times: RunTimes;
  /** `lastStep`: the greatest step before this event. */
  add(effect: Pick<EventEffect, 'at' | 'status' | 'point' | 'score'>, lastStep: number | null): void;
  /** A step with its time in milliseconds. */
  addStep(now: number, lastStep: number | null): void;
}

export function extendTimes(before: RunTimes): TimesBuilder {
  const times: Draft = { ...before };
  function addStep(now: number, lastStep: number | null): void {
    times.last = now;
    times.first ??= now;
    times.resumed ??= { at: now, step: lastStep ?? 0 };
  }
  return {
    times,
    addStep,
    add({ at, status, point, score }, lastStep) {
      const now = at === undefined ? Number.NaN : Date.parse(at);
      // A score may arrive long after the run.
      if (Number.isNaN(now) || score) return;
      if (status === 'running') times.resumed = null;
      if (status === 'running' || point) addStep(now, lastStep);
      else times.last = now;
    },
  };
}
