// The scores of a job's adapters: in its charts, its facts and its log, and which one is the best.
import { describe, expect, it } from 'vitest';
import {
  awaitsScores,
  chartableMetrics,
  isSilent,
  type JobView,
  metricLabel,
  metricPair,
  runSummary,
} from '../../lib/console/index.js';
import type { Job } from '../../lib/contract/index.js';
import { facts, frame, polled, viewOf } from './support/play.js';

const AT = '2026-03-01T10:00:00.000Z';
const score = (step: unknown, name: string, value: unknown) => frame('score.recorded', { step, name, value });
const log = (fields: object) => frame('training.log', fields);
const points = (view: JobView, name: string) => {
  const { steps, values, length } = metricPair(view.metrics, name).evaluation;
  return Array.from({ length }, (_, index) => `${steps[index]}: ${values[index]}`);
};

const started = frame('training.started', { totalSteps: 60, model: 'm', dataset: 'd', timestamp: AT });

describe('scores', () => {
  it('are charted before other metrics, under their own names, in the order of their steps', () => {
    const logged = log({ step: 30, loss: 1, learningRate: 0.1 });
    const scored = [score(40, 'exactMatch', 0.5), score(20, 'exactMatch', 0.25), score(20, 'tone', 3)];
    const view = viewOf(started, logged, ...scored);
    expect(chartableMetrics(view.metrics)).toEqual(['score:exactMatch', 'score:tone', 'learningRate']);
    expect(metricLabel('score:exactMatch')).toBe('exactMatch');
    expect(points(view, 'score:exactMatch')).toEqual(['20: 0.25', '40: 0.5']);
    expect(view.log.at(-1)).toMatchObject({ event: 'score.recorded', message: 'step=20 tone=3' });
  });

  it('count once, whether the events say them, the job, or both', () => {
    const scores = [3, 4].map((value, index) => ({ step: [20, 60][index]!, name: 'tone', value }));
    const both = polled({ scores }, viewOf(started, score(20, 'tone', 3)));
    expect(points(both, 'score:tone')).toEqual(['20: 3', '60: 4']);
    expect(polled({ scores }, both).metrics).toBe(both.metrics);
  });

  it.each([
    ['a step that is no number', score('x', 'tone', 1)],
    ['a value that is no number', score(20, 'tone', null)],
    ['no name', score(20, '', 1)],
  ])('are ignored with %s', (_, wrong) => expect(viewOf(started, wrong).metrics).toEqual({}));

  it.each([
    [{ score: 'tone', higher: true }, 'tone 5 at step 40'],
    [{ score: 'tone' }, 'tone 5 at step 40'],
    [{ score: 'tone', higher: false }, 'tone 3 at step 20'],
    [undefined, undefined],
    [{ score: 'unknown' }, undefined],
  ])('decide which adapter is the best with %o', (bestBy, best) => {
    const scored = [score(20, 'tone', 3), score(40, 'tone', 5), score(60, 'tone', 4)];
    const trained = viewOf(started, log({ step: 10, loss: 1, evalLoss: 2 }), ...scored);
    const view = polled({ config: { evals: ['tone'], ...(bestBy && { bestBy }) } }, trained);
    const bestEval = best === undefined ? '2 at step 10' : undefined;
    const { 'Best score': bestScore, 'Best eval loss': bestLoss, Scores } = facts(view);
    expect([bestScore, bestLoss, Scores]).toEqual([best, bestEval, 'tone 4']);
    expect(runSummary(view, 0).bestEval).toEqual({ value: 2, step: 10 });
  });

  it('do not hide that a job waits no more, which no event says', () => {
    const view = polled(
      { status: 'running', waitingFor: 'An earlier job is still running.' },
      viewOf(started),
    );
    expect(isSilent(view, view.eventCount - 1)).toBe(true);
    const goesOn = polled({ status: 'running', waitingFor: null }, view);
    expect(isSilent(goesOn, goesOn.eventCount - 1)).toBe(false);
  });

  it('of the final adapter are waited for after the end, for a while', () => {
    const job: Partial<Job> = { status: 'completed', completedAt: AT, config: { evals: ['tone'] } };
    const now = Date.parse(AT) + 60_000;
    const over = polled(job, viewOf(started, frame('end', { status: 'completed' })));
    const isAsked = (more: Partial<Job> = {}, when = now) => {
      const view = polled({ ...job, ...more }, over);
      return isSilent(view, view.eventCount, when);
    };
    const scoredAt = (step: number) => ({ scores: [{ step, name: 'tone', value: 1 }] });
    expect([isAsked(), isAsked({}, now + 10 * 60_000)]).toEqual([true, false]);
    const asked = [scoredAt(20), scoredAt(60), { config: {} }].map(more => isAsked(more));
    expect(asked).toEqual([true, false, false]);
    const waits = (['completed', 'failed', 'cancelled', 'running'] as const).map(status =>
      awaitsScores({ metrics: {}, lastStep: 60 }, { ...over.polled!, status }, now),
    );
    expect(waits).toEqual([true, false, false, false]);
  });
});
