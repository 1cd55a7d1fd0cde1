// What the browser app can look like: each state of each view, with what brings it about. Pictured by `npm run
// screenshots`, and judged by the tests for everybody's use.

import type { Page } from 'playwright-core';
import { type FakeStudio, refusal, type World } from '../fake-studio.js';
import { sampleCluster } from '../sample-cluster.js';
import { SAMPLE_EVALUATION_ID } from '../sample-evaluation.js';
import { addCompared, COMPARED_IDS } from './compared.js';
import { DEMO_ENDPOINT, DEMO_JOBS, DEMO_OFFER, fillDemo } from './demo.js';
import { addSweep, SWEEP } from './swept.js';

export interface Scene {
  name: string;
  hash: string;
  /** What Studio knows, when it is not the demonstration. */
  world?: (world: World) => void;
  arrange?: (page: Page, studio: FakeStudio) => Promise<unknown>;
  /** What another size of the window would undo. */
  finish?: (page: Page) => Promise<unknown>;
}

export const SCENES: Scene[] = [
  { name: 'overview', hash: '#/', arrange: page => page.getByText('step 140/200').waitFor() },
  { name: 'overview-new', hash: '#/', world: makeNew },
  {
    name: 'overview-empty-folder',
    hash: '#/',
    world: ({ failures }) => {
      failures.getManifest = refusal(400, 'project_missing', 'There is no src/svc/index.ts.');
    },
    arrange: page => page.getByText('npx svc init').waitFor(),
  },
  { name: 'overview-broken', hash: '#/', world: breakManifest },
  {
    name: 'data',
    hash: '#/data',
    arrange: page => page.getByText('18 of 60 tokens').waitFor(),
  },
  {
    name: 'data-finding',
    hash: '#/data',
    arrange: page => page.getByRole('button', { name: /Cut off/ }).click(),
  },
  { name: 'jobs', hash: '#/jobs', arrange: page => page.getByText('translate').waitFor() },
  { name: 'jobs-none', hash: '#/jobs', world: makeNew },
  { name: 'jobs-unreachable', hash: '#/jobs', world: breakLists },
  {
    name: 'jobs-slow',
    hash: '#/jobs',
    world: slowLists,
    arrange: page => page.getByText('Loading…').waitFor(),
  },
  {
    name: 'jobs-no-matches',
    hash: '#/jobs',
    arrange: page => page.getByRole('searchbox').fill('nothing like this'),
  },
  { name: 'jobs-sweep', hash: `#/jobs?group=${SWEEP}`, world: addSweep },
  {
    name: 'jobs-choosing',
    hash: '#/jobs',
    arrange: async page => {
      await page.getByRole('button', { name: 'Compare' }).click();
      for (const box of (await page.getByRole('checkbox').all()).slice(1, 3)) await box.check();
    },
  },
  {
    name: 'compare',
    hash: `#/compare/${COMPARED_IDS.join(',')}?x=time&smooth=1`,
    world: addCompared,
    arrange: page => page.getByText('Settings that differ').waitFor(),
    finish: page => page.getByRole('slider').hover({ position: { x: 300, y: 100 } }),
  },
  {
    name: 'compare-gone',
    hash: `#/compare/${COMPARED_IDS[0]},${COMPARED_IDS[1]?.slice(0, 6)},0000`,
    world: world => {
      addCompared(world);
      for (const job of world.jobs) if (job.id === COMPARED_IDS[0]) job.name = 'unbroken'.repeat(12);
    },
    arrange: page => page.getByText('0000: No job').waitFor(),
  },
  {
    name: 'compare-nothing',
    hash: '#/compare',
    arrange: page => page.getByText('Nothing to compare').waitFor(),
  },
  { name: 'job-running', hash: `#/jobs/${DEMO_JOBS.running}`, finish: hoverChart },
  {
    name: 'job-charts',
    hash: `#/jobs/${DEMO_JOBS.running}?log=1&smooth=1&outliers=1&planned=1&x=time&metrics=learningRate_tokensPerSecond`,
    arrange: chooseLog,
  },
  { name: 'job-queued', hash: `#/jobs/${DEMO_JOBS.queued}` },
  { name: 'job-completed', hash: `#/jobs/${DEMO_JOBS.completed}`, arrange: openStatistics },
  { name: 'job-interrupted', hash: `#/jobs/${DEMO_JOBS.running}`, arrange: interrupt },
  {
    name: 'job-failed',
    hash: `#/jobs/${DEMO_JOBS.failed}`,
    arrange: page => page.getByText('dataset_invalid').first().waitFor(),
  },
  {
    name: 'job-rows',
    hash: `#/jobs/${DEMO_JOBS.completed}/rows`,
    arrange: page => page.getByRole('table').waitFor(),
  },
  {
    name: 'job-step-rows',
    hash: `#/jobs/${DEMO_JOBS.completed}/rows/4`,
    arrange: page => page.getByRole('table').waitFor(),
  },
  {
    name: 'cluster',
    hash: '#/cluster',
    world: addCluster,
    arrange: page => page.getByText('garage').first().waitFor(),
  },
  { name: 'playground-new', hash: '#/playground' },
  { name: 'playground', hash: '#/playground', arrange: chat },
  {
    name: 'playground-beside',
    hash: '#/playground',
    arrange: async page => {
      await page.getByRole('button', { name: 'Side by side' }).click();
      await page.getByRole('combobox', { name: 'Second model' }).waitFor();
      await chat(page);
    },
  },
  {
    name: 'playground-gone',
    hash: '#/playground?job=0a1b2c3d-0000-4000-8000-00000000dead',
    arrange: page => page.getByText('is not in this project').waitFor(),
  },
  { name: 'endpoints', hash: '#/endpoints', arrange: page => page.getByText('plain').waitFor() },
  { name: 'endpoints-none', hash: '#/endpoints', world: makeNew },
  { name: 'endpoint-new', hash: '#/endpoints', arrange: fillForm },
  { name: 'endpoint-taken', hash: '#/endpoints', world: takeSlug, arrange: collide },
  {
    name: 'endpoint-kept-requests',
    hash: `#/endpoints/${DEMO_OFFER}/requests`,
    arrange: page => page.getByText('caller left').waitFor(),
  },
  {
    name: 'endpoint-kept-none',
    hash: `#/endpoints/${DEMO_ENDPOINT}/requests`,
    world: keepNothing,
    arrange: page => page.getByText('No requests kept yet').waitFor(),
  },
  {
    name: 'evaluation',
    hash: `#/evaluations/${SAMPLE_EVALUATION_ID}`,
    arrange: page => page.getByText('Ticket 7').waitFor(),
  },
  {
    name: 'evaluations',
    hash: `#/endpoints/${DEMO_OFFER}/evaluations`,
    arrange: page => page.getByText('Accuracy 85.0 %').waitFor(),
  },
  { name: 'endpoint', hash: `#/endpoints/${DEMO_ENDPOINT}`, arrange: issueKey },
  {
    name: 'endpoint-offer',
    hash: `#/endpoints/${DEMO_OFFER}`,
    arrange: page => page.getByText('Operations').waitFor(),
  },
  { name: 'restarted', hash: '#/jobs', arrange: restart },
  { name: 'not-found', hash: '#/nowhere' },
];

