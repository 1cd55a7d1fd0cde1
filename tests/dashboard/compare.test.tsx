// Comparing runs: chosen in the jobs list, side by side on a page of their own.
import { it } from 'vitest';
import { fakeStudio, nthJob } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const NAMES = ['low', 'high', 'third', 'fourth', 'fifth', 'sixth', 'seventh'];
const JOBS = NAMES.map((name, n) =>
  Object.assign(nthJob(n + 1, { name }), { config: { loraR: n < 2 ? 8 : 16, seed: 1 } }),
);
const idOf = (n: number) => JOBS[n]!.id;
const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString();

async function openComparison(compare = [idOf(0), idOf(1)]) {
  const studio = fakeStudio({ jobs: JOBS });
  const dashboard = await openDashboard({ studio, size: WIDE, start: { tab: 'jobs', id: null, compare } });
  const sourceOf = (n: number) => studio.sources.find(({ path }) => path.includes(idOf(n)))!;
  const run = (n: number, losses: readonly number[], isDone = true) => {
    const source = sourceOf(n);
    source.send('training.started', { totalSteps: losses.length, timestamp: at(0) });
    for (const [index, loss] of losses.entries()) {
      const step = index + 1;
      source.send('training.log', { step, loss, evalLoss: loss + 1, tokens: 10, timestamp: at(step) });
    }
    if (isDone) source.send('training.completed', { artifacts: [{}], timestamp: at(losses.length) });
    return source;
  };
  return { ...dashboard, studio, run, sourceOf };
}

it('up to six runs are marked in the list with Space, and C compares them, but not one alone', async () => {
  const { press } = await openDashboard({ studio: fakeStudio({ jobs: JOBS }), size: WIDE });
  await press('2', ' ').shows('›✓ completed  low', 'Choose one more run.');
  await press('C').shows(/Status +Name/, 'Choose one more run.');
  await press('j', ' ', ' ', ' ').shows('2 of at most 6 runs chosen. C compares them.', '7 jobs');
  await press('j', ' ', 'j', ' ', 'j', ' ', 'j', ' ', 'j', ' ').shows('At most 6 runs can be compared.');
  await press('C').shows('Comparing 6 runs', 'low', 'sixth');
  await press('escape').shows(/Status +Name/);
});

it('the comparison shows the lines in one chart, the results, and the settings that differ', async () => {
  const { run, shows, press } = await openComparison([idOf(0), '00000003']);
  run(0, [3, 2, 1]);
  run(2, [4, 2, 1.5]);
  await shows('● low', '■ third', 'Training loss', /Step 3 +● 1 +■ 1\.5/, /Final loss +1 \* +1\.5/);
  await shows(/Best eval loss +2 @ 3 \* +2\.5 @ 3/, /Steps +3 +3/, /loraR +8 +16/).hides('⣀');
  await press('b').shows(/[\u2801-\u28ff]/, / 4┤/, /1┤/);
});

it('the comparison goes on while a run does', async () => {
  const { run, shows } = await openComparison();
  run(0, [3, 2]);
  const source = run(1, [3, 2.5], false);
  await shows(/Latest loss +– +2\.5 @ 2/, 'All settings are the same.');
  source.send('training.log', { step: 3, loss: 0.25, timestamp: at(9) });
  await shows(/Latest loss +– +0\.25 @ 3/);
});

it('the comparison says which job is gone, and compares the others', async () => {
  const { run, studio, shows, sourceOf } = await openComparison([idOf(0), 'ffff', idOf(1)]);
  await shows('ffff: No job of this project has this ID.');
  run(0, [3, 2]);
  studio.world.jobs = [JOBS[0]!];
  sourceOf(1).refuse();
  await shows(`There is no job ${idOf(1)}.`, '● low', 'Choose one more run.');
  const nothing = await openComparison([]);
  await nothing.shows('Nothing to compare', 'Choose 2 to 6 runs to compare.');
});

it('the comparison has the choices of a run’s chart: scale, smoothing, axis, metric, cursor, zoom', async () => {
  const { run, shows, press } = await openComparison();
  run(0, [300, 2, 1]);
  run(1, [4, 3, 2]);
  await shows('Step 3');
  await press('y', 's', 'x').shows('log scale · smoothed', 'Tokens 30');
  await press('left', 'left').shows(/Tokens 20 +● 2 \(10\.63 smoothed\) +■ 3 \(3\.302 smoothed\)/);
  await press('+').shows('zoomed');
  await press('0', 'm').shows('Eval loss', 'log scale').hides('zoomed');
});

it('the comparison has a log scale for losses alone, and says so for no other metric', async () => {
  const { run, shows, press } = await openComparison();
  for (const n of [0, 1])
    run(n, [3, 2], false).send('training.log', { step: 3, loss: 1, cpuPercent: 90, timestamp: at(9) });
  await shows('Step 3');
  await press('y').shows('log scale');
  await press('m', 'm').shows('CPU').hides('log scale');
  await press('y', 'm').shows('Training loss', 'log scale').hides('CPU');
});
