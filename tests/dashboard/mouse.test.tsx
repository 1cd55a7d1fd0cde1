import { expect, it } from 'vitest';
import { clickOn, WHEEL_DOWN, WHEEL_UP } from '../terminal/support/keys.js';
import { fakeStudio, nthJob } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const going = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: null, exitCode: null };

async function openJobs(train?: typeof going) {
  const jobs = Array.from({ length: 60 }, (_, n) => nthJob(n));
  const studio = fakeStudio({ jobs, ...(train && { train }) });
  const dashboard = await openDashboard({ studio, size: { columns: 100, rows: 20 } });
  const { press, lines, styleOf } = dashboard;
  await press('2').shows('job-5');
  return {
    ...dashboard,
    click: (text: string) => press(clickOn(text, lines())),
    /** The name in the inverted row. */
    chosen: () =>
      lines()
        .map(line => /job-\d+/.exec(line)?.[0])
        .find(name => name !== undefined && styleOf(name).includes('inverse')),
  };
}

it('a click selects a row, and opens the selected one', async () => {
  const { click, chosen } = await openJobs();
  for (const name of ['job-3', 'job-1']) {
    await click(name);
    expect(chosen()).toBe(name);
  }
  await click('job-1').shows('Not loaded yet', nthJob(1).id);
});

it('the wheel moves through a list, and never beyond its end', async () => {
  const { press, chosen } = await openJobs();
  await press(WHEEL_DOWN);
  expect(chosen()).toBe('job-3');
  await press(WHEEL_DOWN, WHEEL_UP);
  expect(chosen()).toBe('job-3');
  await press(WHEEL_UP, WHEEL_UP);
  expect(chosen()).toBe('job-0');
});

it.each([
  ['a name, which the mouse leaves with its row', 'N', 'Esc cancel', ['job-0', 'job-0']],
  ['a search, whose results it moves through', '/', 'Esc clear', ['job-3', 'job-1']],
])('a field is open for %s', async (_, key, hint, [afterWheel, afterClick]) => {
  const { press, click, chosen } = await openJobs();
  await press(key).shows(hint);
  await press(WHEEL_DOWN);
  expect(chosen()).toBe(afterWheel);
  await click('job-1 ');
  expect(chosen()).toBe(afterClick);
});

it('the wheel scrolls what is read', async () => {
  const { press, frame, lines } = await openJobs();
  await press('?').shows('Keys');
  const before = frame();
  await press(WHEEL_DOWN);
  expect(lines()[3]).toBe(before.split('\n')[6]);
  await press(WHEEL_UP);
  expect(frame()).toBe(before);
});

it('tabs and hints can be clicked; text does nothing', async () => {
  const { press, click } = await openJobs();
  await click('3 Playground').shows('Conversation');
  await click('Conversation');
  await click('Enter write').shows('Enter send');
  await press('hello');
  await click('2 Jobs').shows('job-5');
});

it('a question is answered before anything else is clicked', async () => {
  const { press, click } = await openJobs(going);
  await press('1').shows('running');
  await press('q').shows('Quit?');
  await click('2 Jobs');
  await press(WHEEL_DOWN).shows('Quit?', 'Run training');
  await click('n no').hides('Quit?');
  await click('2 Jobs').shows('job-5');
});

it('the help says what the mouse does where it is read', async () => {
  for (const hasMouse of [true, false]) {
    const { press, shows, hides } = await openDashboard({ hasMouse, size: { columns: 80, rows: 24 } });
    await press('?', 'G').shows('Answering a question');
    await (hasMouse ? shows('Shift-drag', 'Select text') : hides('Shift-drag'));
  }
});
