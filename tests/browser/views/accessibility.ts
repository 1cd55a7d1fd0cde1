// Whether everybody can use the pages: by keys, by ear, on a small screen, in either theme.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DEMO_ENDPOINT, DEMO_JOBS, fillDemo } from '../../support/fake-studio/demo.js';
import { focusedName } from '../elements.js';
import { openStudio, until } from '../harness.js';

const ROUTES = [
  '#/',
  '#/jobs',
  `#/jobs/${DEMO_JOBS.failed}`,
  `#/jobs/${DEMO_JOBS.completed}`,
  '#/playground',
  '#/endpoints',
  `#/endpoints/${DEMO_ENDPOINT}`,
  '#/nowhere',
];

/** Opens what a page has to offer, so that it is looked at too. */
async function unfold(page: Page, hash: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (hash.includes(DEMO_JOBS.completed)) await page.getByRole('button', { name: 'Advanced' }).click();
  if (hash === '#/playground') {
    await page.getByLabel('Message').fill('hi');
    await page.keyboard.press('Enter');
    await page.getByText('the second charge').waitFor();
  }
  if (hash === '#/endpoints') await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.waitForTimeout(200);
}

describe('Every page', () => {
  it.each(ROUTES)(
    '%s has names, labels, landmarks, headings in order, contrast in both themes, and fits 360 pixels',
    async hash => {
      const { page } = await openStudio(hash, { arrange: fillDemo, reducedMotion: 'reduce' });
      await unfold(page, hash);
      expect(await page.evaluate('inPage.findMarkupFaults()')).toEqual([]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await page.evaluate('inPage.findContrastFaults()')).toEqual([]);
      }
      await page.setViewportSize({ width: 360, height: 640 });
      await until(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await until(() => page.evaluate('inPage.findWidthFaults()')).toEqual([]);
    },
  );

  it('can be gone through by keys, from the header into the view', async () => {
    const { page } = await openStudio('#/endpoints', { arrange: fillDemo });
    await page.getByText('plain.d.example.com').waitFor();
    const focused = () => focusedName(page);
    const seen: string[] = [];
    for (let press = 0; press < 10; press++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen.slice(0, 8)).toEqual([
      'svc',
      'Overview',
      'Jobs',
      'Playground',
      'Endpoints',
      'Use the dark theme',
      'New endpoint',
      'triage.d.example.com',
    ]);
    await page.getByRole('link', { name: 'Jobs', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await until(focused).toBe('Jobs');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Refresh');
  });
});
