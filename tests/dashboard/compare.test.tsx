// Comparing runs: chosen in the jobs list, side by side on a page of their own.
import { describe, expect, it } from 'vitest';
import type { Job } from '../../lib/contract/index.js';
import { fakeStudio, nthJob } from './support/fake-studio.js';
import { measure, openDashboard } from './support/open-dashboard.js';

const SIZES = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;
const NAMES = ['low', 'high', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];
const JOBS = NAMES.map((name, n) =>
  nthJob(n + 1, { name, ...({ config: { loraR: n < 2 ? 8 : 16, seed: 1 } } as Partial<Job>) }),
);
const idOf = (n: number) => JOBS[n]!.id;
const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

interface Options {
  compare: readonly string[];
  size?: { columns: number; rows: number };
  isAscii?: boolean;
}

async function openComparison({ compare, size = { columns: 120, rows: 40 }, isAscii = false }: Options) {
  const studio = fakeStudio({ jobs: JOBS });
  const dashboard = await openDashboard({ studio, size, isAscii, start: { tab: 'jobs', id: null, compare } });
  const run = (n: number, losses: readonly number[], isDone = true) => {
    const source = studio.sources.find(({ path }) => path.includes(idOf(n)))!;
    source.send('training.started', { totalSteps: losses.length, timestamp: at(0) });
    losses.forEach((loss, index) => {
      source.send('training.log', {
        step: index + 1,
        loss,
        evalLoss: loss + 1,
        tokens: 10,
        timestamp: at(index + 1),
      });
    });
    if (isDone) source.send('training.completed', { artifacts: [{}], timestamp: at(losses.length) });
    return source;
  };
  return { ...dashboard, studio, run };
}

describe('choosing runs in the list', () => {
  it('marks up to six with Space, and C compares them', async () => {
    const studio = fakeStudio({ jobs: JOBS });
    const dashboard = await openDashboard({ studio, size: { columns: 120, rows: 40 } });
    await dashboard.press('2', ' ');
    await dashboard.shows('›✓ completed  low', 'Choose one more run.');
    await dashboard.press('j', ' ', ' ', ' ');
    await dashboard.shows('2 of at most 6 runs chosen. C compares them.', '7 jobs');
    await dashboard.press('j', ' ', 'j', ' ', 'j', ' ', 'j', ' ', 'j', ' ');
    await dashboard.shows('At most 6 runs can be compared.');
    await dashboard.press('C');
    await dashboard.shows('Comparing 6 runs', 'low', 'sixth');
    await dashboard.press('escape');
    await dashboard.shows(/Status +Name/);
  });

  it('compares nothing with one run chosen', async () => {
    const dashboard = await openDashboard({ studio: fakeStudio({ jobs: JOBS }) });
    await dashboard.press('2', ' ', 'C');
    await dashboard.shows(/Status +Name/, 'Choose one more run.');
  });
});

describe('the comparison', () => {
  it('shows the lines in one chart, the results, and the settings that differ', async () => {
    const { run, shows, hides, press } = await openComparison({ compare: [idOf(0), '00000003'] });
    run(0, [3, 2, 1]);
    run(2, [4, 2, 1.5]);
    await shows('● low', '■ third', 'Training loss', /Step 3 +● 1 +■ 1\.5/);
    await shows(
      /Final loss +1 \* +1\.5/,
      /Best eval loss +2 @ 3 \* +2\.5 @ 3/,
      /Steps +3 +3/,
      /loraR +8 +16/,
    );
    await hides('⣀');
    await press('b');
    await shows(/[\u2801-\u28ff]/, / 4┤/, /1┤/);
  });

  it('goes on while a run does', async () => {
    const { run, shows } = await openComparison({ compare: [idOf(0), idOf(1)] });
    run(0, [3, 2]);
    const source = run(1, [3, 2.5], false);
    await shows(/Latest loss +– +2\.5 @ 2/, 'All settings are the same.');
    source.send('training.log', { step: 3, loss: 0.25, timestamp: at(9) });
    await shows(/Latest loss +– +0\.25 @ 3/);
  });

  it('says which job is gone, and compares the others', async () => {
    const { run, studio, shows } = await openComparison({ compare: [idOf(0), 'ffff', idOf(1)] });
    await shows('ffff: No job of this project has this ID.');
    run(0, [3, 2]);
    studio.world.jobs = [JOBS[0]!];
    studio.sources.find(({ path }) => path.includes(idOf(1)))!.refuse();
    await shows(`There is no job ${idOf(1)}.`, '● low', 'Choose one more run.');
    const nothing = await openComparison({ compare: [] });
    await nothing.shows('Nothing to compare', 'Choose 2 to 6 runs to compare.');
  });

  it('has the choices of a run’s chart: scale, smoothing, axis, metric, cursor, zoom', async () => {
    const { run, shows, press, hides } = await openComparison({ compare: [idOf(0), idOf(1)] });
    run(0, [300, 2, 1]);
    run(1, [4, 3, 2]);
    await shows('Step 3');
    await press('y', 's', 'x');
    await shows('log scale · smoothed', 'Tokens 30');
    await press('left', 'left');
    await shows(/Tokens 20 +● 2 \(10\.63 smoothed\) +■ 3 \(3\.302 smoothed\)/);
    await press('+');
    await shows('zoomed');
    await press('0', 'm');
    await hides('zoomed');
    await shows('Eval loss', 'log scale');
  });

  it('has a log scale for losses alone, and says so for no other metric', async () => {
    const { run, shows, press, hides, frame } = await openComparison({ compare: [idOf(0), idOf(1)] });
    for (const n of [0, 1]) {
      const source = run(n, [3, 2], false);
      source.send('training.log', { step: 3, loss: 1, cpuPercent: 90, timestamp: at(9) });
    }
    await shows('Step 3');
    await press('y');
    await shows('log scale');
    await press('m', 'm');
    await shows('CPU');
    await hides('log scale');
    await press('y', 'm');
    await shows('Training loss', 'log scale');
    expect(frame()).not.toContain('CPU');
  });

  it.each(SIZES)('fits %i by %i, in Unicode and in ASCII', async (columns, rows) => {
    for (const isAscii of [false, true]) {
      const compare = JOBS.slice(0, 6).map(({ id }) => id);
      const { run, shows, frame } = await openComparison({ compare, size: { columns, rows }, isAscii });
      compare.forEach((_, n) => {
        run(
          n,
          Array.from({ length: 50 }, (_, step) => 5 - step / (20 + n)),
        );
      });
      await shows(/Step 50 /, 'Status');
      expect(measure(frame())).toEqual({ columns, rows });
      expect(frame()).toContain(isAscii ? 'o low' : '● low');
    }
  });
});
