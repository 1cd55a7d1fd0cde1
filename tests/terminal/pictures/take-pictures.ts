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

type Step = (dashboard: ShownDashboard) => Promise<void> | void;

interface Scene {
  /** How one comes there. */
  steps: Step[];
  /** What Studio knows, when it is not the demonstration. */
  world?: (world: World) => void;
  /** As with `--shell`. */
  runCommand?: RunCommand;
}

const press =
  (...keys: string[]): Step =>
  dashboard =>
    dashboard.press(...keys);
const see =
  (...wanted: (string | RegExp)[]): Step =>
  dashboard =>
    dashboard.shows(...wanted);

const JOBS = [press('2'), see('translate')];
const ENDPOINTS = [press('4'), see('plain.d.example.com')];
const OFFERING = [...ENDPOINTS, press('down', 'down', 'enter'), see('Operations')];
const DESK = [...ENDPOINTS, press('enter'), see('support desk')];
const PICKER = [press('3', 'p'), see('1a2b3c4d')];
const QUESTION = 'I was charged twice in March. Please send one back!';

/** The job in that row of the list. */
const jobInRow = (row: number, status: keyof typeof DEMO_JOBS) => [
  ...JOBS,
  press(...Array<string>(row).fill('down'), 'enter'),
  see('Page 1 of 3', DEMO_JOBS[status].slice(0, 8)),
];
const RUNNING = [...jobInRow(1, 'running'), see(/[Ss]tep 140/)];
const COMPLETED = [...jobInRow(2, 'completed'), see(/[Ss]tep 200/)];

const interrupt: Step = ({ studio }) => {
  const log = studio.world.eventsOf(DEMO_JOBS.running);
  log.isAway = true;
  // Otherwise each attempt draws, and nothing settles.
  log.retryMs = 60_000;
  log.cut();
};

function addCluster(world: World): void {
  fillDemo(world);
  world.cluster = sampleCluster();
}

const listJobs: RunCommand = async (_args, { write }) => {
  write('demo-1234  triage  completed\n');
  return 0;
};

const SCENES: Readonly<Record<string, Scene>> = {
  overview: { steps: [see('step 140/200')] },
  jobs: { steps: JOBS },
  'jobs-search': { steps: [...JOBS, press('/', 'nothing like this'), see('No matches')] },
  'jobs-columns': { steps: [...JOBS, press('v')] },
  'job-running': { steps: [...RUNNING, press(...Array<string>(12).fill('left'))] },
  'job-smooth': { steps: [...RUNNING, press('s', 'y'), see('log scale · smoothed')] },
  'job-completed': { steps: [...COMPLETED, press('a')] },
  'job-interrupted': { steps: [...RUNNING, interrupt, see('Event stream interrupted.')] },
  'job-failed': { steps: [...jobInRow(3, 'failed'), see('dataset_invalid')] },
  'job-samples': { steps: [...COMPLETED, press('S', '<'), see('Samples:')] },
  'job-metric': { steps: [...COMPLETED, press('m', 'x')] },
  sweep: {
    world: addSweep,
    steps: [
      press('2'),
      see('17 jobs'),
      press('s'),
      see('10 of 12 runs completed'),
      press('j', 'j', 'j', 'j'),
    ],
  },
  compare: {
    world: addCompared,
    steps: [
      ...[press('2'), see('11 jobs'), press(' ', 'j', ' ', 'j', ' ', 'j', ' ', 'C')],
      ...[see('Comparing 4 runs', 'Step 120'), press('y', 'left', 'H')],
    ],
  },
  cluster: { world: addCluster, steps: [press('n'), see('garage')] },
  data: { steps: [press('w'), see(/3 findings|18 of 60 tokens/)] },
  kept: { steps: [...OFFERING, press('w'), see('My parcel is late.')] },
  playground: { steps: [...PICKER, press('enter', 'enter', QUESTION, 'enter'), see('first.')] },
  'playground-beside': {
    steps: [
      press('3', 'b'),
      see('The second model answers'),
      press('enter', QUESTION, 'enter'),
      see('first.'),
    ],
  },
  'playground-picker': { steps: PICKER },
  endpoints: { steps: ENDPOINTS },
  'endpoint-new': { steps: [...ENDPOINTS, press('n', 'Not a slug', 'tab', 'right', 'ctrl-s')] },
  endpoint: { steps: [...DESK, press('i', 'nightly tests', 'enter'), see('Press c to copy it')] },
  'endpoint-quick-start': { steps: [...DESK, press('tab', 'right')] },
  'endpoint-offer': { steps: OFFERING },
  help: { steps: [press('2', '?')] },
  command: { runCommand: listJobs, steps: [press(':', 'jobs list', 'enter'), see('Done.')] },
  quit: { steps: [see('running'), press('q'), see('Quit?')] },
};

const SIZES = [
  { columns: 60, rows: 20 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
];

/** Those whose names have `wanted` in them, as `terminal-…` in the folder. */
export async function takeTerminalPictures(browser: Browser, folder: string, wanted = ''): Promise<void> {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  for (const [name, { world, runCommand, steps }] of Object.entries(SCENES)) {
    for (const size of SIZES) {
      const file = `terminal-${name}-${size.columns}x${size.rows}.png`;
      if (!file.includes(wanted)) continue;
      const dashboard = await showDashboard(size, world, runCommand);
      await dashboard.shows('1 Overview', 'anonymous');
      for (const step of steps) await step(dashboard);
      await dashboard.settled();
      await page.setContent(`<body style="margin:0">${toSvg(dashboard.cells())}</body>`);
      await page.locator('svg').screenshot({ path: join(folder, file) });
      await dashboard.close();
    }
  }
  await page.close();
}
