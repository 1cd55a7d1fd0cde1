// The lease of a worker elsewhere while the cloud takes its time to record a report, as with the last samples of a job; and what
// it may still do once its attempt is no longer followed.
import { expect, it } from 'vitest';
import { hashToken } from '../../../lib/cloud/auth/token.js';
import { createRemoteRun } from '../../../lib/cloud/runs/remote-run.js';
import type { JobEvent } from '../../../lib/contract/index.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { ABOUT } from './attempts-elsewhere.js';

type Host = Parameters<typeof createRemoteRun>[0];

const LEASE_MS = 60_000;
const timestamp = new Date(0).toISOString();
const completed: JobEvent = { type: 'training.completed', jobId: 'j', timestamp, artifacts: [], metrics: {} };

async function claimedRun(record: () => Promise<void>) {
  const clock = createVirtualClock();
  const idle = { materials: {}, settled: async () => {}, heldUp: () => {}, take: async () => null };
  const host = { run: { jobId: 'j', attempt: 1 }, record, ...idle } as unknown as Host;
  const run = createRemoteRun(host, { run_hash: null, worker: null, next: 0 }, { clock });
  const { token } = await run.claim(ABOUT);
  return { run, clock, end: endOf(run), holder: hashToken(token) };
}

/** How it has ended so far. */
function endOf(run: ReturnType<typeof createRemoteRun>): () => unknown {
  let end: unknown;
  void run.ended.then(how => {
    end = how;
  });
  return () => end;
}

async function expectToLapse(clock: VirtualClock, end: () => unknown): Promise<void> {
  await clock.pass(LEASE_MS - 1);
  expect(end()).toBe(undefined);
  await clock.pass(1);
  expect(end()).toBe('lapsed');
}

it('is renewed while a report is recorded, and ends after it as ever', async () => {
  let finish = () => {};
  const recorded = new Promise<void>(resolve => {
    finish = resolve;
  });
  const { run, clock, end } = await claimedRun(() => recorded);
  const answer = run.report({ from: 0, events: [completed] });
  await clock.pass(10 * LEASE_MS);
  expect(end()).toBe(undefined);
  finish();
  expect(await answer).toMatchObject({ next: 1 });
  await expectToLapse(clock, end);
});

it('ends without reports, also after one that could not be recorded', async () => {
  const { run, clock, end } = await claimedRun(() => Promise.reject(new Error('no disk')));
  await expect(run.report({ from: 0, events: [completed] })).rejects.toThrow('no disk');
  await expectToLapse(clock, end);
});

it('is over when the worker says so, and does not lapse after that', async () => {
  const { run, clock, end } = await claimedRun(async () => {});
  await clock.pass(LEASE_MS / 2);
  await run.report({ from: 0, events: [], ended: { status: 'completed' } });
  expect(run.lease.until).toEqual(new Date(clock.now() + LEASE_MS));
  await clock.pass(10 * LEASE_MS);
  expect([end(), clock.waiting]).toEqual([{ status: 'completed' }, 0]);
});

it('goes on after it lapsed if its worker is back, and can lapse again', async () => {
  const { run, clock } = await claimedRun(async () => {});
  await clock.pass(LEASE_MS);
  expect(await run.ended).toBe('lapsed');
  await run.report({ from: 0, events: [] });
  await expectToLapse(clock, endOf(run));
});

it('saves nothing once its attempt is over, but goes on while the cloud is started anew', async () => {
  const { run, holder } = await claimedRun(async () => {});
  run.close('detached');
  run.assertHolder(holder);
  run.close('over');
  expect(() => run.assertHolder(holder)).toThrow(expect.objectContaining({ code: 'attempt_over' }));
  await expect(run.claim(ABOUT)).rejects.toMatchObject({ code: 'attempt_over' });
});
