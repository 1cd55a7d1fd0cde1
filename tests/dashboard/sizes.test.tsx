// Whatever is shown, at whatever size: never wider or taller than the terminal.
import { expect, it } from 'vitest';
import { displayWidth } from '../../lib/console/index.js';
import { sampleCluster } from '../support/sample-cluster.js';
import { sampleEvaluationRows, sampleKeptEvaluation } from '../support/sample-evaluation.js';
import { sampleKept } from '../support/sample-kept.js';
import { deployment, fakeStudio, JOB_ID, jobSummary, key, nthJob } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const sizes = (text: string) => text.split(' ').map(size => size.split('x').map(Number) as [number, number]);
const SIZES = sizes('80x24 120x40 60x15 60x20 40x15 41x40 61x16 109x23 110x28 220x60');
const TOO_SMALL = sizes('39x40 80x14 20x3');

const long = '翻訳 of a very long name that does not fit anywhere, '.repeat(4);

async function openFull(isAscii = false) {
  const studio = fakeStudio({
    jobs: [
      jobSummary({ name: long, config: { method: { type: 'grpo' } } } as object),
      ...Array.from({ length: 80 }, (_, n) => nthJob(n)),
    ],
    deployments: Array.from({ length: 30 }, (_, n) =>
      deployment({ id: `d${n}`, slug: `s${n}-${'x'.repeat(44)}`, keepRequests: true }),
    ),
    keys: Array.from({ length: 40 }, (_, n) => key({ id: `k${n}`, label: long.slice(0, 80) })),
    kept: Array.from({ length: 60 }, (_, n) =>
      sampleKept({ id: `${n}`, answer: { content: long.repeat(3) } }),
    ),
    evaluations: [
      {
        ...sampleKeptEvaluation({
          subject: { target: { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } }, endpoint: null },
          data: { name: long, digest: 'd'.repeat(64), rows: 40 },
          confusion: {
            labels: Array.from({ length: 50 }, (_, label) => `${label} ${long}`),
            counts: Array.from({ length: 50 }, () => Array.from({ length: 51 }, (_, count) => count)),
          },
        }),
        rows: Array.from({ length: 60 }, (_, row) => ({
          ...sampleEvaluationRows()[0]!,
          row: row + 1,
          answer: long,
        })),
      },
    ],
    cluster: sampleCluster(),
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
  'job, its answers': ['2', 'g', 'enter', 'A'],
  'comparison of six': ['2', ...Array.from({ length: 6 }, () => [' ', 'j']).flat(), 'C'],
  playground: ['3', 'enter', long, 'enter'],
  'playground, choosing': ['3', 'p'],
  endpoints: ['4'],
  form: ['4', 'n', long, 'ctrl-s'],
  endpoint: ['4', 'enter'],
  'endpoint, with a new key': ['4', 'enter', 'i', 'one', 'enter'],
  'kept requests': ['4', 'enter', 'w'],
  'evaluations of a job': ['2', 'g', 'enter', 'E'],
  evaluation: ['2', 'g', 'enter', 'E', 'enter'],
  'rows of an evaluation': ['2', 'g', 'enter', 'E', 'enter', 'tab'],
  'rows of a job': ['2', 'g', 'enter', 'w'],
  'what is learned': ['w'],
  cluster: ['n'],
  help: ['?'],
};

it.each(Object.keys(VIEWS))('fills every size, and is never wider or taller: %s', async name => {
  const { dashboard, studio } = await openFull();
  await dashboard.press(...VIEWS[name]!);
  for (const source of studio.sources) {
    source.send('training.started', JSON.stringify({ long }));
    for (let step = 0; step < 60; step++)
      source.send('training.log', { step, loss: 1 / (step + 1), evalLoss: step / 60 });
    source.interrupt();
    source.send('training.failed', { error: long.repeat(5) });
  }
  for (const [columns, rows] of SIZES) {
    await dashboard.resize(columns, rows);
    expect(measure(dashboard.frame()), dashboard.frame()).toEqual({ columns, rows });
  }
  for (const [columns, rows] of TOO_SMALL) {
    await dashboard.resize(columns, rows);
    const size = measure(dashboard.frame());
    expect([size.columns <= columns, size.rows <= rows], dashboard.frame()).toEqual([true, true]);
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
  await dashboard.press('2').shows('9 jobs');
  expect(placesOf('1/2/2026')).toEqual(NAMES.map(() => 56));
  await dashboard.press('4', 'enter').shows(' live');
  expect(placesOf(' live')).toEqual(NAMES.map(() => placesOf(' live')[0]));
  expect(placesOf(' live')).toHaveLength(NAMES.length);
  expect(new Set(placesOf(isAscii ? '|' : '│'))).toEqual(new Set([79]));
});

it('says so when the terminal is too small, and can be left', async () => {
  const { dashboard } = await openFull();
  await dashboard.resize(39, 14).shows('The terminal is too small: 39x14.', 'The dashboard needs 40x15.');
  await dashboard.resize(20, 6).shows('The terminal is too', 'small: 20x6.');
  await dashboard.press('ctrl-c', 'ctrl-c');
  expect(dashboard.isLeft).toBe(true);
});

it('keeps what is typed and chosen while the terminal is too small, where keys only quit', async () => {
  const { dashboard } = await openFull();
  await dashboard.press('2', 'j', '/', 'okapi', 'left', 'left').shows('/okapi');
  await dashboard.resize(30, 10).shows('too small').hides('okapi');
  await dashboard.press('x', 'enter', 'escape', '4');
  await dashboard.resize(100, 30).shows('/okapi');
  await dashboard.press('Z').shows('/okaZpi');
  await dashboard.resize(30, 10);
  await dashboard.press('q').shows('Quit?');
  await dashboard.press('y');
  expect(dashboard.isLeft).toBe(true);
});

it.each(Object.entries(VIEWS))('speaks ASCII where nothing else can be shown: %s', async (_name, keys) => {
  const { dashboard, studio } = await openFull(true);
  await dashboard.press(...keys);
  for (const source of studio.sources) source.send('training.log', { step: 1, loss: 1, evalLoss: 2 });
  await dashboard.pass(1000);
  // What one types oneself is shown as it is.
  expect(dashboard.frame().replace(long.trim(), '')).not.toMatch(/[\u0080-\u2bff]/);
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
