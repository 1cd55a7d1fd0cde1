// `npm run readme-pictures`: the pictures of the README, into `docs/pictures`: both faces of one `svc dev`, in the middle of
// a real training of the example support-triage. It is made in a temporary home, on ports that are free, and all that was
// started is ended. Needs a Chromium; takes some minutes.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './support/chromium.js';
import { repositoryRoot } from './support/source-tree.js';
import { EXAMPLE, type Example, openExample } from './terminal/pictures/open-example.js';
import { toSvg } from './terminal/pictures/to-svg.js';
import type { Cell } from './terminal/support/emulator.js';
import type { Screen } from './terminal/support/screen.js';

/** Of a checkpoint: by then, the lines have a course and the samples have changed. */
const STEP = 250;
/** Three runs to compare. */
const COMPARED = ['--sweep', 'learningRate=5e-4,1e-3,4e-3', '--set', 'epochs=4', '--set', 'evalSteps=15'];
const TRAINING_MS = 45 * 60_000;
const THEMES = ['light', 'dark'] as const;
const WINDOW = { width: 1200, height: 800 };
const TERMINAL = { columns: 122, rows: 34 };
/** Sharp at the width of a README, and still small files. */
const DETAIL = { browser: 1.25, terminal: 1.5 };

const folder = join(repositoryRoot, 'docs', 'pictures');
const browser = await launchChromium();
try {
  const example = await openExample(TERMINAL);
  try {
    await takePictures(example, browser);
  } finally {
    await example.close();
  }
} finally {
  await browser.close();
}

/** Before a training, what it would learn; with `-- data`, only that. */
async function takePictures(example: Example, browser: Browser): Promise<void> {
  const { screen } = example;
  await screen.shows(`Run training: ${EXAMPLE}`);
  const url = await example.url();
  await mkdir(folder, { recursive: true });
  await drawData(browser, url);
  if (process.argv.includes('data')) return;
  const job = await startTraining(screen);
  await drawRun(screen, browser, `${url}/#/jobs/${job}?log=1`);
  await screen.shows('✓ completed');
  await drawComparison(example, browser, url);
}

/** In the middle of it, with what the checkpoints say. */
async function drawRun(screen: Screen, browser: Browser, address: string): Promise<void> {
  const pages = await Promise.all(THEMES.map(theme => openPage(browser, theme, address, EXAMPLE)));
  const isSaid = (page: Page) =>
    page.getByRole('region', { name: 'Samples' }).getByText(`Step ${STEP}`).waitFor({ timeout: TRAINING_MS });
  await Promise.all(pages.map(isSaid));
  screen.press('S');
  await screen.shows(`Samples: Step ${STEP}`);
  const cells = screen.cells();
  await Promise.all(pages.map((page, index) => drawStudio(page, `studio-${THEMES[index]}.png`)));
  await Promise.all(pages.map(page => page.close()));
  await drawTerminal(cells, browser, 'terminal.png');
}

/** Of the runs of a sweep. */
async function drawComparison({ screen, run }: Example, browser: Browser, url: string): Promise<void> {
  await run(['start', ...COMPARED]);
  const { stdout } = await run(['jobs', 'list', '--json']);
  const { jobs } = JSON.parse(stdout) as { jobs: { id: string; group: object | null }[] };
  const ids = jobs.filter(({ group }) => group).map(({ id }) => id);
  for (const theme of THEMES) {
    const page = await openPage(browser, theme, `${url}/#/compare/${ids.join(',')}?log=1`, 'Compare runs');
    await page.getByText('Settings that differ').waitFor();
    await drawStudio(page, `compare-${theme}.png`);
    await page.close();
  }
  screen.press('2');
  await screen.shows('4 jobs');
  screen.press(' ', 'j', ' ', 'j', ' ', 'C', 'y');
  await screen.shows('Comparing 3 runs', 'learningRate');
  await drawTerminal(screen.cells(), browser, 'terminal-compare.png');
}

/** A row token by token, from the page that shows what is learned. */
async function drawData(browser: Browser, url: string): Promise<void> {
  for (const theme of THEMES) {
    const page = await openPage(browser, theme, `${url}/#/data`, 'What is learned');
    await page.locator('.tokens').first().waitFor({ timeout: TRAINING_MS });
    const main = (await page.locator('main').boundingBox())!;
    const last = (await page.locator('details').nth(2).boundingBox())!;
    const clip = { ...main, height: last.y + last.height - main.y };
    await page.screenshot({ path: join(folder, `data-${theme}.png`), clip, fullPage: true });
    await page.close();
  }
}

/** From the terminal, as a person does. Its job is open there when this is done. */
async function startTraining(screen: Screen): Promise<string> {
  await screen.shows(`Run training: ${EXAMPLE}`);
  screen.press('R');
  await screen.shows('Enter open job', /Training svc\S+ \d+ steps/);
  screen.press('enter');
  await screen.shows('Training loss');
  screen.press('y');
  await screen.shows('log scale');
  return /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(screen.text())![0];
}

async function openPage(
  browser: Browser,
  colorScheme: 'light' | 'dark',
  url: string,
  heading: string,
): Promise<Page> {
  const page = await browser.newPage({
    viewport: WINDOW,
    deviceScaleFactor: DETAIL.browser,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await page.goto(url);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return page;
}

/** All of the page, with the values of the first evaluation. The window grows first: that takes the pointer away. */
async function drawStudio(page: Page, file: string): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...WINDOW, height });
  await page.locator('.lines circle').first().hover({ force: true });
  await page.locator('.tooltip').waitFor();
  await page.screenshot({ path: join(folder, file) });
}

async function drawTerminal(cells: Cell[][], browser: Browser, file: string): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: DETAIL.terminal });
  await page.setContent(`<body style="margin:0">${toSvg(cells)}</body>`);
  await page.locator('svg').screenshot({ path: join(folder, file) });
}
