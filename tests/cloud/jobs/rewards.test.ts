// Rewards that a program computes: it is handed each step's answers, and the job waits, and says so, while it is gone.
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobConfigInput, PendingRewards, RewardRequest } from '../../../lib/contract/index.js';
import { REWARDS_POLL_MS } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { jobsToOpen } from './jobs-per-test.js';
import { scope } from './test-jobs.js';

const method: JobConfigInput['method'] = { type: 'grpo', reward: { type: 'function' } };
const request = (step: number, ...texts: string[]): RewardRequest => ({
  step,
  groups: [
    {
      row: 0,
      item: { question: '1+1' },
      messages: [{ role: 'user', content: '1+1' }],
      answers: texts.map(text => ({ text })),
    },
  ],
});

const cloud = jobsToOpen();
let clock: VirtualClock;
beforeEach(async () => {
  clock = createVirtualClock();
  await cloud.openStarted({ clock });
});

const WAITS =
  /^Waiting for the program that computes its rewards\. Start it again with "svc start --attach [0-9a-f]{8}"\.$/;

const ask = (id: string, known?: string, signal?: AbortSignal) =>
  cloud.fetch(
    new Request(`http://localhost/v1/jobs/${id}/rewards${scope}${known ? `&known=${known}` : ''}`, {
      ...(signal && { signal }),
    }),
  );
async function pendingOf(id: string, known?: string): Promise<PendingRewards | null> {
  const response = await ask(id, known);
  expect(response.status).toBe(200);
  return ((await response.json()) as { pending: PendingRewards | null }).pending;
}
const report = (id: string, body: object) =>
  cloud.json<{ accepted: boolean }>('POST', `/v1/jobs/${id}/rewards`, body);
const waitingFor = async (id: string) => (await cloud.ask(id)).waitingFor;

describe('rewards from a program', () => {
  it('are asked for with the answers, and reach the run', async () => {
    const { id, run } = await cloud.begin({ method });
    const asking = pendingOf(id);
    const scored = run.score(request(1, 'two', '2'));
    const pending = await asking;
    expect(pending).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), ...request(1, 'two', '2') });
    const rewards = [[{ reward: 0 }, { reward: 1, parts: { right: 1 } }]];
    expect(await report(id, { id: pending!.id, rewards })).toEqual({ accepted: true });
    expect(await scored).toEqual({ rewards });
    await run.complete();
  });

  it('are asked for once while they are known, and later by the next step', async () => {
    const { id, run } = await cloud.begin({ method });
    const first = run.score(request(1, 'a'));
    const { id: known } = (await pendingOf(id))!;
    const next = pendingOf(id, known);
    await report(id, { id: known, rewards: [[{ reward: 1 }]] });
    await first;
    const second = run.score(request(2, 'a'));
    expect(await next).toMatchObject({ step: 2 });
    await report(id, { id: (await pendingOf(id))!.id, rewards: [[{ error: 'slow' }]] });
    expect(await second).toEqual({ rewards: [[{ error: 'slow' }]] });
    await run.complete();
  });

  it('may be sent again, and late ones have no effect', async () => {
    const { id, run } = await cloud.begin({ method });
    const scored = run.score(request(1, 'a'));
    const body = { id: (await pendingOf(id))!.id, rewards: [[{ reward: 1 }]] };
    expect(await report(id, body)).toEqual({ accepted: true });
    expect(await report(id, body)).toEqual({ accepted: false });
    await scored;
    await run.complete();
    expect(await report(id, body)).toEqual({ accepted: false });
  });

  it('must be as many as the answers', async () => {
    const { id, run } = await cloud.begin({ method });
    const scored = run.score(request(1, 'a', 'b'));
    const { id: pending } = (await pendingOf(id))!;
    for (const rewards of [[], [[{ reward: 1 }]], [[{ reward: 1 }, { reward: 1 }], []]])
      expect(await cloud.refusal('POST', `/v1/jobs/${id}/rewards`, { id: pending, rewards })).toMatchObject({
        status: 400,
        param: 'rewards',
      });
    await report(id, { id: pending, rewards: [[{ reward: 1 }, { reward: 0 }]] });
    await scored;
    await run.complete();
  });

  it('are null after a while without answers', async () => {
    const { id, run } = await cloud.begin({ method });
    const asking = pendingOf(id);
    await until(async () => clock.waiting).toBeGreaterThan(0);
    let answer: PendingRewards | null | undefined;
    void asking.then(given => {
      answer = given;
    });
    await until(async () => {
      await clock.pass(REWARDS_POLL_MS);
      return answer;
    }).toBe(null);
    await run.complete();
  });
});

