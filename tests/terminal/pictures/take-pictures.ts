// Pictures of the dashboard: every view at four sizes.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { RunCommand } from '../../../cli/dashboard/index.js';
import { addCompared } from '../../support/fake-studio/compared.js';
import { DEMO_JOBS, fillDemo } from '../../support/fake-studio/demo.js';
import { addSweep } from '../../support/fake-studio/swept.js';
import type { World } from '../../support/fake-studio/world.js';
import { sampleCluster } from '../../support/sample-cluster.js';
import { type ShownDashboard, showDashboard } from './show-dashboard.js';
import { toSvg } from './to-svg.js';

interface Scene {
  name: string;
  /** What Studio knows, when it is not the demonstration. */
  world?: (world: World) => void;
  /** As with `--shell`. */
  runCommand?: RunCommand;
  arrange(dashboard: ShownDashboard): Promise<unknown>;
}

export const SCENES: readonly Scene[] = [
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
      await dashboard.shows(/[Ss]tep 140/);
      await dashboard.press(...Array<string>(12).fill('left'));
    },
  },
  {
    name: 'job-smooth',
    async arrange(dashboard) {
      await openJob(dashboard, 'running', 1);
      await dashboard.shows(/[Ss]tep 140/);
      await dashboard.press('s', 'y');
      await dashboard.shows('log scale · smoothed');
    },
  },
  {
    name: 'job-completed',
    async arrange(dashboard) {
      await openJob(dashboard, 'completed', 2);
      await dashboard.shows(/[Ss]tep 200/);
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
  {
    name: 'job-samples',
    async arrange(dashboard) {
      await openJob(dashboard, 'completed', 2);
      await dashboard.shows(/[Ss]tep 200/);
      await dashboard.press('S', '<');
      await dashboard.shows('Samples:');
    },
  },
  {
    name: 'job-metric',
    async arrange(dashboard) {
      await openJob(dashboard, 'completed', 2);
      await dashboard.shows(/[Ss]tep 200/);
      await dashboard.press('m', 'x');
    },
  },
  {
    name: 'jobs-columns',
    async arrange(dashboard) {
      await openJobs(dashboard);
      await dashboard.press('v');
    },
  },
  {
    name: 'sweep',
    world: addSweep,
    async arrange(dashboard) {
      await dashboard.press('2');
      await dashboard.shows('17 jobs');
      await dashboard.press('s');
      await dashboard.shows('10 of 12 runs completed');
      await dashboard.press('j', 'j', 'j', 'j');
    },
  },
  {
    name: 'compare',
    world: addCompared,
    async arrange(dashboard) {
      await dashboard.press('2');
      await dashboard.shows('11 jobs');
      await dashboard.press(' ', 'j', ' ', 'j', ' ', 'j', ' ', 'C');
      await dashboard.shows('Comparing 4 runs', 'Step 120');
      await dashboard.press('y', 'left', 'H');
    },
  },
  {
    name: 'cluster',
    world(world) {
      fillDemo(world);
      world.cluster = sampleCluster();
    },
    async arrange(dashboard) {
      await dashboard.press('n');
      await dashboard.shows('garage');
    },
  },
  {
    name: 'data',
    async arrange(dashboard) {
      await dashboard.press('w');
      await dashboard.shows(/3 findings|18 of 60 tokens/);
    },
  },
  {
    name: 'kept',
    async arrange(dashboard) {
      await openDeployments(dashboard);
      await dashboard.press('down', 'down', 'enter');
      await dashboard.shows('Operations');
      await dashboard.press('w');
      await dashboard.shows('My parcel is late.');
    },
  },
  { name: 'playground', arrange: chat },
  {
    name: 'playground-beside',
    async arrange(dashboard) {
      await dashboard.press('3', 'b');
      await dashboard.shows('The second model answers');
      await dashboard.press('enter', 'I was charged twice in March. Please send one back!', 'enter');
      await dashboard.shows('first.');
    },
  },
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
      await dashboard.shows('Press c to copy it');
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
    async runCommand(_args, { write }) {
      write('demo-1234  triage  completed\n');
      return 0;
    },
    async arrange(dashboard) {
      await dashboard.press(':', 'jobs list', 'enter');
      await dashboard.shows('Done.');
    },
  },
  { name: 'quit', arrange: askToQuit },
];

const SIZES = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
];

/** Those whose names have `wanted` in them, as `terminal-…` in the folder. */
export async function takeTerminalPictures(browser: Browser, folder: string, wanted = ''): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  for (const { name, world, runCommand, arrange } of SCENES) {
    for (const size of SIZES) {
      const file = `terminal-${name}-${size.columns}x${size.rows}.png`;
      if (!file.includes(wanted)) continue;
      const dashboard = await showDashboard(size, world, runCommand);
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
  await dashboard.shows('Page 1 of 3', DEMO_JOBS[status].slice(0, 8));
}

async function interrupt(dashboard: ShownDashboard): Promise<void> {
  await openJob(dashboard, 'running', 1);
  await dashboard.shows(/[Ss]tep 140/);
  const log = dashboard.studio.world.eventsOf(DEMO_JOBS.running);
  log.isAway = true;
  // Otherwise each attempt draws, and nothing settles.
  log.retryMs = 60_000;
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