async function chooseLog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Time', exact: true }).click();
  await page.getByRole('button', { name: 'Words' }).click();
  await page.getByRole('region', { name: 'Learning rate' }).getByRole('slider').waitFor();
}

function addCluster(world: World): void {
  fillDemo(world);
  world.cluster = sampleCluster();
}

function makeNew({ identity }: World): void {
  identity.projectSlug = null;
}

function breakManifest({ failures }: World): void {
  failures.getManifest = refusal(
    400,
    'manifest_build_failed',
    'src/svc/index.ts:3:7: ERROR: Expected ";" but found "b"\n    3 │ const a b\n      ╵         ^',
  );
}

function breakLists({ failures }: World): void {
  failures.listJobs = refusal(
    502,
    'cloud_unreachable',
    'Cannot reach the cloud at http://127.0.0.1:4747. Start it with `svc cloud start`, or see `svc doctor`.',
  );
}

function slowLists({ slowness }: World): void {
  slowness.listJobs = new Promise(() => {});
}

function takeSlug(world: World): void {
  fillDemo(world);
  world.failures.createDeployment = refusal(
    409,
    'slug_taken',
    'The slug triage is taken. Choose another one.',
    'slug',
  );
}

async function restart(page: Page, studio: FakeStudio): Promise<void> {
  studio.renewToken();
  const noticed = page.getByRole('heading', { name: 'Studio was restarted' }).waitFor();
  // The page also asks by itself now and then: it may have noticed before the click.
  await Promise.race([page.getByRole('button', { name: 'Refresh' }).click(), noticed]);
  await noticed;
}

async function hoverChart(page: Page): Promise<void> {
  // The loss comes first; scores and samples may follow it.
  const chart = page.getByRole('slider').first();
  await chart.waitFor();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
}

async function openStatistics(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByText('4 artifacts').waitFor();
}

async function interrupt(page: Page, { world }: FakeStudio): Promise<void> {
  const log = world.eventsOf(DEMO_JOBS.running);
  await page.getByText('step=140 ').waitFor();
  log.isAway = true;
  log.cut();
  await page.getByText('Event stream interrupted.').waitFor();
}

async function chat(page: Page): Promise<void> {
  await page.getByLabel('Final adapter of a job').check();
  await page.getByLabel('Message').fill('I was charged twice in March. Please send one of them back!');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('the second charge').first().waitFor();
}

async function fillForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('Target').selectOption('checkpoint');
  await page.getByLabel('Slug').fill('Not a slug');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
}

async function collide(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New endpoint' }).click();
  await page.getByLabel('Target').selectOption('base_model');
  await page.getByLabel('Slug').fill('triage');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  await page.getByText('is taken').waitFor();
}

async function issueKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Issue key' }).click();
  await page.getByLabel('Label').fill('nightly tests');
  await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
  await page.getByText('you will not see this again').waitFor();
}

function keepNothing(world: World): void {
  fillDemo(world);
  world.kept = [];
}
