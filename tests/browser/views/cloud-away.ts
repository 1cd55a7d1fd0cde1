// What every page says while the cloud, or Studio itself, is away; and being told when a run has ended.
import { expect, it } from 'vitest';
import { refusal } from '../../support/fake-studio.js';
import { sampleModelFacts } from '../../support/sample-overview.js';
import { JOB_ID, sampleJob } from '../../support/samples.js';
import { type OpenOptions, openStudio, until } from '../harness.js';

const AWAY = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud. Start it with `svc cloud start`.');

const CALLS = ['listJobs', 'listDeployments', 'getOverview', 'getCluster'] as const;

/** With a job, and a clock that the test moves on. */
async function open(hash: string, options: OpenOptions = {}) {
  const opened = await openStudio(hash, {
    arrange: world => {
      world.jobs = [sampleJob()];
    },
    prepare: page => page.clock.install(),
    ...options,
  });
  return { ...opened, header: opened.page.locator('header .away') };
}

it('While the cloud is away, header and banner of every page say so and what to do, once, nothing pulses as if it ran, and all goes when it is back', async () => {
  const { page, world, header, press, visit } = await open('#/jobs', { reducedMotion: 'no-preference' });
  const style = "getComputedStyle(document.querySelector('.badge.running'), '::before')";
  const animation = () => page.evaluate<string>(`${style}.animationName`);
  await page.locator('.badge.running').waitFor();
  expect(await animation()).toContain('breathe');
  for (const call of CALLS) world.failures[call] = AWAY;
  await press('Refresh');
  await until(animation).toBe('none');
  const banner = page.getByRole('alert').filter({ hasText: 'svc cloud start' });
  for (const hash of ['#/jobs', '#/', '#/playground', '#/endpoints']) {
    await visit(hash);
    await until(() => header.textContent()).toContain('cloud unreachable');
    await until(() => banner.count()).toBe(1);
  }
  for (const call of CALLS) delete world.failures[call];
  await page.clock.runFor(30_000);
  await until(() => header.count()).toBe(0);
  await until(() => banner.count()).toBe(0);
});

it.each(['#/', '#/jobs'])(
  'While the cloud is away, a page without a project hears that it is back from what it says of its base model: %s',
  async hash => {
    const { page, world, header, visit } = await open('#/', {
      arrange: opened => {
        opened.identity.projectSlug = null;
        opened.baseModel = sampleModelFacts;
        opened.failures.getBaseModel = AWAY;
      },
    });
    await until(() => header.textContent()).toContain('cloud unreachable');
    await visit(hash);
    delete world.failures.getBaseModel;
    await page.clock.runFor(30_000);
    await until(() => header.count()).toBe(0);
  },
);

it('While the cloud is away, a page says it when Studio itself has stopped', async () => {
  const { page, studio, header, sees, press } = await open('#/jobs', { arrange: () => {} });
  await sees('No jobs yet');
  await studio.close();
  await press('Refresh');
  await until(() => header.textContent()).toContain('Studio stopped');
  expect(await page.getByRole('alert').textContent()).toContain('svc dev');
});

it.each([
  ['#/endpoints', 'listDeployments'],
  ['#/playground', 'listJobs'],
  [`#/jobs/${JOB_ID}`, 'streamJobEvents'],
] as const)(
  'While the cloud is away, a page on which nothing happens hears of it by a small question now and then, and no other: %s',
  async (hash, loaded) => {
    const { page, studio, world, header } = await open(hash);
    world.eventsOf(JOB_ID).push('end', { status: 'completed' });
    await until(() => page.locator('header .identity').textContent()).toContain('/');
    await until(() => studio.callsOf(loaded).length).toBe(1);
    if (loaded === 'streamJobEvents') await page.locator('h1 + .badge.completed').waitFor();
    // How its chats sample.
    if (loaded === 'listJobs') await until(() => studio.callsOf('getBaseModel').length).toBe(1);
    if (loaded === 'streamJobEvents') {
      // At first, and at the end.
      await until(() => studio.callsOf('getJob').length).toBe(2);
      // The card of a job with an adapter.
      await until(() => studio.callsOf('listEvaluations').length).toBe(1);
    }
    const opening = studio.calls.length;
    world.failures.getCluster = AWAY;
    await page.clock.runFor(60_000);
    await until(() => header.textContent()).toContain('cloud unreachable');
    // Who one is costs the cloud nothing.
    const asked = studio.calls.slice(opening).filter(({ name }) => name !== 'getIdentity');
    expect(new Set(asked.map(({ name }) => name))).toEqual(new Set(['getCluster']));
  },
);

it('Being told when a run has ended is asked for, refused with a reason or allowed by the browser, and happens on any page', async () => {
  const { page, studio, world, sees, button, visit } = await open(`#/jobs/${JOB_ID}`, {
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
  const toggle = button('Notify when done');
  await toggle.click();
  await sees('This browser does not allow notifications for this page.');
  await page.evaluate('window.mayTell = true');
  await toggle.click();
  await until(() => toggle.getAttribute('aria-pressed')).toBe('true');
  // Its answer is what the next one is compared with.
  await until(() => studio.answers.some(({ path }) => path === '/api/jobs')).toBe(true);
  await visit('#/endpoints');
  world.jobs = [sampleJob({ status: 'failed', error: 'no space' })];
  await page.clock.runFor(60_000);
  await until(() => page.evaluate('told')).toEqual(['triage failed: no space']);

  world.jobs = [sampleJob({ status: 'running' })];
  await visit(`#/jobs/${JOB_ID}`);
  await until(() => toggle.getAttribute('aria-pressed')).toBe('true');
  const other = await page.context().newPage();
  await other.goto(studio.url);
  await other.evaluate("localStorage.removeItem('svc-notify')");
  await other.close();
  await until(() => toggle.getAttribute('aria-pressed')).toBe('false');
});
