import { expect, it } from 'vitest';
import { sampleJob } from '../support/samples.js';
import { clickOn, WHEEL_DOWN, WHEEL_UP } from '../terminal/support/keys.js';
import { fakeStudio } from './support/fake-studio.js';
import { type OpenedDashboard, openDashboard } from './support/open-dashboard.js';

const idOf = (index: number) => `${index}`.padStart(8, '0').concat('-0000-4000-8000-000000000000');
const jobs = Array.from({ length: 60 }, (_, index) => sampleJob({ id: idOf(index), name: `run ${index}` }));

const click = async (dashboard: OpenedDashboard, text: string) =>
  dashboard.press(clickOn(text, dashboard.lines()));

async function openJobs(): Promise<OpenedDashboard> {
  const dashboard = await openDashboard({
    studio: fakeStudio({ jobs }),
    start: { tab: 'jobs', id: null },
    size: { columns: 100, rows: 20 },
  });
  await dashboard.shows('run 5');
  return dashboard;
}

/** The name in the inverted row. */
const chosen = ({ lines, styleOf }: OpenedDashboard) =>
  lines()
    .map(line => /run \d+/.exec(line)?.[0])
    .find(name => name !== undefined && styleOf(name).includes('inverse'));

it('a click selects a row, and opens the selected one', async () => {
  const dashboard = await openJobs();
  await click(dashboard, 'run 3');
  expect(chosen(dashboard)).toBe('run 3');
  await click(dashboard, 'run 1');
  expect(chosen(dashboard)).toBe('run 1');
  await click(dashboard, 'run 1');
  await dashboard.shows('Waiting for the first loss', idOf(1));
});

it('the wheel moves through a list, and never beyond its end', async () => {
  const dashboard = await openJobs();
  await dashboard.press(WHEEL_DOWN);
  expect(chosen(dashboard)).toBe('run 3');
  await dashboard.press(WHEEL_DOWN, WHEEL_UP);
  expect(chosen(dashboard)).toBe('run 3');
  await dashboard.press(WHEEL_UP, WHEEL_UP);
  expect(chosen(dashboard)).toBe('run 0');
});

it('the wheel scrolls what is read', async () => {
  const dashboard = await openJobs();
  await dashboard.press('?');
  await dashboard.shows('Keys');
  const before = dashboard.frame();
  await dashboard.press(WHEEL_DOWN);
  expect(dashboard.lines()[3]).toBe(before.split('\n')[6]);
  await dashboard.press(WHEEL_UP);
  expect(dashboard.frame()).toBe(before);
});

it('tabs and hints can be clicked; text does nothing', async () => {
  const dashboard = await openJobs();
  await click(dashboard, '3 Playground');
  await dashboard.shows('Conversation');
  await click(dashboard, 'Conversation');
  await click(dashboard, 'Enter write');
  await dashboard.shows('Enter send');
  await dashboard.press('hello');
  await click(dashboard, '2 Jobs');
  await dashboard.shows('run 5');
});

it('a question is answered before anything else is clicked', async () => {
  const running = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: null, exitCode: null };
  const dashboard = await openDashboard({ studio: fakeStudio({ jobs, train: running }) });
  await dashboard.shows('running');
  await dashboard.press('q');
  await dashboard.shows('Quit?');
  await click(dashboard, '2 Jobs');
  await dashboard.press(WHEEL_DOWN);
  await dashboard.shows('Quit?', 'Run training');
  await click(dashboard, 'n no');
  await dashboard.hides('Quit?');
  await click(dashboard, '2 Jobs');
  await dashboard.shows('run 5');
});

it('the help says what the mouse does where it is read', async () => {
  const withMouse = await openDashboard({ hasMouse: true, size: { columns: 80, rows: 24 } });
  await withMouse.press('?', 'G');
  await withMouse.shows('Shift-drag', 'Select text');
  const without = await openDashboard({ size: { columns: 80, rows: 24 } });
  await without.press('?', 'G');
  await without.shows('Answering a question');
  expect(without.frame()).not.toContain('Shift-drag');
});
