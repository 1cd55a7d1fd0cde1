// A job's page is the same whether its events come one by one or in columns.
import { describe, expect, it } from 'vitest';
import { chartableMetrics, initialJobView, type JobView, reduceJobView } from '../../lib/console/index.js';
import { LOG_LIMIT } from '../../lib/console/job/log-entries.js';
import { type EventFrame, type LogPart, readLogLine, writeLogLines } from '../../lib/contract/index.js';
import { toLogParts } from '../support/log-parts.js';
import { randomEvents } from '../support/random-events.js';

const take = (view: JobView, parts: readonly LogPart[]) => reduceJobView(view, { type: 'events', parts });

/** As a cloud sends them: so many at a time, with steps in columns. */
function asLog(events: readonly EventFrame[], size: number): LogPart[][] {
  const count = Math.ceil(events.length / size);
  return Array.from({ length: count }, (_, at) => {
    const lines = writeLogLines(toLogParts(events.slice(at * size, (at + 1) * size)));
    return lines.trimEnd().split('\n').map(readLogLine);
  });
}

/** A view with what lies behind its getters, and without what its arrays have beyond their lengths. */
function plain({ log, training, evaluation, metrics, ...rest }: JobView) {
  const points = ({ steps, values, length, ...others }: JobView['training']) => {
    return { ...others, points: Array.from({ length }, (_, at) => [steps[at], values[at]]) };
  };
  return {
    ...rest,
    training: points(training),
    evaluation: points(evaluation),
    metrics: Object.fromEntries(Object.entries(metrics).map(([name, series]) => [name, points(series)])),
    charts: chartableMetrics(metrics),
    log: log.map(({ key, event, message, at }) => ({ key, event, message, at })),
  };
}

/** A few at a time. */
function oneByOne(events: readonly EventFrame[]): JobView {
  let view = initialJobView;
  for (let at = 0; at < events.length; at += 7) view = take(view, events.slice(at, at + 7));
  return view;
}

describe('the events of a job in columns', () => {
  it.each([0, 0.02, 0.2])('come to the same as one by one, however strange (%f)', strangeness => {
    for (let seed = 1; seed <= 3; seed++) {
      const events = randomEvents(seed, 900, strangeness);
      const batched = asLog(events, 20 + seed * 40).reduce(take, initialJobView);
      expect(plain(batched)).toEqual(plain(oneByOne(events)));
    }
  });

  it('are taken once each, if they come again or overlap with events that came alone', () => {
    const events = randomEvents(3, 400, 0.02);
    const [first, second] = asLog(events, 200) as [LogPart[], LogPart[]];
    const again = [oneByOne(events.slice(0, 150)), oneByOne(events.slice(0, 250))].map(view =>
      [first, second, first, second].reduce(take, view),
    );
    for (const view of again) expect(plain(view)).toEqual(plain(oneByOne(events)));
  });

  it('change nothing when all of them are known, and clear an interruption', () => {
    const events = randomEvents(4, 100, 0);
    const [batch] = asLog(events, 100) as [LogPart[]];
    const view = take(initialJobView, batch);
    expect(take(view, batch)).toBe(view);
    const [first, second] = asLog(randomEvents(5, 100, 0), 50) as [LogPart[], LogPart[]];
    const broken = reduceJobView(take(initialJobView, first), { type: 'interrupted' });
    expect([first, second].map(batch => take(broken, batch).interrupted)).toEqual([false, false]);
  });

  it(`keep every point, and the latest ${LOG_LIMIT} entries with their texts to the letter`, () => {
    const events = Array.from({ length: 3000 }, (_, at) => {
      const start = `{"type":"training.log","jobId":"j","timestamp":"2026-01-01T00:00:00.000Z"`;
      const isOdd = at % 7 === 0;
      const data = `${start},"step":${at + 1},"loss":${isOdd ? '2.50,"note":1e999' : at / 7}}`;
      return { id: String(at + 1), event: 'training.log', data };
    });
    const view = asLog(events, 1000).reduce(take, initialJobView);
    expect([view.training.length, view.eventCount, view.cursor]).toEqual([3000, 3000, '3000']);
    expect(view.log.map(({ key }) => key)).toEqual(Array.from({ length: LOG_LIMIT }, (_, at) => 2500 + at));
    const last = [2997, 2998, 2999].map(at => `step=${at + 1} loss=${at / 7}`);
    expect(view.log.slice(-4).map(({ message }) => message)).toEqual(['step=2997 loss=2.50', ...last]);
  });
});
