import { expect, it } from 'vitest';
import type { World } from '../../support/fake-studio.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleDeployment, sampleJob } from '../../support/samples.js';
import { boxOf, hashOf, styleOf } from '../elements.js';
import { openStudio, stopClock, until } from '../harness.js';

const JOB = sampleJob();
const ENDPOINT = sampleDeployment();
const ROUTES = [
  ['#/', 'Overview'],
  ['#/jobs', 'Jobs'],
  [`#/jobs/${JOB.id}`, JOB.name],
  ['#/playground', 'Playground'],
  ['#/endpoints', 'Endpoints'],
  [`#/endpoints/${ENDPOINT.id}`, 'demo.d.example.com'],
  ['#/nowhere', 'Page not found'],
] as const;

const arrange = (world: World) => {
  world.jobs = [JOB];
  world.deployments = [ENDPOINT];
};

it('The frame: Views are client-side routes: tabs, deep links, back and a reload keep them.', async () => {
  const { page, isOn, visit, back, reload } = await openStudio('#/', { arrange });
  const documents: string[] = [];
  page.on('request', request => {
    if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
  });
  for (const [hash, title] of ROUTES) {
    await visit(hash).isOn(title);
    await until(() => page.title()).toBe(`${title} · svc Studio`);
    expect(await page.locator('body').innerText()).not.toMatch(/sign (up|in)|account/i);
  }
  for (const [hash, title] of ROUTES.toReversed().slice(1)) {
    await back().isOn(title);
    expect(hashOf(page)).toBe(hash);
  }
  expect(documents).toEqual([]);

  for (const [hash, list] of [
    [`#/jobs/${JOB.id}`, 'Jobs'],
    [`#/endpoints/${ENDPOINT.id}`, 'Endpoints'],
  ] as const) {
    await visit(hash);
    await reload();
    // Over one thing of a list stands the way back to the list.
    await page.getByRole('main').getByRole('link', { name: list, exact: true }).click();
    await isOn(list);
  }
  expect(documents).toEqual(['/', '/']);
  const links = await page.getByRole('navigation').getByRole('link').allTextContents();
  expect(links.map(text => text.trim())).toEqual(['Overview', 'Jobs', 'Playground', 'Endpoints']);
  expect(await page.locator('nav [aria-current]').allTextContents()).toEqual(['Endpoints']);
});

it('The frame: The token changes at every launch; a page from an earlier launch says so, and asks no more until reloaded.', async () => {
  const { page, studio, world, press, follow } = await openStudio('#/jobs', { arrange });
  const restarted = page.getByRole('heading', { name: 'Studio was restarted' });
  await page.getByRole('link', { name: JOB.name }).waitFor();
  studio.renewToken();
  await press('Refresh');
  await restarted.waitFor();
  expect(await page.getByRole('table').count()).toBe(0);
  await press('Reload');
  await follow(JOB.name);
  await until(() => world.eventsOf(JOB.id).open()).toBe(1);
  studio.renewToken();
  world.eventsOf(JOB.id).cut();
  await restarted.waitFor();
  // An event source that is closed does not connect again.
  await until(() => page.evaluate('inPage.sources.map(source => source.readyState)')).toEqual([2]);
});

it('The frame: A page from an earlier launch asks no more either where notifications are on, which stay on.', async () => {
  const { page, studio, press } = await openStudio('#/endpoints', {
    arrange,
    prepare: async opened => {
      await opened.clock.install();
      await opened.addInitScript(`localStorage.setItem('svc-notify', '1');
        window.Notification = class { static permission = 'granted'; };
        window.asked = [];
        const { fetch } = window;
        window.fetch = (...call) => {
          asked.push(String(call[0]));
          return fetch(...call);
        };`);
    },
  });
  const asksForJobs = (status: number) =>
    until(() => studio.answers.some(answer => answer.path === '/api/jobs' && answer.status === status)).toBe(
      true,
    );
  await asksForJobs(200);
  studio.renewToken();
  await page.clock.runFor(5000);
  await page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
  await page.evaluate('asked.splice(0)');
  await page.clock.runFor(60_000);
  expect(await page.evaluate('asked')).toEqual([]);
  expect(await page.evaluate("localStorage.getItem('svc-notify')")).toBe('1');
  studio.answers.splice(0);
  await press('Reload');
  await asksForJobs(200);
});

it('The frame: An identity that cannot be had is said, and can be asked for again; a project that came to be elsewhere is shown, and another one, too.', async () => {
  const { page, world, sees, press, visit } = await openStudio('#/', {
    prepare: stopClock,
    arrange: ({ failures, identity }) => {
      identity.projectSlug = null;
      failures.getIdentity = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    },
  });
  const identity = () => page.locator('header .identity').textContent();
  await sees('Cannot reach the cloud.');
  await until(identity).toBe('not connected');
  delete world.failures.getIdentity;
  await press('Try again');
  await until(identity).toBe('anonymous · anon-4f2a · local');
  expect(await page.getByText('Cannot reach the cloud.').count()).toBe(0);
  await visit('#/jobs');
  Object.assign(world.identity, { projectSlug: 'app-1f2e', cloudHost: null });
  await page.clock.runFor(1000);
  await until(identity).toBe('anonymous · anon-4f2a / app-1f2e');
  world.identity.projectSlug = 'web-2b3c';
  await page.clock.runFor(60_000);
  await until(identity).toBe('anonymous · anon-4f2a / web-2b3c');
});

it('The frame: The identity and the theme stay on one row at any width, below the tabs where they do not fit beside them.', async () => {
  const { page } = await openStudio('#/', {
    viewport: { width: 1280, height: 800 },
    arrange: ({ identity }) => Object.assign(identity, { orgSlug: 'org-anna', cloudHost: 'localhost:45225' }),
  });
  const identity = page.locator('header .identity');
  await until(() => identity.textContent()).toContain('org-anna');
  for (const width of [1024, 768, 740, 700, 641, 640, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await until(() => page.evaluate('innerWidth')).toBe(width);
    const [text, toggle] = [await boxOf(identity), await boxOf(page.locator('header .toggle'))];
    expect(toggle.left, `at ${width}`).toBeGreaterThanOrEqual(text.right);
    expect(toggle.top, `at ${width}`).toBeLessThan(text.bottom);
    expect(toggle.right, `at ${width}`).toBeGreaterThan(width - 40);
  }
});

it('The frame: Light and dark follow the system, and the toggle is remembered.', async () => {
  const { page, press, reload } = await openStudio('#/');
  const background = () => styleOf(page.locator('body'), 'backgroundColor');
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(15, 17, 21)'];
  expect(await background()).toBe(light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await until(background).toBe(dark);
  await press('Switch to light theme');
  await until(background).toBe(light);
  await reload();
  await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor();
  expect(await background()).toBe(light);
  await press('Switch to dark theme');
  await until(background).toBe(dark);
  expect(await page.evaluate('localStorage.length')).toBe(0);
});
