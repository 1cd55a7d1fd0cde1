// What every page says while the cloud, or Studio itself, is away; and being told when a run has ended.
import { describe, expect, it } from 'vitest';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { styleOf } from '../elements.js';
import { openStudio, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const AWAY = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud. Start it with `svc cloud start`.');

const CALLS = ['listJobs', 'listDeployments', 'getOverview', 'getCluster'] as const;

describe('While the cloud is away', () => {
  it.each(['#/', '#/jobs', '#/playground', '#/endpoints'])(
    'header and banner say so and what to do, once, and go when it is back: %s',
    async hash => {
      const { page, world } = await openStudio('#/jobs');
      await page.getByText('No jobs yet').waitFor();
      for (const call of CALLS) world.failures[call] = AWAY;
      await page.getByRole('button', { name: 'Refresh' }).click();
      const header = page.locator('header .away');
      await until(() => header.textContent()).toContain('cloud unreachable');
      await page.evaluate(`location.assign(${JSON.stringify(hash)})`);
      const banner = page.getByRole('alert').filter({ hasText: 'svc cloud start' });
      await until(() => banner.count()).toBe(1);
      for (const call of CALLS) delete world.failures[call];
      await until(() => header.count()).toBe(0);
      await until(() => banner.count()).toBe(0);
    },
  );

  it('the page of a finished run says so, too, on which nothing changes', async () => {
    const { page, world, events, badge } = await openJob('running', {
      prepare: opened => opened.clock.install(),
    });
    events.push('training.completed', { artifacts: [] });
    events.push('end', { status: 'completed' });
    await until(badge).toBe('completed');
    world.failures.getCluster = AWAY;
    await page.clock.runFor(30_000);
    await until(() => page.locator('header .away').textContent()).toContain('cloud unreachable');
  });

  it('nothing pulses as if it ran', async () => {
    const { page, world } = await openStudio('#/jobs', {
      reducedMotion: 'no-preference',
      arrange: opened => {
        opened.jobs = [sampleJob()];
      },
    });
    const dot = page.locator('.badge.running');
    await dot.waitFor();
    const animation = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('.badge.running'), '::before').animationName",
      );
    expect(await animation()).toContain('breathe');
    world.failures.listJobs = AWAY;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(animation).toBe('none');
    expect(await styleOf(dot, 'color')).toBeTruthy();
  });

  it('a page says it when Studio itself has stopped', async () => {
    const { page, studio } = await openStudio('#/jobs', { prepare: async () => {} });
    await page.getByText('No jobs yet').waitFor();
    await studio.close();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(() => page.locator('header .away').textContent()).toContain('Studio stopped');
    expect(await page.getByRole('alert').textContent()).toContain('svc dev');
  });
});

describe('While nothing happens', () => {
  it.each([
    ['#/endpoints', 'listDeployments'],
    ['#/playground', 'listJobs'],
  ] as const)(
    'a page asks only now and then, in a small question, whether the cloud is there: %s',
    async (hash, first) => {
      const { page, studio } = await openStudio(hash, { prepare: opened => opened.clock.install() });
      await until(() => page.locator('header .identity').textContent()).toContain('/');
      await until(() => studio.callsOf(first).length).toBe(1);
      const opening = studio.calls.length;
      await page.clock.runFor(60_000);
      await until(() => studio.callsOf('getCluster').length).toBeGreaterThan(0);
      const names = studio.calls.slice(opening).map(({ name }) => name);
      expect(new Set(names)).toEqual(new Set(['getCluster']));
    },
  );
});

describe('Being told when a run has ended', () => {
  it('is asked for, allowed by the browser, and then happens on any page', async () => {
    const { page, studio, world } = await openJob('running', {
      permissions: ['notifications'],
      prepare: opened =>
        opened.addInitScript(`window.told = [];
          window.Notification = class { static permission = 'granted'; constructor(text) { told.push(text); } };`),
    });
    const toggle = page.getByRole('button', { name: 'Notify when done' });
    await toggle.click();
    await until(() => toggle.getAttribute('aria-pressed')).toBe('true');
    await until(() => studio.callsOf('listJobs').length).toBeGreaterThan(0);
    await page.evaluate("location.assign('#/playground')");
    world.jobs = [sampleJob({ id: JOB.id, status: 'failed', error: 'no space' })];
    await until(() => page.evaluate('told')).toEqual(['triage failed: no space']);
  });

  it('is refused with a reason where the browser does not allow it', async () => {
    const { page } = await openJob('running', {
      prepare: opened =>
        opened.addInitScript(
          "window.Notification = class { static permission = 'denied'; static requestPermission = async () => 'denied'; };",
        ),
    });
    await page.getByRole('button', { name: 'Notify when done' }).click();
    await page.getByText('This browser does not allow notifications for this page.').waitFor();
  });
});
