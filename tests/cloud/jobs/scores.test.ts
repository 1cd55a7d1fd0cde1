// Scores of a job's adapters: recorded once, in the durable log, while the job runs and after its end.
import { describe, expect, it } from 'vitest';
import type { JobConfigInput, ScoreRecorded } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { jobsPerTest } from './jobs-per-test.js';

const cloud = jobsPerTest();

const report = (id: string, step: number, scores: Record<string, number>) =>
  cloud.json<{ scores: ScoreRecorded[] }>('POST', `/v1/jobs/${id}/scores`, { step, scores });

async function trainTo5(config: Partial<JobConfigInput> = {}) {
  const { id, run } = await cloud.begin(config);
  run.started();
  await run.checkpoint(5);
  await until(() => cloud.story(id)).toBe('started, saved 5');
  return { id, run };
}

describe('the scores of a job', () => {
  it('are events between those of its run, once for each step and name', async () => {
    const { id, run } = await trainTo5();
    const { scores } = await report(id, 5, { accuracy: 0.5, brevity: 3 });
    const score = { type: 'score.recorded', step: 5 };
    expect(scores).toMatchObject([
      { ...score, name: 'accuracy', value: 0.5 },
      { ...score, name: 'brevity', value: 3 },
    ]);
    run.log(6, 7);
    await cloud.untilStep(id, 7);
    const { scores: again } = await report(id, 5, { accuracy: 0.7, other: 1 });
    expect(again.map(({ value }) => value)).toEqual([0.5, 1]);
    await Promise.all([report(id, 5, { more: 2 }), report(id, 5, { more: 2 })]);
    await cloud.finish(run);
    expect(await cloud.story(id)).toBe(
      'started, saved 5, accuracy@5=0.5, brevity@5=3, log 6-7, other@5=1, more@5=2, completed, end completed',
    );
  });

  it('come before the end in the log also when they come after it, and readers of the log see them', async () => {
    const { id, run } = await trainTo5();
    await cloud.finish(run);
    await report(id, 10, { accuracy: 0.9 });
    await report(id, 5, { accuracy: 0.5, brevity: 1 });
    expect(await cloud.story(id)).toMatch(
      /, completed, accuracy@10=0\.9, accuracy@5=0\.5, brevity@5=1, end completed$/,
    );
    expect((await cloud.ask(id)).scores).toEqual([
      { step: 10, name: 'accuracy', value: 0.9 },
      { step: 5, name: 'accuracy', value: 0.5 },
      { step: 5, name: 'brevity', value: 1 },
    ]);
    const path = `/v1/jobs/${id}/events/stream`;
    const stream = await (await cloud.call('GET', path)).text();
    expect(stream.match(/^event: .*/gm)!.slice(-2)).toEqual(['event: score.recorded', 'event: end']);
    const last = Array.from(stream.matchAll(/^id: (\d+)$/gm), ([, number]) => number!).at(-1)!;
    expect((await cloud.call('GET', path, undefined, { 'last-event-id': last })).status).toBe(204);
  });

  it('leave the best one in lists if the trainer has chosen one to be best by, and it is news to who watches', async () => {
    const bests = async () => (await cloud.list()).map(({ bestScore }) => bestScore);
    const { id, run } = await trainTo5({ bestBy: { score: 'errors', higher: false } });
    expect(await bests()).toEqual([null]);
    await report(id, 5, { accuracy: 0.9, errors: 4 });
    const best = { name: 'errors', value: 4, higher: false };
    expect(await bests()).toEqual([best]);
    await cloud.finish(run);
    await report(id, 10, { accuracy: 0.1, errors: 7 });
    expect([await bests(), (await cloud.ask(id)).bestScore]).toEqual([[best], best]);
  });

  it('do not confuse an attempt that begins after them', async () => {
    const { id, run } = await trainTo5();
    run.onTold = () => run.end('paused');
    await cloud.restart();
    await report(id, 5, { accuracy: 0.5 });
    await cloud.jobs.start();
    const next = await cloud.runner.next();
    await report(id, 5, { brevity: 2 });
    next.started({ resumedFromStep: 5 });
    next.log(6);
    await cloud.finish(next);
    expect(await cloud.story(id)).toBe(
      'started, saved 5, accuracy@5=0.5, brevity@5=2, started from 5, log 6, completed, end completed',
    );
  });

  it('are refused for a step without an adapter, and if they are no finite numbers', async () => {
    const { id } = await trainTo5();
    const many = (count: number, letter: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${letter}${i}`, i]));
    await report(id, 5, many(15, 'a'));
    for (const [step, scores, param] of [
      [6, { accuracy: 1 }, 'step'],
      [5, {}, 'scores'],
      [5, { accuracy: null }, 'scores.accuracy'],
      [5, { '': 1 }, 'scores.'],
      [5, many(6, 'b'), 'scores'],
    ] as const) {
      const refused = await cloud.refusal('POST', `/v1/jobs/${id}/scores`, { step, scores });
      expect(refused).toMatchObject({ status: 400, param });
    }
    expect((await cloud.ask(id)).scores).toHaveLength(15);
  });
});
