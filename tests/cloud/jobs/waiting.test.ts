// How long jobs wait, for a place, a store that fails and an engine that is busy, and how often readers are woken: in
// virtual time.
import { describe, expect, it } from 'vitest';
import { persist } from '../../../lib/cloud/jobs/job-waits.js';
import { createSampler } from '../../../lib/cloud/jobs/sampled-journal.js';
import type { SampleAnswer } from '../../../lib/cloud/seams/backend.js';
import { FULL, StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import type { JobEvent } from '../../../lib/contract/index.js';
import { passUntil } from '../../support/pass-until.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { jobsToOpen } from './jobs-per-test.js';

/** The pauses between tries. */
const PAUSES = [100, 200, 400, 800, 1600, 3200, 5000, 5000];
const HOUR = 3600_000;

const cloud = jobsToOpen();

it('a queued job without a place looks for one every two seconds, and starts when there is one', async () => {
  const clock = createVirtualClock();
  let looks = 0;
  let isFull = true;
  cloud.runner.findObstacle = async () => {
    looks++;
    return isFull ? { reason: 'Waiting for a GPU.', passes: true } : null;
  };
  await cloud.openStarted({ clock });
  const { id } = await cloud.create();
  await until(() => clock.nextMs).toBe(2000);
  const before = looks;
  await clock.pass(1999);
  expect(looks).toBe(before);
  for (const more of [1, 2]) {
    await clock.pass(1);
    await until(() => clock.nextMs).toBe(2000);
    expect(looks).toBe(before + more);
    await clock.pass(1999);
  }
  isFull = false;
  await clock.pass(1);
  expect((await cloud.runner.next()).task.jobId).toBe(id);
  await clock.pass(HOUR);
  expect(looks).toBe(before + 3);
});

describe('work that needs a store that fails', () => {
  const job = { id: 'j', project_id: 'p' };
  function open() {
    const clock = createVirtualClock();
    const logged: string[] = [];
    const waits: (string | null)[] = [];
    const report = (_job: unknown, _waiter: unknown, problem: string | null) => void waits.push(problem);
    const log = ({ message }: { message: string }) => void logged.push(message);
    const context = { clock, waits: { report }, deps: { log } } as unknown as Parameters<typeof persist>[0];
    return { clock, logged, waits, context };
  }

  it('is tried again later and later, at last every five seconds, and logged once', async () => {
    const { clock, logged, waits, context } = open();
    let tries = 0;
    let isFull = true;
    const act = async () => {
      tries++;
      if (isFull) throw new StorageFault({ code: 'SQLITE_FULL' });
      return 'saved';
    };
    const saved = persist(context, { job, waiter: 'log', signal: new AbortController().signal }, act);
    for (const [index, pause] of PAUSES.entries()) {
      await until(() => clock.nextMs).toBe(pause);
      expect(tries).toBe(index + 1);
      await clock.pass(pause);
    }
    await clock.pass(HOUR);
    expect(tries).toBe(PAUSES.length + 1 + HOUR / 5000);
    expect([logged, waits.at(-1)]).toEqual([['Job j is waiting.'], FULL]);
    isFull = false;
    await clock.pass(5000);
    expect([await saved, waits.at(-1)]).toEqual(['saved', null]);
  });

  it('is tried a last time when nobody waits for it anymore', async () => {
    const { clock, context } = open();
    const stop = new AbortController();
    let tries = 0;
    const act = async () => {
      tries++;
      throw new StorageFault({ code: 'SQLITE_FULL' });
    };
    const saved = persist(context, { job, waiter: 'log', signal: stop.signal }, act);
    await until(() => clock.nextMs).toBe(100);
    stop.abort();
    await expect(saved).rejects.toThrow(FULL);
    expect([tries, clock.waiting]).toEqual([2, 0]);
  });
});

describe('a sample while the engine is busy', () => {
  function open(answer: () => SampleAnswer | 'later') {
    const clock = createVirtualClock();
    const recorded: JobEvent[] = [];
    const stop = new AbortController();
    const sampler = createSampler({
      jobId: 'j',
      samples: [{ messages: [{ role: 'user', content: 'hi' }] }],
      known: new Set(),
      answer: async () => answer(),
      record: async event => void recorded.push(event),
      clock,
      signal: stop.signal,
    });
    sampler.add({ step: 3, adapter: null });
    return { clock, recorded, stop, sampler };
  }

  it('is asked again later and later, and given up after 16.3 s', async () => {
    let asked = 0;
    const { clock, recorded } = open(() => {
      asked++;
      return 'later';
    });
    for (const [index, pause] of PAUSES.entries()) {
      await until(() => clock.nextMs).toBe(pause);
      expect([asked, recorded]).toEqual([index + 1, []]);
      await clock.pass(pause);
    }
    expect([asked, clock.elapsed()]).toEqual([9, 16_300]);
    const sample = { type: 'sample.generated', jobId: 'j', timestamp: new Date(clock.now()).toISOString() };
    const error = 'The engine that answers was busy or not available.';
    expect(recorded).toEqual([{ ...sample, step: 3, sample: 0, answer: null, error }]);
  });

  it('is answered when it is free again, and not recorded once the attempt is stopped', async () => {
    let isBusy = true;
    const answer = () => (isBusy ? 'later' : { answer: 'Hello' });
    const free = open(answer);
    const stopped = open(answer);
    await free.clock.pass(3000);
    stopped.stop.abort();
    await stopped.sampler.settled();
    expect([stopped.recorded, stopped.clock.waiting]).toEqual([[], 0]);
    isBusy = false;
    await free.clock.pass(3200);
    await free.sampler.settled();
    expect(free.recorded).toMatchObject([{ answer: 'Hello' }]);
  });
});

it('a reader of events is woken at once, and then at most every 20 ms', async () => {
  const clock = createVirtualClock();
  await cloud.openStarted({ clock });
  const { id, run } = await cloud.begin();
  const stream = await cloud.call('GET', `/v1/jobs/${id}/events/stream`);
  let text = '';
  const reading = (async () => {
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) text += piece;
  })();
  const has = (step: number) => text.includes(`"step":${step}`);
  const log = (step: number) => run.tell('training.log', { step, loss: 1 });
  await log(1);
  await until(async () => {
    await clock.pass(1000);
    return has(1);
  }).toBe(true);
  await log(2);
  await until(() => clock.nextMs).toBe(0);
  await clock.pass(0);
  await until(() => has(2)).toBe(true);
  await log(3);
  // One reader makes it 0.2 ms longer.
  await until(() => clock.nextMs).toBeCloseTo(20.2, 1);
  await clock.pass(20);
  expect(has(3)).toBe(false);
  await clock.pass(1);
  await until(() => has(3)).toBe(true);
  await run.complete(3);
  await passUntil(clock, reading);
  expect(Array.from(text.matchAll(/"step":(\d),"loss"/g), ([, step]) => step)).toEqual(['1', '2', '3']);
});
