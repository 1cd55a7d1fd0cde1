// Scores of a job's adapters: recorded once, in the durable log, while the job runs and after its end.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobEvent, ScoreRecorded } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(async () => {
  runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
  await cloud.jobs.start();
});
afterEach(() => cloud.close());

const report = (id: string, step: number, scores: Record<string, number>) =>
  cloud.json<{ scores: ScoreRecorded[] }>('POST', `/v1/jobs/${id}/scores`, { step, scores });
const refused = async (id: string, body: object) => {
  const response = await cloud.call('POST', `/v1/jobs/${id}/scores`, body);
  return [response.status, ((await response.json()) as { error: { param: string } }).error.param];
};
const told = (events: readonly JobEvent[]) =>
  events.map(event =>
    event.type === 'score.recorded'
      ? `${event.name}@${event.step}=${event.value}`
      : 'step' in event
        ? `${event.type}@${event.step}`
        : event.type,
  );
const scoresOf = async (id: string) => (await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job.scores;

async function trainTo5() {
  const { id } = await cloud.create();
  const run = await runner.next();
  run.started();
  await run.checkpoint(5);
  await until(async () => (await cloud.events(id)).length).toBe(2);
  return { id, run };
}

describe('the scores of a job', () => {
  it('are events between those of its run, which loses none', async () => {
    const { id, run } = await trainTo5();
    const { scores } = await report(id, 5, { accuracy: 0.5, brevity: 3 });
    expect(scores).toMatchObject([
      { type: 'score.recorded', step: 5, name: 'accuracy', value: 0.5 },
      { type: 'score.recorded', step: 5, name: 'brevity', value: 3 },
    ]);
    run.log(6, 7);
    await cloud.untilStep(id, 7);
    await report(id, 5, { other: 1 });
    await run.complete();
    await cloud.until(id, 'completed');
    expect(told(await cloud.events(id))).toEqual([
      'training.started',
      'checkpoint.saved@5',
      'accuracy@5=0.5',
      'brevity@5=3',
      'training.log@6',
      'training.log@7',
      'other@5=1',
      'training.completed',
      'end',
    ]);
  });

  it('are recorded once for each step and name, however often they are sent', async () => {
    const { id } = await trainTo5();
    await report(id, 5, { accuracy: 0.5 });
    const { scores } = await report(id, 5, { accuracy: 0.7, brevity: 3 });
    expect(scores.map(({ value }) => value)).toEqual([0.5, 3]);
    await Promise.all([report(id, 5, { more: 1 }), report(id, 5, { more: 2 })]);
    expect((await scoresOf(id))!.map(({ name }) => name)).toEqual(['accuracy', 'brevity', 'more']);
  });

  it('come before the end in the log also when they come after it, and readers of the log see them', async () => {
    const { id, run } = await trainTo5();
    await run.complete();
    await cloud.until(id, 'completed');
    await report(id, 10, { accuracy: 0.9 });
    await report(id, 5, { accuracy: 0.5, brevity: 1 });
    expect(told(await cloud.events(id)).slice(-5)).toEqual([
      'training.completed',
      'accuracy@10=0.9',
      'accuracy@5=0.5',
      'brevity@5=1',
      'end',
    ]);
    expect(await scoresOf(id)).toEqual([
      { step: 10, name: 'accuracy', value: 0.9 },
      { step: 5, name: 'accuracy', value: 0.5 },
      { step: 5, name: 'brevity', value: 1 },
    ]);
    const stream = await (await cloud.call('GET', `/v1/jobs/${id}/events/stream`)).text();
    expect(stream.match(/^event: .*/gm)!.slice(-2)).toEqual(['event: score.recorded', 'event: end']);
    const last = stream
      .match(/^id: (\d+)$/gm)!
      .at(-1)!
      .slice('id: '.length);
    const after = await cloud.call('GET', `/v1/jobs/${id}/events/stream`, undefined, {
      'last-event-id': last,
    });
    expect(after.status).toBe(204);
  });

  it('leave the best one in lists if the trainer has chosen one to be best by, and it is news to who watches', async () => {
    const bests = async () =>
      (await cloud.json<{ jobs: Job[] }>('GET', '/v1/jobs')).jobs.map(({ bestScore }) => bestScore);
    const { id } = await cloud.create({ bestBy: { score: 'errors', higher: false } });
    const run = await runner.next();
    run.started();
    await run.checkpoint(5);
    await until(async () => (await cloud.events(id)).length).toBe(2);
    expect(await bests()).toEqual([null]);
    await report(id, 5, { accuracy: 0.9, errors: 4 });
    expect(await bests()).toEqual([{ name: 'errors', value: 4, higher: false }]);
    await run.complete();
    await cloud.until(id, 'completed');
    await report(id, 10, { accuracy: 0.1, errors: 7 });
    const best = { name: 'errors', value: 4, higher: false };
    expect(await bests()).toEqual([best]);
    const { job } = await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`);
    expect(job.bestScore).toEqual(best);
  });

  it('do not confuse an attempt that begins after them', async () => {
    const { id, run } = await trainTo5();
    run.onTold = () => run.end('paused');
    const again = createScriptedRunner();
    cloud = await cloud.reopen(again);
    await report(id, 5, { accuracy: 0.5 });
    await cloud.jobs.start();
    const next = await again.next();
    await report(id, 5, { brevity: 2 });
    next.started({ resumedFromStep: 5 });
    next.log(6);
    await next.complete();
    await cloud.until(id, 'completed');
    expect(told(await cloud.events(id)).slice(2)).toEqual([
      'accuracy@5=0.5',
      'brevity@5=2',
      'training.started',
      'training.log@6',
      'training.completed',
      'end',
    ]);
  });

  it('are refused for a step without an adapter, and if they are no finite numbers', async () => {
    const { id } = await trainTo5();
    expect(await refused(id, { step: 6, scores: { accuracy: 1 } })).toEqual([400, 'step']);
    expect(await refused(id, { step: 5, scores: {} })).toEqual([400, 'scores']);
    expect(await refused(id, { step: 5, scores: { accuracy: null } })).toEqual([400, 'scores.accuracy']);
    expect(await refused(id, { step: 5, scores: { '': 1 } })).toEqual([400, 'scores.']);
    const many = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`a${i}`, i]));
    await report(id, 5, many);
    const more = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`b${i}`, i]));
    expect(await refused(id, { step: 5, scores: more })).toEqual([400, 'scores']);
    expect(await scoresOf(id)).toHaveLength(15);
  });
});
