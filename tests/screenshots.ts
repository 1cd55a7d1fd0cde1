// `npm run screenshots`: a picture of every view into `screenshots/`, light and dark, on a desktop and on a phone. It
// shows the app as it was built last.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from './support/chromium.js';
import { DEMO_ENDPOINT, DEMO_JOBS, fillDemo } from './support/fake-studio/demo.js';
import { type FakeStudio, startFakeStudio } from './support/fake-studio.js';
import { repositoryRoot } from './support/source-tree.js';

interface Scene {
  name: string;
  hash: string;
  arrange?: (page: Page, studio: FakeStudio) => Promise<unknown>;
}

const SCENES: Scene[] = [
  { name: 'overview', hash: '#/', arrange: page => page.getByText('step 140/200').waitFor() },
  { name: 'jobs', hash: '#/jobs', arrange: page => page.getByText('translate').waitFor() },
  {
    name: 'jobs-no-matches',
    hash: '#/jobs',
    arrange: page => page.getByRole('searchbox').fill('nothing like this'),
  },
  { name: 'job-running', hash: `#/jobs/${DEMO_JOBS.running}`, arrange: hoverChart },
  { name: 'job-completed', hash: `#/jobs/${DEMO_JOBS.completed}`, arrange: openStatistics },
  { name: 'job-failed', hash: `#/jobs/${DEMO_JOBS.failed}`, arrange: interrupt },
  { name: 'playground', hash: '#/playground', arrange: chat },
  { name: 'endpoints', hash: '#/endpoints', arrange: page => page.getByText('plain').waitFor() },
  { name: 'endpoint-new', hash: '#/endpoints', arrange: fillForm },
  { name: 'endpoint', hash: `#/endpoints/${DEMO_ENDPOINT}`, arrange: issueKey },
  { name: 'not-found', hash: '#/nowhere' },
];

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const folder = join(repositoryRoot, 'screenshots');
const wanted = process.argv[2] ?? '';

await mkdir(folder, { recursive: true });
const browser = await launchChromium();
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [device, viewport] of Object.entries(SIZES)) {
    for (const scene of SCENES.filter(({ name }) => name.includes(wanted))) {
      await takePicture(scene, `${scene.name}-${device}-${colorScheme}.png`, { viewport, colorScheme });
    }
  }
}
await browser.close();

async function takePicture(
  { hash, arrange }: Scene,
  file: string,
  options: { viewport: { width: number; height: number }; colorScheme: 'light' | 'dark' },
): Promise<void> {
  const studio = await startFakeStudio();
  fillDemo(studio.world);
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce', locale: 'en-GB' });
  const page = await context.newPage();
  page.on('pageerror', error => console.error(file, error));
  await page.goto(`${studio.url}/${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await arrange?.(page, studio);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(folder, file), fullPage: true });
  await context.close();
  await studio.close();
}

async function hoverChart(page: Page): Promise<void> {
  const chart = page.getByRole('slider');
  await chart.waitFor();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
}

async function openStatistics(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByText('3 artifacts').waitFor();
}

async function interrupt(page: Page, { world }: FakeStudio): Promise<void> {
  const log = world.eventsOf(DEMO_JOBS.running);
  log.isAway = true;
  await page.getByText('dataset_invalid').first().waitFor();
}

async function chat(page: Page): Promise<void> {
  await page.getByLabel('Final adapter of a job').check();
  await page.getByLabel('Message').fill('I was charged twice in March. Please send one of them back!');
  await page.keyboard.press('Enter');
  await page.getByText('the second charge').waitFor();
}

async function fillForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('Target').selectOption('checkpoint');
  await page.getByLabel('Slug').fill('Not a slug');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
}

async function issueKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Issue key' }).click();
  await page.getByLabel('Label').fill('nightly tests');
  await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
  await page.getByText('you will not see this again').waitFor();
}
