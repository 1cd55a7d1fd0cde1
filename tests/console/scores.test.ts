// The scores of a job's adapters: in its charts, its facts and its log, and which one is the best.
import { describe, expect, it } from 'vitest';
import {
  awaitsScores,
  chartableMetrics,
  initialJobView,
  isSilent,
  type JobView,
  metadataRows,
  metricLabel,
  metricPair,
  reduceJobView,
  runSummary,
} from '../../lib/console/index.js';
import type { Job } from '../../lib/contract/index.js';
import { JOB_ID, sampleJob } from '../support/samples.js';

const AT = '2026-03-01T10:00:00.000Z';
const common = { jobId: JOB_ID, timestamp: AT };
let seq = 0;
const frame = (event: string, fields: object) => ({
  id: String(++seq),
  event,
  data: JSON.stringify({ type: event, ...common, ...fields }),
});
const score = (step: number, name: string, value: unknown) => frame('score.recorded', { step, name, value });
const play = (view: JobView, ...frames: ReturnType<typeof frame>[]) =>
  reduceJobView(view, { type: 'frames', frames });
const polled = (view: JobView, job: Partial<Job>) =>
  reduceJobView(view, { type: 'polled', job: sampleJob(job) });
const points = (view: JobView, name: string) => {
  const { steps, values, length } = metricPair(view.metrics, name).evaluation;
  return Array.from({ length }, (_, index) => [steps[index], values[index]]);
};
const fact = (view: JobView, wanted: string) =>
  metadataRows(view, JOB_ID).find(({ label }) => label === wanted)?.value;

const started = frame('training.started', { totalSteps: 60, model: 'm', dataset: 'd' });

describe('scores', () => {
  it('are charted before other metrics, under their own names, in the order of their steps', () => {
    const view = play(
      initialJobView,
      started,
      frame('training.log', { step: 30, loss: 1, learningRate: 0.1 }),
      score(40, 'exactMatch', 0.5),
      score(20, 'exactMatch', 0.25),
      score(20, 'tone', 3),
    );
    expect(chartableMetrics(view.metrics)).toEqual(['score:exactMatch', 'score:tone', 'learningRate']);
    expect(metricLabel('score:exactMatch')).toBe('exactMatch');
    expect(points(view, 'score:exactMatch')).toEqual([
      [20, 0.25],
      [40, 0.5],
    ]);
    expect(view.log.slice(-1).map(({ event, message }) => `${event} ${message}`)).toEqual([
      'score.recorded step=20 tone=3',
    ]);
  });

  it('count once, whether the events say them, the job, or both', () => {
    const view = play(initialJobView, started, score(20, 'tone', 3));
    const scores = [
      { step: 20, name: 'tone', value: 3 },
      { step: 60, name: 'tone', value: 4 },
    ];
    const both = polled(view, { scores });
    expect(points(both, 'score:tone')).toEqual([
      [20, 3],
      [60, 4],
    ]);
    expect(polled(both, { scores }).metrics).toBe(both.metrics);
  });

  it.each([
    ['a step that is no number', score('x' as unknown as number, 'tone', 1)],
    ['a value that is no number', score(20, 'tone', null)],
    ['no name', score(20, '', 1)],
  ])('are ignored with %s', (_, wrong) => {
    expect(play(initialJobView, started, wrong).metrics).toEqual({});
  });

  it.each([
    [{ score: 'tone', higher: true }, 'tone 5 at step 40'],
    [{ score: 'tone' }, 'tone 5 at step 40'],
    [{ score: 'tone', higher: false }, 'tone 3 at step 20'],
    [undefined, undefined],
    [{ score: 'unknown' }, undefined],
  ])('decide which adapter is the best with %o', (bestBy, best) => {
    const view = polled(
      play(
        initialJobView,
        started,
        frame('training.log', { step: 10, loss: 1, evalLoss: 2 }),
        score(20, 'tone', 3),
        score(40, 'tone', 5),
        score(60, 'tone', 4),
      ),
      { config: { evals: ['tone'], ...(bestBy && { bestBy }) } },
    );
    expect(fact(view, 'Best score')).toBe(best);
    expect(fact(view, 'Best eval loss')).toBe(best === undefined ? '2 at step 10' : undefined);
    expect(fact(view, 'Scores')).toBe('tone 4');
    expect(runSummary(view, 0).bestEval).toEqual({ value: 2, step: 10 });
  });

  it('of the final adapter are waited for after the end, for a while', () => {
    const config = { evals: ['tone'] };
    const job = sampleJob({ status: 'completed', completedAt: AT, config });
    const now = Date.parse(AT) + 60_000;
    const over = polled(play(initialJobView, started, frame('end', { status: 'completed' })), job);
    const isAsked = (view: JobView, at = now) => isSilent(view, view.eventCount, at);
    expect(isAsked(over)).toBe(true);
    expect(isAsked(over, now + 10 * 60_000)).toBe(false);
    expect(isAsked(polled(over, { ...job, scores: [{ step: 20, name: 'tone', value: 1 }] }))).toBe(true);
    expect(isAsked(polled(over, { ...job, scores: [{ step: 60, name: 'tone', value: 1 }] }))).toBe(false);
    expect(isAsked(polled(over, { ...job, config: {} }))).toBe(false);
    const waits = (status: Job['status']) =>
      awaitsScores({ metrics: {}, lastStep: 60 }, { ...job, status }, now);
    expect([waits('completed'), waits('failed'), waits('cancelled'), waits('running')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
