import { expect, it } from 'vitest';
import { createRequestCounts } from '../../../lib/cloud/deployments/request-counts.js';
import { createStoppedClock } from '../../support/stopped-clock.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

it('the requests of the last hour are counted for each deployment, with those that failed', async () => {
  const minutes = (count: number) => clock.pass(count * 60_000);
  const clock = createVirtualClock();
  const counts = createRequestCounts(clock);
  counts.add('a', null, true);
  await minutes(30);
  counts.add('a', null, false);
  counts.add('b', null, true);
  await minutes(29);
  expect(counts.read('a')).toEqual({ requests: 2, failed: 1 });
  expect(counts.read('b')).toEqual({ requests: 1, failed: 0 });
  expect(counts.read('c')).toEqual({ requests: 0, failed: 0 });
  await minutes(1);
  expect(counts.read('a')).toEqual({ requests: 1, failed: 1 });
  // The place of the first minute is used again.
  counts.add('a', null, true);
  expect(counts.read('a')).toEqual({ requests: 2, failed: 1 });
  await minutes(61);
  expect(counts.read('a')).toEqual({ requests: 0, failed: 0 });
});

it('for an hour, it is told when the counting started', async () => {
  const clock = createVirtualClock();
  const countedSince = new Date(clock.now()).toISOString();
  const counts = createRequestCounts(clock);
  await clock.pass(60 * 60_000 - 1);
  expect(counts.readStart()).toEqual({ countedSince });
  await clock.pass(1);
  expect(counts.readStart()).toEqual({});
});

it('requests that were counted before the clock was set back are not of the last hour', () => {
  const clock = createStoppedClock();
  const counts = createRequestCounts(clock);
  counts.add('a', null, false);
  clock.at -= 24 * 60 * 60_000;
  expect(counts.read('a')).toEqual({ requests: 0, failed: 0 });
  counts.add('a', null, true);
  expect(counts.read('a')).toEqual({ requests: 1, failed: 0 });
});

it('each target has figures of its own, and those of targets that were not asked for an hour are forgotten', async () => {
  const clock = createVirtualClock();
  const counts = createRequestCounts(clock);
  const [base, final] = [
    { kind: 'base_model', baseModel: 'm' },
    { kind: 'adapter', adapter: { kind: 'final', jobId: 'j' } },
  ] as const;
  const step = (step: number) =>
    ({ kind: 'adapter', adapter: { kind: 'checkpoint', jobId: 'j', step } }) as const;
  const nothing = {
    requests: 0,
    failed: 0,
    answers: 0,
    meanMs: null,
    promptTokens: 0,
    completionTokens: 0,
  };
  counts.add('a', base, true);
  counts.addText('a', base, { ms: 10, promptTokens: 1, completionTokens: 2 });
  counts.addText('a', base, { ms: 30, promptTokens: 3, completionTokens: 4 });
  counts.add('a', final, true);
  counts.addLateFailure('a', final);
  counts.add('a', null, false);
  const figures = { ...nothing, requests: 1, answers: 2, meanMs: 20, promptTokens: 4, completionTokens: 6 };
  expect(counts.readTarget('a', base)).toEqual(figures);
  expect(counts.readTarget('a', final)).toEqual({ ...nothing, requests: 1, failed: 1 });
  expect(counts.readTarget('b', base)).toEqual(nothing);
  expect(counts.read('a')).toEqual({ requests: 3, failed: 2 });
  await clock.pass(60 * 60_000);
  for (const each of [step(1), step(2)]) counts.add('a', each, true);
  expect(counts.readTarget('a', base)).toEqual(nothing);
  expect(counts.readTarget('a', step(2))).toEqual({ ...nothing, requests: 1 });
});
