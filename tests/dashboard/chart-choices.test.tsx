// What somebody can switch on at a job's chart and at its log: none of it is on at first.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { fakeStudio, jobSummary } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';
import { openJob, SIZES } from './support/open-job.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();
const BRAILLE = /[\u2801-\u28ff]/;

async function openRun(steps = 40, ...given: Parameters<typeof openJob>) {
  const dashboard = await openJob(...given);
  const { source, log } = dashboard;
  source.send('training.started', { totalSteps: 100, timestamp: at(0), dataset: 'a.jsonl', rows: 600 });
  for (let step = 1; step <= steps; step++) {
    const loss = step === 20 ? 900 : 5 - step / 10;
    const counted = { learningRate: step / 1000, tokens: 100, memoryBytes: 2e8 + step * 1e6 };
    log({ step, loss, ...counted, timestamp: at(step) });
  }
  await dashboard.shows(steps === 40 ? 'step 40' : '─ Loss ─');
  return dashboard;
}

describe('the chart', () => {
  it('is drawn by asciichart, and in braille at the press of a key where the terminal has it', async () => {
    const { press, shows } = await openRun();
    await shows('Latest: step 40', /[╭╮╯╰]─/).hides(BRAILLE);
    await press('b').shows(BRAILLE);
    const ascii = await openRun(40, {}, { isAscii: true });
    await ascii.press('b').shows('Latest: step 40').hides(BRAILLE);
  });

  it('is of every number that the events carry, one after the other', async () => {
    const { press, shows } = await openRun();
    await shows('─ Loss ─', 'Latest: step 40');
    await press('m').shows('─ Learning rate ─', /Latest: step 40 +Learning rate 0\.04/);
    await press('m').shows('─ Memory ─', /Memory 240 MB/, /\d MB┤/);
    await press('m').shows('─ Loss ─');
  });

  it('counts tokens or time on its x-axis, where the cursor still finds its step', async () => {
    const { press, shows } = await openRun();
    await shows('x: step', 'Latest: step 40');
    await press('x').shows('x: tokens 4,000', /3000/);
    await press('x').shows('x: time', /10 s +\S* ?20 s|10 s/);
    await press('left', ',').shows('Step 39', 'x: time 39.0 s');
    await press('x').shows('x: step');
  });

  it('can leave out outliers, and says so', async () => {
    const { press, shows } = await openRun();
    await shows(/800┤/);
    await press('i').shows('1 value out of range').hides('800┤');
  });

  it('can reach to the planned end, and zoom around its cursor', async () => {
    const { press, shows } = await openRun();
    await shows(/5 +10 +15 +20/);
    await press('p').shows(/60 +.*80 +.*100/);
    await press('p', 'left', '+', '+').shows('zoomed', /34 +.*36 +.*38/);
    await press('-').shows(/2\d .*3\d .*4\d/);
    await press('0').hides('zoomed');
  });
});

it('the event log has times, one type alone, a search, and words for JSON', async () => {
  const { press } = await openRun(3);
  await press('t').shows(/\d\d:04:00 +training\.started +\{"totalSteps":100/);
  await press('v').shows(/training\.started +100 steps · a\.jsonl · 600 rows/);
  await press('e').shows('training.started: 1 of 4 events').hides('step=2 ');
  await press('e', 'e', '/', 'step=2', 'enter').shows('“step=2”: 1 of 4 events', 'step=2 ').hides('step=3 ');
  await press('/', 'escape').shows('step=3 ');
});

it('the metadata have a progress bar, the losses, and the settings that differ first', async () => {
  const job = { config: { model: 'm', seed: 1, loraR: 16 }, customSettings: ['loraR'] };
  const { shows, frame } = await openRun(40, job);
  await shows(/█+░+ 40 %/, /Loss +1 at step 40/, /Best loss +1 at step 40/, 'Settings', /loraR +16/);
  expect(frame().indexOf('loraR')).toBeLessThan(frame().indexOf('seed '));
});

it('fits every size with everything switched on', async () => {
  const { press, resize, frame } = await openRun(40, { config: { model: 'm', note: 'long '.repeat(90) } });
  await press('m', 'x', 'x', 'i', 's', 'p', '+', 't', 'v', 'left');
  for (const [columns, rows] of SIZES) {
    await resize(columns, rows);
    for (let page = 0; page < 3; page++) {
      const size = measure(frame());
      expect(size.columns, frame()).toBeLessThanOrEqual(columns);
      expect(size.rows, frame()).toBeLessThanOrEqual(rows);
      await press('tab');
    }
  }
});

const away = new ApiError('cloud_unreachable', 'Start it with `svc cloud start`.');
const calls = ['listJobs', 'listDeployments', 'getOverview', 'getCluster', 'getBaseModel'] as const;

it.each(SIZES)(
  'a cloud that is away is told above every view with what to do, at %ix%i',
  async (columns, rows) => {
    const { press, studio, frame } = await openDashboard({ size: { columns, rows } });
    for (const call of calls) studio.fail(call, away);
    await press('2');
    for (const tab of ['1', '3', '4', '2']) {
      await press(tab).shows(/no cloud|cloud unreachable/, 'Start it with svc cloud start.');
      expect(measure(frame())).toEqual({ columns, rows });
    }
  },
);

it('a cloud that is away is asked again by itself, also where a view asks for no list', async () => {
  const { press, pass, studio } = await openDashboard();
  for (const call of calls) studio.fail(call, away);
  await press('2', '1').shows('cloud unreachable');
  for (const call of calls) studio.fail(call);
  await pass(11_000).shows('cloud up');
  const asked = studio.count('listJobs');
  await pass(30_000);
  expect(studio.count('listJobs')).toBe(asked);
});

it('one is told on any view when a run has ended, once, and only if it is wanted', async () => {
  const rung: string[] = [];
  const studio = fakeStudio({ jobs: [jobSummary({ status: 'running' })] });
  const { press, pass } = await openDashboard({ studio, ring: text => rung.push(text) });
  await press('3');
  studio.world.jobs = [jobSummary({ status: 'completed' })];
  await pass(5000).shows('triage completed');
  await pass(20_000);
  expect(rung).toEqual(['triage completed']);
  const unasked = await openDashboard();
  await unasked.pass(20_000);
  expect(unasked.studio.count('listJobs')).toBe(0);
});
