// What every page says while the cloud, or Studio itself, is away; and being told when a run has ended.
import { describe, expect, it } from 'vitest';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { goTo } from '../elements.js';
import { openStudio, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const AWAY = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud. Start it with `svc cloud start`.');

const CALLS = ['listJobs', 'listDeployments', 'getOverview', 'getCluster'] as const;

describe('While the cloud is away', () => {
  it('header and banner of every page say so and what to do, once, nothing pulses as if it ran, and all goes when it is back', async () => {
    const { page, world } = await openStudio('#/jobs', {
      reducedMotion: 'no-preference',
      arrange: opened => {
        opened.jobs = [sampleJob()];
      },
      prepare: opened => opened.clock.install(),
    });
    const animation = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('.badge.running'), '::before').animationName",
      );
    await page.locator('.badge.running').waitFor();
    expect(await animation()).toContain('breathe');
    for (const call of CALLS) world.failures[call] = AWAY;
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(animation).toBe('none');
    const header = page.locator('header .away');
    const banner = page.getByRole('alert').filter({ hasText: 'svc cloud start' });
    for (const hash of ['#/jobs', '#/', '#/playground', '#/endpoints']) {
      await goTo(page, hash);
      await until(() => header.textContent()).toContain('cloud unreachable');
      await until(() => banner.count()).toBe(1);
    }
    for (const call of CALLS) delete world.failures[call];
    await page.clock.runFor(30_000);
    await until(() => header.count()).toBe(0);
    await until(() => banner.count()).toBe(0);
  });

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

  it('a page says it when Studio itself has stopped', async () => {
    const { page, studio } = await openStudio('#/jobs', { prepare: async () => {} });
    await page.getByText('No jobs yet').waitFor();
    await studio.close();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(() => page.locator('header .away').textContent()).toContain('Studio stopped');
    expect(await page.getByRole('alert').textContent()).toContain('svc dev');
  });
});

it.each(['#/endpoints', '#/playground'])(
  'While nothing happens, a page asks only now and then, in a small question, whether the cloud is there: %s',
  async hash => {
    const { page, studio } = await openStudio(hash, { prepare: opened => opened.clock.install() });
    await until(() => page.locator('header .identity').textContent()).toContain('/');
    await until(() => studio.callsOf(hash === '#/endpoints' ? 'listDeployments' : 'listJobs').length).toBe(1);
    const opening = studio.calls.length;
    await page.clock.runFor(60_000);
    await until(() => studio.callsOf('getCluster').length).toBeGreaterThan(0);
    expect(new Set(studio.calls.slice(opening).map(({ name }) => name))).toEqual(new Set(['getCluster']));
  },
);

describe('Being told when a run has ended', () => {
  it('is asked for, refused with a reason or allowed by the browser, and then happens on any page', async () => {
    const { page, studio, world } = await openJob('running', {
      prepare: async opened => {
        await opened.clock.install();
        await opened.addInitScript(`window.told = [];
          window.Notification = class {
            static permission = 'default';
            static requestPermission = async () => Notification.permission = window.mayTell ? 'granted' : 'denied';
            constructor(text) { told.push(text); }
          };`);
      },
    });
    const toggle = page.getByRole('button', { name: 'Notify when done' });
    await toggle.click();
    await page.getByText('This browser does not allow notifications for this page.').waitFor();
    await page.evaluate('window.mayTell = true');
    await toggle.click();
    await until(() => toggle.getAttribute('aria-pressed')).toBe('true');
    // Its answer is what the next one is compared with.
    await until(() => studio.answers.some(({ path }) => path === '/api/jobs')).toBe(true);
    await goTo(page, '#/endpoints');
    world.jobs = [sampleJob({ id: JOB.id, status: 'failed', error: 'no space' })];
    await page.clock.runFor(60_000);
    await until(() => page.evaluate('told')).toEqual(['triage failed: no space']);
  });
});
