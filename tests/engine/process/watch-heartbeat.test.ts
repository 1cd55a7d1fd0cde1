import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HeartbeatWatch, watchHeartbeat } from '../../../lib/engine/process/heartbeat.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const limits = { silentMs: 10_000, busyMs: 60_000 };
const ALLOWED_MS = 120_000;

let beats: PassThrough;
let told: { lost: number; overdue: number };
let watch: HeartbeatWatch;
let clock: ReturnType<typeof createVirtualClock>;
/** For how long this process did nothing at all. */
let asleepMs: number;
beforeEach(() => {
  clock = createVirtualClock();
  asleepMs = 0;
  beats = new PassThrough();
  told = { lost: 0, overdue: 0 };
  const listeners = { onLost: () => told.lost++, onOverdue: () => told.overdue++ };
  watch = watchHeartbeat(beats, limits, listeners, { ...clock, elapsed: () => clock.elapsed() + asleepMs });
});
afterEach(() => {
  watch.stop();
  expect(clock.waiting).toBe(0);
});

/** A line of the heartbeat: how long the main thread has been busy, and how long its work may take. */
async function beat(busyMs = 0, workMs = 0, allowedMs = 0): Promise<void> {
  beats.write(`${busyMs} ${workMs} ${allowedMs}\n`);
  await new Promise(resolve => setImmediate(resolve));
}

/** Whether the process hangs, and how often it was reported as lost. */
const state = () => [watch.isHung, told.lost];
const fine = [false, 0];

it('reports nothing while beats arrive, or before the first', async () => {
  await clock.pass(3_600_000);
  expect(state()).toEqual(fine);
  for (let second = 0; second < 60; second++) {
    await beat();
    await clock.pass(1000);
    expect(state()).toEqual(fine);
  }
});

it('reports a silent process as hung after half its time and lost after all of it', async () => {
  await beat();
  await clock.pass(4999);
  expect(state()).toEqual(fine);
  await clock.pass(1);
  expect(state()).toEqual([true, 0]);
  await clock.pass(4999);
  expect(told.lost).toBe(0);
  await clock.pass(1);
  expect(told.lost).toBe(1);
});

it('recovers with a process that comes back', async () => {
  for (let i = 0; i < 2; i++) {
    await beat();
    expect(state()).toEqual(fine);
    await clock.pass(8000);
  }
  expect(told.lost).toBe(0);
});

it('gives a busy process more time, and reports it as overdue after half of it', async () => {
  for (let busy = 0; busy <= 60_000; busy += 1000) {
    expect([told.lost, told.overdue > 0]).toEqual([0, busy > 30_000]);
    await beat(busy);
    await clock.pass(1000);
  }
  expect(told.lost).toBeGreaterThan(0);
});

it('gives work its announced time, and loses the process after three times as long', async () => {
  for (let work = 0; work < 3 * ALLOWED_MS; work += 1000) {
    await beat(work, work, ALLOWED_MS);
    await clock.pass(1000);
    const isLate = work >= ALLOWED_MS;
    expect([watch.isOverdue, told.overdue > 0, ...state()]).toEqual([isLate, isLate, isLate, 0]);
  }
  await beat(3 * ALLOWED_MS, 3 * ALLOWED_MS, ALLOWED_MS);
  await clock.pass(1000);
  expect(told.lost).toBeGreaterThan(0);
});

it('reports endless work as overdue even if the event loop turns', async () => {
  await beat(0, ALLOWED_MS, ALLOWED_MS);
  await clock.pass(1000);
  expect([watch.isOverdue, told.lost]).toEqual([true, 0]);
  await beat();
  await clock.pass(1000);
  expect([watch.isOverdue, watch.isHung]).toEqual([false, false]);
});

it('does not count time in which this process itself was asleep', async () => {
  await beat();
  for (let night = 0; night < 3; night++) {
    asleepMs += 8 * 3_600_000;
    await clock.pass(500);
  }
  expect(state()).toEqual(fine);
});
