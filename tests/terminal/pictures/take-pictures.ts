// Pictures of the dashboard: every view at two sizes.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { DEMO_JOBS } from '../../support/fake-studio/demo.js';
import { type ShownDashboard, showDashboard } from './show-dashboard.js';
import { toSvg } from './to-svg.js';

interface Scene {
  name: string;
  arrange(dashboard: ShownDashboard): Promise<unknown>;
}

const SCENES: readonly Scene[] = [
  { name: 'overview', arrange: dashboard => dashboard.shows('step 140/200') },
  { name: 'jobs', arrange: openJobs },
  {
    name: 'jobs-search',
    async arrange(dashboard) {
      await openJobs(dashboard);
      await dashboard.press('/', 'nothing like this');
      await dashboard.shows('No matches');
    },
  },
  {
    name: 'job-running',
    async arrange(dashboard) {
      await openJob(dashboard, 'running', 1);
      await dashboard.shows('step=140 ');
      await dashboard.press(...Array<string>(12).fill('left'));
    },
  },
  {
    name: 'job-smooth',
    async arrange(dashboard) {
      await openJob(dashboard, 'running', 1);
      await dashboard.shows('step=140 ');
      await dashboard.press('s', 'y');
      await dashboard.shows('log scale · smoothed');
    },
  },
  {
    name: 'job-completed',
    async arrange(dashboard) {
      await openJob(dashboard, 'completed', 2);
      await dashboard.shows('4 artifacts');
      await dashboard.press('a');
    },
  },
  { name: 'job-interrupted', arrange: interrupt },
  {
    name: 'job-failed',
    async arrange(dashboard) {
      await openJob(dashboard, 'failed', 3);
      await dashboard.shows('dataset_invalid');
    },
  },
  { name: 'playground', arrange: chat },
  {
    name: 'playground-picker',
    async arrange(dashboard) {
      await dashboard.press('3', 'p');
      await dashboard.shows('1a2b3c4d');
    },
  },
  { name: 'endpoints', arrange: openDeployments },
  {
    name: 'endpoint-new',
    async arrange(dashboard) {
      await openDeployments(dashboard);
      await dashboard.press('n', 'Not a slug', 'tab', 'right', 'ctrl-s');
    },
  },
  {
    name: 'endpoint',
    async arrange(dashboard) {
      await openDeployments(dashboard);
      await dashboard.press('enter');
      await dashboard.shows('support desk');
      await dashboard.press('i', 'nightly tests', 'enter');
      await dashboard.shows('It will not be shown again.');
    },
  },
  {
    name: 'endpoint-quick-start',
    async arrange(dashboard) {
      await openDeployments(dashboard);
      await dashboard.press('enter');
      await dashboard.shows('support desk');
      await dashboard.press('tab', 'right');
    },
  },
  {
    name: 'endpoint-offer',
    async arrange(dashboard) {
      await openDeployments(dashboard);
      await dashboard.press('down', 'down', 'enter');
      await dashboard.shows('Operations');
    },
  },
  { name: 'help', arrange: dashboard => dashboard.press('2', '?') },
  {
    name: 'command',
    async arrange(dashboard) {
      await dashboard.press(':', 'jobs list', 'enter');
      await dashboard.shows('Done.');
    },
  },
  { name: 'quit', arrange: askToQuit },
];

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
];

/** Those whose names have `wanted` in them, as `terminal-…` in the folder. */
export async function takeTerminalPictures(browser: Browser, folder: string, wanted = ''): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  for (const { name, arrange } of SCENES) {
    for (const size of SIZES) {
      const file = `terminal-${name}-${size.columns}x${size.rows}.png`;
      if (!file.includes(wanted)) continue;
      const dashboard = await showDashboard(size);
      await dashboard.shows('1 Overview', 'anonymous');
      await arrange(dashboard);
      await dashboard.settled();
      await page.setContent(`<body style="margin:0">${toSvg(dashboard.cells())}</body>`);
      await page.locator('svg').screenshot({ path: join(folder, file) });
      await dashboard.close();
    }
  }
  await page.close();
}

async function openJobs(dashboard: ShownDashboard): Promise<void> {
  await dashboard.press('2');
  await dashboard.shows('translate');
}

/** The job in that row of the list. */
async function openJob(dashboard: ShownDashboard, status: keyof typeof DEMO_JOBS, row: number) {
  await openJobs(dashboard);
  await dashboard.press(...Array<string>(row).fill('down'), 'enter');
  await dashboard.shows(DEMO_JOBS[status]);
}

async function interrupt(dashboard: ShownDashboard): Promise<void> {
  await openJob(dashboard, 'running', 1);
  await dashboard.shows('step=140 ');
  const log = dashboard.studio.world.eventsOf(DEMO_JOBS.running);
  log.isAway = true;
  log.cut();
  await dashboard.shows('Event stream interrupted.');
}

async function chat(dashboard: ShownDashboard): Promise<void> {
  await dashboard.press('3', 'p');
  await dashboard.shows('1a2b3c4d');
  await dashboard.press('enter', 'enter', 'I was charged twice in March. Please send one back!', 'enter');
  await dashboard.shows('first.');
}

async function askToQuit(dashboard: ShownDashboard): Promise<void> {
  await dashboard.shows('running');
  await dashboard.press('q');
  await dashboard.shows('Quit?');
}

async function openDeployments(dashboard: ShownDashboard): Promise<void> {
  await dashboard.press('4');
  await dashboard.shows('plain.d.example.com');
}
