// The browser app as it was built, in one real Chromium, each test in a context and with a fake Studio of its own. What
// the page complains about, the content security policy included, fails the test.
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { type FakeStudio, startFakeStudio, type World } from '../support/fake-studio.js';

export interface Opened {
  page: Page;
  studio: FakeStudio;
  world: World;
}

export interface OpenOptions extends BrowserContextOptions {
  arrange?: (world: World) => void;
  /** Before the page is loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

const PATIENCE_MS = 20_000;
/** Chromium's own note of an answer that is no success. */
const EXPECTED = /Failed to load resource/;

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
}, 120_000);

afterAll(async () => {
  await browser?.close();
}, 60_000);

export async function openStudio(
  hash: string,
  { arrange, prepare, ...options }: OpenOptions = {},
): Promise<Opened> {
  const studio = await startFakeStudio();
  arrange?.(studio.world);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    await studio.close();
    expect(complaints).toEqual([]);
  });
  await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
  await prepare?.(page);
  await page.goto(`${studio.url}/${hash}`);
  return { page, studio, world: studio.world };
}

/** Expects something that becomes true sooner or later. */
export function until<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: PATIENCE_MS, interval: 40 });
}

/** Stops the page's clock, so that only the test moves it on. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: new Date('2026-03-01T10:00:00Z') });
  await page.clock.pauseAt(new Date('2026-03-01T10:00:01Z'));
}

/** Lets the page take itself for hidden or shown. */
export async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`inPage.setHidden(${isHidden})`);
}

/** Lines of points, as numbers. */
export async function pointsOf(page: Page, selector: string): Promise<[x: number, y: number][]> {
  const text = (await page.locator(selector).getAttribute('points')) ?? '';
  return text.split(' ').map(pair => pair.split(',').map(Number) as [number, number]);
}