describe('a job whose program is gone', () => {
  it('waits at its step and says so, and goes on when it is back', async () => {
    const { id, run } = await cloud.begin({ method });
    const scored = run.score(request(1, 'a'));
    expect(await waitingFor(id)).toBe(null);
    await clock.pass(6000);
    expect(await waitingFor(id)).toMatch(WAITS);
    expect((await cloud.list()).find(job => job.id === id)?.waitingFor).toMatch(WAITS);
    expect(cloud.health.problems()).toEqual([]);
    const pending = await pendingOf(id);
    expect(await waitingFor(id)).toBe(null);
    await report(id, { id: pending!.id, rewards: [[{ reward: 1 }]] });
    expect(await scored).toEqual({ rewards: [[{ reward: 1 }]] });
    await run.complete();
  });

  it('is what the jobs behind it wait for', async () => {
    const { id, run } = await cloud.begin({ method });
    const next = await cloud.create();
    const scored = run.score(request(1, 'a'));
    expect(await waitingFor(next.id)).toBe('An earlier job is still running.');
    await clock.pass(6000);
    const reason = 'An earlier job is waiting for the program that computes its rewards.';
    expect(await waitingFor(next.id)).toBe(reason);
    expect((await cloud.list()).find(job => job.id === next.id)?.waitingFor).toBe(reason);
    await report(id, { id: (await pendingOf(id))!.id, rewards: [[{ reward: 1 }]] });
    await scored;
    expect(await waitingFor(next.id)).toBe('An earlier job is still running.');
    await cloud.cancel(next.id);
    await run.complete();
  });

  it('notices a program whose connection ends', async () => {
    const { id, run } = await cloud.begin({ method });
    const scored = run.score(request(1, 'a'));
    const { id: known } = (await pendingOf(id))!;
    const program = new AbortController();
    const asking = ask(id, known, program.signal).catch(() => {});
    await until(async () => clock.waiting).toBeGreaterThan(0);
    await clock.pass(10_000);
    expect(await waitingFor(id)).toBe(null);
    program.abort();
    await asking;
    await until(async () => {
      await clock.pass(6000);
      return waitingFor(id);
    }).toMatch(WAITS);
    await report(id, { id: known, rewards: [[{ reward: 1 }]] });
    await scored;
    await run.complete();
  });

  it('can be canceled', async () => {
    const { id, run } = await cloud.begin({ method });
    const scored = run.score(request(1, 'a'));
    await clock.pass(6000);
    run.onTold = word => run.die(word);
    const stopped = expect(scored).rejects.toThrow();
    await cloud.cancel(id);
    await stopped;
    await cloud.until(id, 'cancelled');
    expect(await waitingFor(id)).toBe(null);
  });

  it('is asked for the same answers, with the same ID, after a restart of the cloud', async () => {
    const { id, run } = await cloud.begin({ method });
    const before = run.score(request(3, 'a')).catch(() => {});
    const { id: known } = (await pendingOf(id))!;
    run.onTold = word => run.die(word);
    await cloud.restart();
    await before;
    await cloud.jobs.start();
    const again = await cloud.runner.next();
    const late = await report(id, { id: known, rewards: [[{ reward: 1 }]] });
    expect(late).toEqual({ accepted: false });
    const scored = again.score(request(3, 'a'));
    expect((await pendingOf(id))!.id).toBe(known);
    await report(id, { id: known, rewards: [[{ reward: 1 }]] });
    expect(await scored).toEqual({ rewards: [[{ reward: 1 }]] });
    await again.complete();
  });
});
