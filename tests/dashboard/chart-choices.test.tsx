// What somebody can switch on at a job's chart and at its log: none of it is on at first.
import { describe, expect, it } from 'vitest';
import { ApiError, type Job } from '../../lib/contract/index.js';
import { type FakeEventSource, fakeStudio, JOB_ID, jobSummary } from './support/fake-studio.js';
import { measure, type OpenedDashboard, openDashboard } from './support/open-dashboard.js';

const wide = { columns: 120, rows: 40 };
const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

interface OpenOptions {
  job?: Partial<Job>;
  size?: { columns: number; rows: number };
  isAscii?: boolean;
}

async function openJob({
  job = {},
  size = wide,
  isAscii = false,
}: OpenOptions = {}): Promise<OpenedDashboard & { source: FakeEventSource }> {
  const studio = fakeStudio({ jobs: [jobSummary({ status: 'running', ...job })] });
  const dashboard = await openDashboard({ studio, size, isAscii });
  await dashboard.press('2', 'enter');
  await dashboard.shows(JOB_ID, 'Event log');
  return Object.assign(dashboard, { source: studio.sources.at(-1)! });
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

function logRun(source: FakeEventSource, steps = 40): void {
  source.send('training.started', { totalSteps: 100, timestamp: at(0), dataset: 'a.jsonl', rows: 600 });
  for (let step = 1; step <= steps; step++)
    source.send('training.log', {
      step,
      loss: step === 20 ? 900 : 5 - step / 10,
      learningRate: step / 1000,
      tokens: 100,
      memoryBytes: 2e8 + step * 1e6,
      timestamp: at(step),
    });
}

const BRAILLE = /[\u2801-\u28ff]/;

describe('the chart', () => {
  it('is drawn by asciichart, and in braille at the press of a key where the terminal has it', async () => {
    const { source, press, shows, frame } = await openJob();
    logRun(source);
    await shows('Latest: step 40', /[╭╮╯╰]─/);
    expect(frame()).not.toMatch(BRAILLE);
    await press('b');
    await shows(BRAILLE);
    const ascii = await openJob({ isAscii: true });
    logRun(ascii.source);
    await ascii.shows('Latest: step 40');
    await ascii.press('b');
    expect(ascii.frame()).not.toMatch(BRAILLE);
  });

  it('is of every number that the events carry, one after the other', async () => {
    const { source, press, shows } = await openJob();
    logRun(source);
    await shows('─ Loss ─', 'Latest: step 40');
    await press('m');
    await shows('─ Learning rate ─', /Latest: step 40 +Learning rate 0\.04/);
    await press('m');
    await shows('─ Memory ─', /Memory 240 MB/, /\d MB┤/);
    await press('m');
    await shows('─ Loss ─');
  });

  it('counts tokens or time on its x-axis, where the cursor still finds its step', async () => {
    const { source, press, shows } = await openJob();
    logRun(source);
    await shows('x: step', 'Latest: step 40');
    await press('x');
    await shows('x: tokens 4,000', /3000/);
    await press('x');
    await shows('x: time', /10 s +\S* ?20 s|10 s/);
    await press('left', ',');
    await shows('Step 39', 'x: time 39.0 s');
    await press('x');
    await shows('x: step');
  });

  it('can leave out outliers, and says so', async () => {
    const { source, press, shows, hides } = await openJob();
    logRun(source);
    await shows(/800┤/);
    await press('i');
    await hides('800┤');
    await shows('1 value out of range');
  });

  it('can reach to the planned end, and zoom around its cursor', async () => {
    const { source, press, shows, hides } = await openJob();
    logRun(source);
    await shows(/5 +10 +15 +20/);
    await press('p');
    await shows(/60 +.*80 +.*100/);
    await press('p', 'left', '+', '+');
    await shows('zoomed', /34 +.*36 +.*38/);
    await press('-');
    await shows(/2\d .*3\d .*4\d/);
    await press('0');
    await hides('zoomed');
  });
});

describe('the event log', () => {
  it('has times, one type alone, a search, and words for JSON', async () => {
    const { source, press, shows, hides } = await openJob();
    logRun(source, 3);
    await press('t');
    await shows(/\d\d:04:00 +training\.started +\{"totalSteps":100/);
    await press('v');
    await shows(/training\.started +100 steps · a\.jsonl · 600 rows/);
    await press('e');
    await shows('training.started: 1 of 4 events');
    await hides('step=2 ');
    await press('e', 'e', '/', 'step=2', 'enter');
    await shows('“step=2”: 1 of 4 events', 'step=2 ');
    await hides('step=3 ');
    await press('/', 'escape');
    await shows('step=3 ');
  });
});

describe('the metadata', () => {
  it('have a progress bar, the losses, and the settings that differ first', async () => {
    const { source, shows, frame } = await openJob({
      job: { config: { model: 'm', seed: 1, loraR: 16 }, customSettings: ['loraR'] },
    });
    logRun(source);
    await shows(/█+░+ 40 %/, /Loss +1 at step 40/, /Best loss +1 at step 40/, 'Settings', /loraR +16/);
    expect(frame().indexOf('loraR')).toBeLessThan(frame().indexOf('seed '));
  });
});

it('fits every size with everything switched on', async () => {
  const dashboard = await openJob({ job: { config: { model: 'm', note: 'long '.repeat(90) } } });
  logRun(dashboard.source);
  await dashboard.press('m', 'x', 'x', 'i', 's', 'p', '+', 't', 'v', 'left');
  for (const [columns, rows] of SIZES) {
    await dashboard.resize(columns, rows);
    for (let page = 0; page < 3; page++) {
      const size = measure(dashboard.frame());
      expect(size.columns, dashboard.frame()).toBeLessThanOrEqual(columns);
      expect(size.rows, dashboard.frame()).toBeLessThanOrEqual(rows);
      await dashboard.press('tab');
    }
  }
});

describe('a cloud that is away', () => {
  it.each(SIZES)('is told above every view with what to do, at %ix%i', async (columns, rows) => {
    const dashboard = await openDashboard({ size: { columns, rows } });
    const away = new ApiError('cloud_unreachable', 'Start it with `svc cloud start`.');
    for (const call of ['listJobs', 'listDeployments', 'getOverview', 'getCluster'] as const)
      dashboard.studio.fail(call, away);
    await dashboard.press('2');
    for (const tab of ['1', '3', '4', '2']) {
      await dashboard.press(tab);
      await dashboard.shows(/no cloud|cloud unreachable/, 'Start it with svc cloud start.');
      expect(measure(dashboard.frame())).toEqual({ columns, rows });
    }
  });

  it('is asked again by itself, also where a view asks for no list', async () => {
    const dashboard = await openDashboard();
    const away = new ApiError('cloud_unreachable', 'away');
    for (const call of ['listJobs', 'getOverview', 'getCluster'] as const) dashboard.studio.fail(call, away);
    await dashboard.press('2', '1');
    await dashboard.shows('cloud unreachable');
    for (const call of ['listJobs', 'getOverview', 'getCluster'] as const) dashboard.studio.fail(call);
    await dashboard.pass(11_000);
    await dashboard.shows('cloud up');
    const asked = dashboard.studio.count('listJobs');
    await dashboard.pass(30_000);
    expect(dashboard.studio.count('listJobs')).toBe(asked);
  });
});

describe('being told when a run has ended', () => {
  it('happens on any view, once, and only if it is wanted', async () => {
    const rung: string[] = [];
    const studio = fakeStudio({ jobs: [jobSummary({ status: 'running' })] });
    const dashboard = await openDashboard({ studio, ring: text => rung.push(text) });
    await dashboard.press('3');
    studio.world.jobs = [jobSummary({ status: 'completed' })];
    await dashboard.pass(5000);
    await dashboard.shows('triage completed');
    await dashboard.pass(20_000);
    expect(rung).toEqual(['triage completed']);
    const silent = fakeStudio();
    const unasked = await openDashboard({ studio: silent });
    await unasked.pass(20_000);
    expect(silent.count('listJobs')).toBe(0);
  });
});
