import { expect, it } from 'vitest';
import { sampleJob } from '../../support/samples.js';
import { boxOf } from '../elements.js';
import { setHidden, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const OTHER_ID = '1a2b3c4d-0000-4000-8000-000000000002';

it('Job detail: its event stream: One EventSource goes on after each break; a banner stands until the next frame, and leaving or the end closes it.', async () => {
  const { page, events, log, messages, interruption, studio, badge, follow, back } = await openJob();
  const sources = () => page.evaluate('inPage.sources.map(source => source.readyState)');
  for (let step = 1; step <= 3; step++) {
    log({ step });
    await until(async () => (await messages()).length).toBe(step);
    await until(() => interruption.count()).toBe(0);
    events.cut();
    await interruption.waitFor();
    await until(() => events.open()).toBe(1);
  }
  expect(await sources()).toHaveLength(1);
  expect(await messages()).toEqual(['step=1', 'step=2', 'step=3']);
  expect(events.lastEventIds).toEqual([null, '1', '2', '3']);
  const paths = studio.callsOf('streamJobEvents').map(({ path }) => path.replace(/=fake-.*/, '=…'));
  expect(new Set(paths)).toEqual(new Set([`/api/jobs/${JOB.id}/events?studioToken=…`]));
  const { bottom } = await boxOf(interruption);
  for (const name of ['Loss', 'Event log'])
    expect(bottom).toBeLessThan((await page.getByRole('region', { name, exact: true }).boundingBox())!.y);
  expect(await page.getByRole('alert').count()).toBe(0);

  // Nobody hears a ping; but what comes after it on the same stream has come after it.
  await page.evaluate(`inPage.sources[0].addEventListener('marker', () => { inPage.isPastPings = true; })`);
  for (let count = 0; count < 5; count++) events.ping();
  events.push('marker');
  await until(() => page.evaluate('inPage.isPastPings')).toBe(true);
  expect(await interruption.count()).toBe(1);
  log({ step: 4 });
  await until(() => interruption.count()).toBe(0);

  await follow('Endpoints');
  await until(() => events.open()).toBe(0);
  await back();
  await until(() => events.open()).toBe(1);
  events.push('training.completed', { artifacts: [] });
  events.push('end', { status: 'completed' });
  await until(badge).toBe('completed');
  // A source that is closed does not connect again.
  await until(sources).toEqual([2, 2]);
  expect(await interruption.count()).toBe(0);
});

it('Job detail: its event stream: The wait before it reconnects is what the server says with `retry`, and no timer of the page’s.', async () => {
  const { page, world, events, log, messages, interruption } = await openJob('running', {
    prepare: opened => opened.clock.install(),
    arrange: opened => {
      opened.eventsOf(JOB.id).retryMs = 24 * 3600_000;
      opened.jobs.push(sampleJob({ id: OTHER_ID }));
    },
  });
  const other = world.eventsOf(OTHER_ID);
  log({ step: 1 });
  await until(messages).toEqual(['step=1']);
  await page.evaluate(`new EventSource(inPage.sources[0].url.replace('${JOB.id}', '${OTHER_ID}'))`);
  await until(() => other.open()).toBe(1);

  events.cut();
  await interruption.waitFor();
  await page.clock.fastForward(3600_000);
  for (let cuts = 1; cuts <= 3; cuts++) {
    other.cut();
    await until(() => other.lastEventIds.length).toBe(cuts + 1);
    await until(() => other.open()).toBe(1);
  }
  expect(events.lastEventIds).toEqual([null]);
  expect(await page.evaluate('inPage.sources.length')).toBe(2);
});

it('Job detail: its event stream: A hidden tab soon closes its stream and reads the log instead, and goes on silently when it is shown.', async () => {
  const { page, events, log, messages, interruption, studio } = await openJob('running', {
    prepare: opened => opened.clock.install(),
  });
  log({ step: 1 });
  await until(messages).toEqual(['step=1']);
  await page.clock.pauseAt(Date.now() + 60_000);
  await setHidden(page, true);
  await page.clock.fastForward(4_000);
  expect(events.open()).toBe(1);
  await page.clock.fastForward(2_000);
  await until(() => events.open()).toBe(0);
  log({ step: 2 });
  const reads = studio.callsOf('readJobLog').length;
  await page.clock.fastForward(5_000);
  await until(() => studio.callsOf('readJobLog').length).toBeGreaterThan(reads);
  await until(async () => {
    await page.clock.runFor(250);
    return messages();
  }).toEqual(['step=1', 'step=2']);
  expect(events.open()).toBe(0);
  log({ step: 3 });
  await page.clock.resume();
  await setHidden(page, false);
  await until(messages).toEqual(['step=1', 'step=2', 'step=3']);
  expect(await interruption.count()).toBe(0);
  expect(studio.callsOf('readJobLog').at(-1)?.path).toContain('after=2');
  await until(() => events.open()).toBe(1);
  await setHidden(page, true);
  await setHidden(page, false);
  await page.clock.fastForward(120_000);
  expect(events.open()).toBe(1);
});

it('Job detail: its event stream: Scores that come after the end are shown also where the tab was hidden at the end.', async () => {
  const job = { id: JOB.id, config: { evals: ['tone'] } } as const;
  const { page, world, events, studio, badge, card } = await openJob('running', {
    prepare: opened => opened.clock.install(),
    arrange: opened => {
      opened.jobs = [sampleJob({ ...job, status: 'running' })];
    },
  });
  events.push('training.started', { totalSteps: 2 });
  await until(badge).toBe('running');
  await setHidden(page, true);
  await page.clock.fastForward(6_000);
  await until(() => events.open()).toBe(0);
  const completedAt = new Date(await page.evaluate<number>('Date.now()')).toISOString();
  const ended = sampleJob({ ...job, status: 'completed', completedAt });
  world.jobs = [ended];
  events.push('end', { status: 'completed' });
  await until(async () => {
    await page.clock.runFor(2_000);
    return badge();
  }).toBe('completed');
  await setHidden(page, false);
  expect(await card('Scores').count()).toBe(0);
  world.jobs = [{ ...ended, scores: [{ step: 2, name: 'tone', value: 9 }] }];
  const asked = studio.callsOf('getJob').length;
  await page.clock.runFor(10_000);
  await until(() => studio.callsOf('getJob').length).toBeGreaterThan(asked);
  await until(() => card('Scores').count()).toBe(1);
});
