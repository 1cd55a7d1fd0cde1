// Whatever is shown, at whatever size: never wider or taller than the terminal.
import { expect, it } from 'vitest';
import { displayWidth } from '../../lib/console/index.js';
import { deployment, fakeStudio, JOB_ID, jobSummary, key, nthJob } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const SIZES = [
  [80, 24],
  [120, 40],
  [60, 15],
  [60, 20],
  [40, 15],
  [41, 40],
  [61, 16],
  [109, 23],
  [110, 28],
  [220, 60],
  [39, 40],
  [80, 14],
  [20, 3],
] as const;

const long = '翻訳 of a very long name that does not fit anywhere, '.repeat(4);

async function openFull(isAscii = false) {
  const studio = fakeStudio({
    jobs: [jobSummary({ name: long }), ...Array.from({ length: 80 }, (_, n) => nthJob(n))],
    deployments: Array.from({ length: 30 }, (_, n) =>
      deployment({ id: `d${n}`, slug: `s${n}-${'x'.repeat(44)}` }),
    ),
    keys: Array.from({ length: 40 }, (_, n) => key({ id: `k${n}`, label: long.slice(0, 80) })),
    train: { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null },
  });
  studio.world.identity = { ...studio.world.identity, orgSlug: 'o'.repeat(60) };
  const dashboard = await openDashboard({ studio, isAscii });
  studio.printed.give(`${long}\n`.repeat(50));
  return { dashboard, studio };
}

const VIEWS: Readonly<Record<string, string[]>> = {
  overview: ['1'],
  jobs: ['2'],
  'jobs, searching': ['2', '/', long.slice(0, 120)],
  job: ['2', 'g', 'enter'],
  'job, its facts': ['2', 'g', 'enter', 'a', 'y', 's', 'left'],
  comparison: ['2', ' ', 'j', ' ', 'C'],
  playground: ['3', 'enter', long, 'enter'],
  'playground, choosing': ['3', 'p'],
  endpoints: ['4'],
  form: ['4', 'n', long, 'ctrl-s'],
  endpoint: ['4', 'enter'],
  'endpoint, with a new key': ['4', 'enter', 'i', 'one', 'enter'],
  help: ['?'],
};

it.each(Object.keys(VIEWS))('fits every size: %s', async name => {
  const { dashboard, studio } = await openFull();
  await dashboard.press(...VIEWS[name]!);
  const source = studio.sources.at(-1);
  source?.send('training.started', JSON.stringify({ long }));
  for (let step = 0; step < 60; step++)
    source?.send('training.log', { step, loss: 1 / (step + 1), evalLoss: step / 60 });
  source?.interrupt();
  source?.send('training.failed', { error: long.repeat(5) });
  for (const [columns, rows] of SIZES) {
    await dashboard.resize(columns, rows);
    const size = measure(dashboard.frame());
    expect(size.columns, dashboard.frame()).toBeLessThanOrEqual(columns);
    expect(size.rows, dashboard.frame()).toBeLessThanOrEqual(rows);
  }
});

it('fills the terminal', async () => {
  const { dashboard } = await openFull();
  for (const [columns, rows] of SIZES.slice(0, 10)) {
    await dashboard.resize(columns, rows);
    expect(measure(dashboard.frame())).toEqual({ columns, rows });
  }
});

const NAMES = ['triage', '翻訳', '🚀 rocket', '👩‍👩‍👧‍👦', 'cafe\u0301', 'हिन्दी', 'ｶﾞ', '❤️ 🇩🇪', long];

it.each([false, true])('keeps columns and frames whatever is in a name; in ASCII: %s', async isAscii => {
  const studio = fakeStudio({
    jobs: NAMES.map((name, n) => nthJob(n, { name })),
    deployments: [deployment()],
    keys: NAMES.map((label, n) => key({ id: `k${n}`, label })),
  });
  const dashboard = await openDashboard({ studio, isAscii, size: { columns: 80, rows: 24 } });
  const placesOf = (text: string) =>
    dashboard
      .lines()
      .filter(row => row.includes(text))
      .map(row => displayWidth(row.slice(0, row.lastIndexOf(text))));
  await dashboard.press('2');
  await dashboard.shows('9 jobs');
  expect(placesOf('1/2/2026')).toEqual(NAMES.map(() => 56));
  await dashboard.press('4', 'enter');
  await dashboard.shows(' live');
  expect(placesOf(' live')).toEqual(NAMES.map(() => placesOf(' live')[0]));
  expect(placesOf(' live')).toHaveLength(NAMES.length);
  expect(new Set(placesOf(isAscii ? '|' : '│'))).toEqual(new Set([79]));
});

it('says so when the terminal is too small, and can be left', async () => {
  const { dashboard } = await openFull();
  await dashboard.resize(39, 14);
  await dashboard.shows('The terminal is too small: 39x14.', 'The dashboard needs 40x15.');
  await dashboard.resize(20, 6);
  await dashboard.shows('The terminal is too', 'small: 20x6.');
  await dashboard.press('ctrl-c', 'ctrl-c');
  expect(dashboard.isLeft).toBe(true);
});

it('speaks ASCII where nothing else can be shown', async () => {
  const { dashboard, studio } = await openFull(true);
  for (const keys of Object.values(VIEWS)) {
    await dashboard.press('escape', 'escape', 'ctrl-u', 'escape', ...keys);
    studio.sources.at(-1)?.send('training.log', { step: 1, loss: 1, evalLoss: 2 });
    // What one types oneself is shown as it is.
    expect(dashboard.frame().replace(long.trim(), '')).not.toMatch(/[\u0080-\u2bff]/);
  }
});

it('draws without colors where none are wanted', async () => {
  const studio = fakeStudio({ jobs: [jobSummary()] });
  const dashboard = await openDashboard({ studio, isColored: false });
  await dashboard.press('2', 'enter');
  studio.sources.at(-1)?.send('training.log', { step: 1, loss: 1, evalLoss: 2 });
  studio.sources.at(-1)?.send('training.failed', { error: 'no' });
  await dashboard.shows('failed', 'Eval loss');
  expect(dashboard.styleOf('failed')).toBe('');
  expect(dashboard.styleOf(' svc ')).toBe('bold inverse');
});
