// `npm run readme-pictures [-- FOLDER]`: the pictures of the README, into `docs/pictures`: both faces of one `svc dev`, after
// real trainings of the example support-triage. Needs a Chromium. FOLDER is a project that has been trained already; without
// it, some minutes are needed.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './support/chromium.js';
import { repositoryRoot } from './support/repository-root.js';
import { EXAMPLE, type Example, openExample } from './terminal/pictures/open-example.js';
import { toSvg } from './terminal/pictures/to-svg.js';
import type { Screen } from './terminal/support/screen.js';

const LOADED_MS = 5 * 60_000;
const CALM_MS = 1000;
const THEMES = ['light', 'dark'] as const;
const WINDOW = { width: 1200, height: 800 };
const TERMINAL = { columns: 125, rows: 34 };
/** Sharp at the width of a README, and still small files. */
const DETAIL = { browser: 1, terminal: 1.25 };

const folder = join(repositoryRoot, 'docs', 'pictures');
const [given] = process.argv.slice(2);
const browser = await launchChromium();
try {
  const example = await openExample(given);
  try {
    await takePictures(example, browser);
  } finally {
    await example.close();
  }
} finally {
  await browser.close();
}

async function takePictures(example: Example, browser: Browser): Promise<void> {
  await mkdir(folder, { recursive: true });
  const [run, swept] = [await example.finishedRun(), await example.sweptRuns()];
  const { screen, url } = await example.dev(TERMINAL);
  await drawData(browser, url);
  await drawRun(screen, browser, url, run.id);
  await drawComparison(
    screen,
    browser,
    url,
    swept.map(({ id }) => id),
  );
}

/** What the checkpoints reached and say. */
async function drawRun(screen: Screen, browser: Browser, url: string, id: string): Promise<void> {
  for (const theme of THEMES) {
    const page = await openPage(browser, theme, `${url}/#/jobs/${id}?log=1`, EXAMPLE);
    await page.getByRole('region', { name: 'Samples' }).waitFor({ timeout: LOADED_MS });
    await drawStudio(page, 'Samples', `studio-${theme}.png`);
  }
  await choose(screen, id);
  screen.press('enter');
  await screen.shows('Training loss', '100 %');
  screen.press('y', 'S');
  await screen.shows('log scale', 'Samples: Final');
  screen.press('<');
  await screen.shows('Samples: Step');
  await drawTerminal(screen, browser, 'terminal.png');
}

async function drawComparison(
  screen: Screen,
  browser: Browser,
  url: string,
  ids: readonly string[],
): Promise<void> {
  for (const theme of THEMES) {
    const page = await openPage(browser, theme, `${url}/#/compare/${ids.join(',')}`, 'Compare runs');
    await page.getByText('Settings that differ').waitFor({ timeout: LOADED_MS });
    await drawStudio(page, 'Results and settings', `compare-${theme}.png`);
  }
  for (const [index, id] of ids.entries()) {
    await choose(screen, id);
    screen.press(' ');
    await screen.shows(index === 0 ? 'Choose one more run.' : `${index + 1} of at most 6`);
  }
  screen.press('C');
  await screen.shows(`Comparing ${ids.length} runs`, 'Best score');
  await drawTerminal(screen, browser, 'terminal-compare.png');
}

/** Its row of the list, alone. */
async function choose(screen: Screen, id: string): Promise<void> {
  screen.press('2');
  await screen.shows(/Status +Name/);
  screen.press('/');
  await screen.shows('Enter results');
  screen.press(`\u0015${id.slice(0, 8)}`);
  await screen.shows(/1 of \d+ jobs/);
  screen.press('enter');
  await screen.shows('Enter open');
}

/** A row token by token, from the page that shows what is learned. */
async function drawData(browser: Browser, url: string): Promise<void> {
  for (const theme of THEMES) {
    const page = await openPage(browser, theme, `${url}/#/data`, 'What is learned');
    await page.locator('.tokens').first().waitFor({ timeout: LOADED_MS });
    const main = (await page.locator('main').boundingBox())!;
    const last = (await page.locator('details').nth(2).boundingBox())!;
    const clip = { ...main, height: last.y + last.height - main.y };
    await page.screenshot({ path: join(folder, `data-${theme}.png`), clip, fullPage: true });
    await page.close();
  }
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

/** Down to the end of a card, with the pointer on the chart. The window grows first: that takes the pointer away. */
async function drawStudio(page: Page, lastCard: string, file: string): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ ...WINDOW, height });
  const chart = (await page.getByRole('slider', { name: 'arrow keys' }).first().boundingBox())!;
  await page.mouse.move(chart.x + chart.width * 0.28, chart.y + chart.height * 0.5);
  // The chart of scores shows one, too.
  await page.locator('.tooltip').first().waitFor();
  const card = (await page.getByRole('region', { name: lastCard }).boundingBox())!;
  const clip = { x: 0, y: 0, width: WINDOW.width, height: card.y + card.height + 24 };
  await page.screenshot({ path: join(folder, file), clip });
  await page.close();
}

async function drawTerminal(screen: Screen, browser: Browser, file: string): Promise<void> {
  await settled(screen);
  const page = await browser.newPage({ deviceScaleFactor: DETAIL.terminal });
  await page.setContent(`<body style="margin:0">${toSvg(screen.cells())}</body>`);
  await page.locator('svg').screenshot({ path: join(folder, file) });
  await page.close();
}

/** Nothing more is drawn. */
async function settled(screen: Screen): Promise<void> {
  for (let seen = -1; seen !== screen.written.length; await sleep(CALM_MS)) seen = screen.written.length;
}
