// The browser app as it was built, in one real Chromium, each test with a fake Studio of its own. Most tests share a
// page, which is most of what a page costs; who wants another browser context gets one. What the page complains about,
// the content security policy included, fails the test, and so does a request to anything but its Studio.
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { launchChromium } from '../support/chromium.js';
import { type FakeStudio, openSharedPort, startFakeStudio, type World } from '../support/fake-studio.js';
import { PATIENCE_MS } from '../support/patience.js';
import { handsOf } from './hands.js';

export { until } from '../support/until.js';

export interface Opened extends ReturnType<typeof handsOf> {
  page: Page;
  studio: FakeStudio;
  world: World;
}

/** From now on a route does not answer, until what is returned is called. */
export function hold(world: World, route: keyof World['slowness']): () => void {
  let release = () => {};
  world.slowness[route] = new Promise<void>(resolve => {
    release = resolve;
  });
  return () => release();
}

export interface OpenOptions extends BrowserContextOptions {
  arrange?: (world: World) => void;
  /** Before the page is loaded; what it does to the page is forgotten with it. */
  prepare?: (page: Page) => Promise<unknown>;
}

/** Chromium's own note of an answer that is no success. */
const EXPECTED = /Failed to load resource/;
const WINDOW = { width: 1280, height: 800 };
const USUAL: BrowserContextOptions = {
  viewport: WINDOW,
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
};

let browser: Browser;
let port: Awaited<ReturnType<typeof openSharedPort>>;
let shared: Page | undefined;
let opened = 0;

beforeAll(async () => {
  [browser, port] = await Promise.all([launchChromium(), openSharedPort()]);
});

afterAll(async () => {
  await browser?.close();
  await port?.close();
});

export async function openStudio(
  hash: string,
  { arrange, prepare, ...options }: OpenOptions = {},
): Promise<Opened> {
  const isOwn = prepare !== undefined || Object.keys(options).length > 0;
  const studio = await startFakeStudio(isOwn ? undefined : port.place);
  arrange?.(studio.world);
  const page = isOwn ? await newPage(options) : await sharedPage();
  const findComplaints = listen(page, studio.url);
  onTestFinished(async () => {
    await (isOwn ? page.context().close() : tidy(page));
    await studio.close();
    expect(findComplaints()).toEqual([]);
  });
  await prepare?.(page);
  // Another query makes it another document, also where only the hash would differ.
  await page.goto(`${studio.url}/?${++opened}${hash}`);
  return { ...handsOf(page), page, studio, world: studio.world };
}

export async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...USUAL, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript({ path: join(import.meta.dirname, 'in-page.js') });
  return page;
}

async function sharedPage(): Promise<Page> {
  shared ??= await newPage();
  return shared;
}

/** Leaves a page as it was made, but for what it shows: the next test goes elsewhere. */
async function tidy(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.evaluate('sessionStorage.clear(); localStorage.clear()');
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(WINDOW);
  await page.mouse.move(0, 0);
}

function listen(page: Page, origin: string): () => string[] {
  const complaints: string[] = [];
  page.on('request', request => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) complaints.push(`asked ${url}`);
  });
  page.on('pageerror', error => complaints.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
  });
  return () => complaints;
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
