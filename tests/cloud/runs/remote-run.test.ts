// The lease of a worker elsewhere while the cloud takes its time to record a report, as with the last samples of a job.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRemoteRun } from '../../../lib/cloud/runs/remote-run.js';

type Host = Parameters<typeof createRemoteRun>[0];

const LEASE_SECONDS = 60;
const about = { worker: '10.0.0.7', pid: 1, versions: {}, gpus: 0 };
const completed = { type: 'training.completed', timestamp: new Date(0).toISOString() };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function claimedRun(record: () => Promise<void>) {
  const host = {
    run: { jobId: 'j', attempt: 1 },
    materials: {},
    record,
    settled: async () => {},
    heldUp: () => {},
    take: async () => null,
  } as unknown as Host;
  const times = { leaseSeconds: LEASE_SECONDS, reportSeconds: 2 };
  const run = createRemoteRun(host, { run_hash: null, worker: null, next: 0 }, times);
  await run.claim(about);
  let end: unknown;
  void run.ended.then(how => {
    end = how;
  });
  return { run, end: () => end };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

it('is renewed while a report is recorded, and ends after it as ever', async () => {
  let finish = () => {};
  const { run, end } = await claimedRun(
    () =>
      new Promise(resolve => {
        finish = resolve;
      }),
  );
  const answer = run.report({ from: 0, events: [completed] });
  await pass(10 * LEASE_SECONDS);
  expect(end()).toBe(undefined);
  finish();
  expect(await answer).toMatchObject({ next: 1 });
  await pass(LEASE_SECONDS - 1);
  expect(end()).toBe(undefined);
  await pass(2);
  expect(end()).toBe('lapsed');
});

it('ends without reports, also after one that could not be recorded', async () => {
  const { run, end } = await claimedRun(() => Promise.reject(new Error('no disk')));
  await expect(run.report({ from: 0, events: [completed] })).rejects.toThrow('no disk');
  await pass(LEASE_SECONDS + 1);
  expect(end()).toBe('lapsed');
});
