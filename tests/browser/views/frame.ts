import { describe, expect, it } from 'vitest';
import type { fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleDeployment, sampleJob } from '../../support/samples.js';
import { goTo, hashOf, styleOf } from '../elements.js';
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
] as const;

const arrange = (world: Parameters<typeof fillDemo>[0]) => {
  world.jobs = [JOB];
  world.deployments = [ENDPOINT];
};

describe('the frame', () => {
  it('The header of the UI shows the identity as `<mode> · <org>[ / <project>][ · <cloud_host>]`.', async () => {
    const { page, world } = await openStudio('#/');
    const identity = page.locator('header .identity');
    await until(() => identity.textContent()).toBe('anonymous · anon-4f2a / support-bot-1f2e · local');
    Object.assign(world.identity, { mode: 'oauth', projectSlug: null, cloudHost: '127.0.0.1:9' });
    await page.reload();
    await until(() => identity.textContent()).toBe('oauth · anon-4f2a · 127.0.0.1:9');
  });

  it('The cloud host part is hidden when the CLI points at the production endpoint and shown otherwise.', async () => {
    const { page } = await openStudio('#/', {
      arrange: world => {
        world.identity.cloudHost = null;
      },
    });
    await until(() => page.locator('header .identity').textContent()).toBe(
      'anonymous · anon-4f2a / support-bot-1f2e',
    );
  });

  it('The in-app nav has four entries: Overview, Jobs, Playground, Endpoints.', async () => {
    const { page } = await openStudio(`#/jobs/${JOB.id}`, { arrange });
    const links = page.getByRole('navigation').getByRole('link');
    expect((await links.allTextContents()).map(text => text.trim())).toEqual([
      'Overview',
      'Jobs',
      'Playground',
      'Endpoints',
    ]);
    expect(await page.locator('nav [aria-current]').allTextContents()).toEqual(['Jobs']);
  });

  it('Views are client-side routes: reload, back and deep links keep them.', async () => {
    const { page } = await openStudio('#/', { arrange });
    const documents: string[] = [];
    page.on('request', request => {
      if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname);
    });
    const heading = page.getByRole('heading', { level: 1 });
    for (const [hash, title] of ROUTES) {
      await goTo(page, hash);
      await until(() => heading.textContent()).toBe(title);
    }
    expect(documents).toEqual([]);
    await page.reload();
    for (const [hash, title] of ROUTES.toReversed()) {
      await until(() => heading.textContent()).toBe(title);
      expect(await page.title()).toBe(`${title} · svc Studio`);
      await page.reload();
      await until(() => heading.textContent()).toBe(title);
      expect(hashOf(page)).toBe(hash);
      if (hash !== ROUTES[0][0]) await page.goBack();
    }
    expect(new Set(documents)).toEqual(new Set(['/']));
  });

  it.each([
    [`#/jobs/${JOB.id}`, 'Jobs'],
    [`#/endpoints/${ENDPOINT.id}`, 'Endpoints'],
  ])('Over one thing of a list stands the way back to the list: %s', async (hash, list) => {
    const { page } = await openStudio(hash, { arrange });
    await page.getByRole('main').getByRole('link', { name: list, exact: true }).click();
    await until(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(list);
  });

  it('An address that leads nowhere says so.', async () => {
    const { page } = await openStudio('#/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('The web app contacts only the loopback process, and has no signup.', async () => {
    const foreign: string[] = [];
    const { page, studio } = await openStudio('#/', {
      arrange,
      prepare: async opened =>
        opened.on('request', request => {
          if (!request.url().startsWith('data:')) foreign.push(new URL(request.url()).origin);
        }),
    });
    for (const [hash, title] of ROUTES) {
      await goTo(page, hash);
      await until(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
      expect(await page.locator('body').innerText()).not.toMatch(/sign (up|in)|account/i);
    }
    await until(() => studio.callsOf('getDeployment').length).toBe(1);
    await goTo(page, '#/playground');
    await page.getByLabel('Message').fill('hi');
    await page.keyboard.press('Enter');
    await page.getByText('You said: hi').waitFor();
    await goTo(page, '#/endpoints');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByLabel('Slug').fill('fresh');
    await page.getByLabel('Target').selectOption('base_model');
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByRole('link', { name: 'fresh.d.example.com' }).waitFor();
    expect([...new Set(foreign)]).toEqual([studio.url]);
  });

  it('The token changes at every launch; a tab from an earlier launch fails with HTTP 403 until reloaded.', async () => {
    const { page, studio } = await openStudio('#/jobs', { arrange });
    await page.getByRole('link', { name: JOB.name }).waitFor();
    studio.renewToken();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('link', { name: JOB.name }).waitFor();
  });

  it('A stale event stream shows the same, and is not opened again and again.', async () => {
    const { page, studio, world } = await openStudio(`#/jobs/${JOB.id}`, { arrange });
    await until(() => world.eventsOf(JOB.id).open()).toBe(1);
    studio.renewToken();
    world.eventsOf(JOB.id).cut();
    await page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
    const calls = studio.calls.length;
    await page.waitForTimeout(300);
    expect(studio.calls.length).toBe(calls);
  });

  it('An identity that cannot be had is said, and can be asked for again.', async () => {
    const { page, world } = await openStudio('#/', {
      prepare: stopClock,
      arrange: opened => {
        opened.failures.getIdentity = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
      },
    });
    await page.getByText('Cannot reach the cloud.').waitFor();
    await until(() => page.locator('header .identity').textContent()).toBe('not connected');
    delete world.failures.getIdentity;
    await page.getByRole('button', { name: 'Try again' }).click();
    await until(() => page.locator('header .identity').textContent()).toContain('anonymous');
    expect(await page.getByText('Cannot reach the cloud.').count()).toBe(0);
  });

  it('Light and dark follow the system, and the toggle is remembered.', async () => {
    const { page } = await openStudio('#/', { colorScheme: 'light' });
    const background = () => styleOf(page.locator('body'), 'backgroundColor');
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(15, 17, 21)'];
    expect(await background()).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(background).toBe(dark);
    await page.getByRole('button', { name: 'Switch to light theme' }).click();
    await until(background).toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor();
    expect(await background()).toBe(light);
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await until(background).toBe(dark);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });
});
