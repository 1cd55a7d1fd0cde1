// What svc start says of a job that waits: asked once in two seconds without an event, and said once.
import { expect, it } from 'vitest';
import { tellWaiting } from '../../../cli/commands/start/tell-waiting.js';
import type { Session } from '../../../lib/sdk/index.js';
import { sampleJob } from '../../support/samples.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

it('a reason to wait is told after two seconds without an event, once, and again when it is another', async () => {
  const clock = createVirtualClock();
  const job = sampleJob({ status: 'running', waitingFor: 'Waiting for a place.' });
  let asked = 0;
  const session = {
    projectClient: async () => ({
      async getJob() {
        asked++;
        return { job };
      },
    }),
  } as unknown as Session;
  const told: string[] = [];
  const teller = tellWaiting(job, session, line => told.push(line), clock);
  await clock.pass(1999);
  expect(asked).toBe(0);
  await clock.pass(1);
  expect([asked, told]).toEqual([1, ['Waiting for a place.']]);
  await clock.pass(6000);
  expect([asked, told.length]).toEqual([4, 1]);
  job.waitingFor = 'the disk is full';
  await clock.pass(2000);
  expect(told.at(-1)).toBe('Waiting: the disk is full');
  teller.noteEvent();
  await clock.pass(2000);
  expect(asked).toBe(5);
  await clock.pass(2000);
  expect([asked, told.at(-1), told.length]).toEqual([6, 'Waiting: the disk is full', 3]);
  teller.stop();
  expect(clock.waiting).toBe(0);
});
