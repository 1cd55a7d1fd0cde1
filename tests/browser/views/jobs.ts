import { expect, it } from 'vitest';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { boxOf, hashOf, hiddenWidth, isFocused } from '../elements.js';
import { hold, type OpenOptions, openStudio, stopClock, until } from '../harness.js';

const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
const jobOf = (index: number, fields = {}) => sampleJob({ id: idOf(index), name: `job ${index}`, ...fields });
const EVERY_STATUS = JOB_STATUSES.map((status, index) => jobOf(index, { status, name: `a ${status} one` }));
const HEADERS = ['Status', 'Name', 'Created', 'ID'];

async function openJobs(jobs = EVERY_STATUS, options: OpenOptions = {}) {
  const opened = await openStudio('#/jobs', {
    ...options,
    arrange: world => {
      world.jobs = jobs;
      options.arrange?.(world);
    },
  });
  const { page } = opened;
  return {
    ...opened,
    chip: (name: string) => page.getByRole('group', { name: 'Status' }).getByRole('button', { name }),
    search: page.getByRole('searchbox'),
    names: () => page.locator('tbody a').allTextContents(),
    headers: () => page.getByRole('columnheader').allTextContents(),
    cellsOf: (row: number) => page.getByRole('row').nth(row).getByRole('cell').allTextContents(),
    pressed: () => page.locator('fieldset [aria-pressed=true]').allTextContents(),
  };
}

it('Jobs list: Polls `GET /api/jobs` at mount, every 5 seconds and on Refresh; says after 150 ms that it loads, and what is wrong.', async () => {
  let answer = () => {};
  const { page, studio, world, names, sees, press, follow } = await openJobs([], {
    prepare: stopClock,
    arrange: opened => {
      answer = hold(opened, 'listJobs');
    },
  });
  const polls = () => studio.callsOf('listJobs').length;
  await until(polls).toBe(1);
  await page.clock.runFor(149);
  expect(await page.getByText('Loading…').count()).toBe(0);
  await page.clock.runFor(2);
  await sees('Loading…');
  answer();
  await sees('No jobs yet');
  expect(await page.getByText('Loading…').count()).toBe(0);

  await page.clock.runFor(4700);
  expect(polls()).toBe(1);
  world.jobs = EVERY_STATUS;
  await page.clock.runFor(200);
  await until(polls).toBe(2);
  await until(names).toHaveLength(5);
  world.jobs = [jobOf(1)];
  await press('Refresh');
  await until(names).toEqual(['job 1']);
  expect(polls()).toBe(3);
  world.failures.listJobs = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
  await page.clock.runFor(5000);
  await sees('Cannot reach the cloud.');
  expect(await names()).toEqual(['job 1']);
  delete world.failures.listJobs;
  await page.clock.runFor(5000);
  await until(() => page.getByText('Cannot reach the cloud.').count()).toBe(0);

  await follow('Overview').isOn('Overview');
  const sent = () => page.evaluate("inPage.fetched.filter(path => path === '/api/jobs').length");
  const before = await sent();
  await page.clock.runFor(15_000);
  expect(await sent()).toBe(before);
});

it('Jobs list: Rows in the order of the backend, with one filter chip of each status, and a search in the browser.', async () => {
  const opened = await openJobs(EVERY_STATUS.toReversed());
  const { page, chip, headers, names, cellsOf, pressed, search, studio, sees } = opened;
  await until(names).toEqual(EVERY_STATUS.toReversed().map(({ name }) => name));
  expect(await headers()).toEqual(HEADERS);
  const { id, name, status } = EVERY_STATUS.at(-2)!;
  expect((await cellsOf(2)).toSpliced(2, 1)).toEqual([status, name, id]);
  expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(`#/jobs/${id}`);
  expect(await pressed()).toEqual(['All']);
  for (const label of ['Running', 'Running', 'Completed', 'Queued', 'Failed', 'Cancelled']) {
    await chip(label).click();
    await until(pressed).toEqual([label]);
    await until(names).toEqual([`a ${label.toLowerCase()} one`]);
  }
  await search.fill('QUEUED');
  await sees('No matches');
  await chip('All').click();
  await until(names).toEqual(['a queued one']);
  expect(new Set(studio.callsOf('listJobs').map(({ path }) => path))).toEqual(new Set(['/api/jobs']));
});

it('Jobs list: Counts on the filters, which stand in the address with the tags and the search', async () => {
  const { page, chip, names, search, reload, follow } = await openJobs([
    jobOf(1, { status: 'completed', tags: ['base', 'v2'] }),
    jobOf(2, { status: 'failed', tags: ['v2'], note: 'Learns too slowly' }),
    jobOf(3, { status: 'failed' }),
  ]);
  await until(names).toHaveLength(3);
  expect(await chip('Failed, 2 jobs').getAttribute('data-count')).toBe('2');
  expect(await chip('Completed, 1 job').count()).toBe(1);
  await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'v2' }).click();
  await until(names).toEqual(['job 1', 'job 2']);
  await chip('Failed').click();
  await search.fill(' note:slowly ');
  await until(() => hashOf(page)).toBe('#/jobs?search=note%3Aslowly&status=failed&tag=v2');
  await reload();
  await until(names).toEqual(['job 2']);
  expect(await search.inputValue()).toBe('note:slowly');
  await follow('job 2').isOn('job 2');
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
  await until(names).toEqual(['job 2']);
});

it('Jobs list: Columns that the user adds, which the browser keeps; `createdAt` in the local format and time zone', async () => {
  const [locale, timezoneId] = ['de-DE', 'Asia/Tokyo'];
  const done = jobOf(1, { status: 'completed', loss: 0.5, bestLoss: 0.25, config: { loraR: 8 } });
  const jobs = [done, jobOf(2, { config: { loraR: 16 } })];
  const { page, headers, studio, world, cellsOf, reload } = await openJobs(jobs, { locale, timezoneId });
  const openColumns = () => page.getByText('Columns', { exact: true }).click();
  await openColumns();
  await page.getByLabel('Best loss').check();
  await until(headers).toEqual([...HEADERS, 'Best loss']);
  expect(studio.callsOf('listJobSettings')).toHaveLength(0);
  world.failures.listJobSettings = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
  await page.getByLabel('Settings that vary').check();
  await until(() => studio.callsOf('listJobSettings').length).toBeGreaterThan(0);
  delete world.failures.listJobSettings;
  await until(headers).toEqual([...HEADERS, 'Best loss', 'loraR']);
  const created = new Date(done.createdAt).toLocaleString(locale, { timeZone: timezoneId });
  await until(async () => (await cellsOf(2)).at(-1)).toBe('16');
  expect((await cellsOf(1)).toSpliced(3, 1)).toEqual(['completed', 'job 1', created, '0.25', '8']);
  await reload();
  await until(headers).toEqual([...HEADERS, 'Best loss', 'loraR']);
  await openColumns();
  await page.getByLabel('Settings that vary').uncheck();
  await page.getByLabel('Best loss').uncheck();
  await until(headers).toEqual(HEADERS);
});

it('Jobs list: The runs of a sweep as a group, with a picture, what varies, the results and the winner', async () => {
  const group = (value: number) => ({ id: idOf(99), settings: [{ name: 'lora.r', value }] });
  const { page, headers, names, cellsOf, follow, press } = await openJobs([
    jobOf(1, { status: 'completed', group: group(16), evalLoss: 0.25 }),
    jobOf(2, { status: 'completed', group: group(8), evalLoss: 0.5 }),
    jobOf(3),
  ]);
  await follow('lora.r=16');
  await page.getByRole('region', { name: 'Sweep 00000063' }).waitFor();
  const winner = page.getByRole('link', { name: 'lora.r=16, final eval loss 0.25' });
  expect(await winner.getAttribute('href')).toBe(`#/jobs/${idOf(1)}`);
  const picture = page.getByRole('img', { name: /^Parallel axes of 2 runs/ });
  expect(await picture.locator('path').count()).toBe(2);
  await until(headers).toEqual([...HEADERS, 'lora.r', 'Final eval loss']);
  expect((await cellsOf(1)).at(-1)).toBe('0.25 *');
  await press('Show all jobs');
  await until(async () => (await names()).filter(name => name.startsWith('job'))).toHaveLength(3);
  expect(await picture.count()).toBe(0);
  await follow('lora.r=8');
  await picture.waitFor();
  await follow('Jobs');
  await until(() => hashOf(page)).toBe('#/jobs');
  await until(() => picture.count()).toBe(0);
});

it('Jobs list: A sweep of runs that learn from rewards, whose titles are long, is not cut off on any screen', async () => {
  const group = (value: number) => ({
    id: idOf(99),
    settings: [{ name: 'gradientAccumulationSteps', value }],
  });
  const { page, follow } = await openJobs([
    jobOf(1, { status: 'completed', group: group(16), reward: 0.5, evalReward: 0.03125 }),
    jobOf(2, { status: 'completed', group: group(8), reward: 0.5, evalReward: 0.25 }),
  ]);
  await follow('gradientAccumulationSteps=16');
  const title = page.getByRole('columnheader', { name: 'Final held-out reward' });
  await title.waitFor();
  expect(await hiddenWidth(title)).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Columns', { exact: true }).click();
  const menu = await boxOf(page.getByRole('group', { name: 'Columns' }));
  expect([menu.left >= 0, menu.right <= 390]).toEqual([true, true]);
  const picture = page.getByRole('img', { name: /^Parallel axes of 2 runs/ });
  await until(() => picture.locator('text').allTextContents()).toContain('0.03125');
  await until(async () => {
    const frame = await boxOf(picture);
    const boxes = await Promise.all((await picture.locator('text').all()).map(boxOf));
    return boxes.filter(({ left, right }) => left < frame.left || right > frame.right);
  }).toEqual([]);
});

it('Jobs list: A name, tags and a note that are edited on the page of a job', async () => {
  const { world, dialog, follow, press, isOn, sees } = await openJobs([jobOf(1, { tags: ['old'] })]);
  const fill = (label: string, text: string) => dialog.getByLabel(label).fill(text);
  await follow('job 1');
  await press('Edit').sees('Edit job');
  expect(await dialog.getByLabel('Tags').inputValue()).toBe('old');
  await fill('Name', '');
  await press('Save').sees('A job needs a name.');
  await until(() => isFocused(dialog.getByLabel('Name'))).toBe(true);
  await fill('Name', 'trial 1');
  await fill('Tags', 'new, two words');
  await fill('Note', 'why');
  await press('Save');
  await isOn('trial 1').sees('new, two words');
  expect(world.jobs[0]).toMatchObject({ name: 'trial 1', tags: ['new', 'two words'], note: 'why' });

  const events = world.eventsOf(idOf(1));
  await until(() => events.open()).toBe(1);
  await press('Edit').sees('Edit job');
  world.jobs = [{ ...world.jobs[0]!, tags: ['of another'] }];
  events.cut();
  await sees('of another');
  await fill('Note', 'because');
  await press('Save').sees('because');
  expect(world.jobs[0]).toMatchObject({ tags: ['of another'], note: 'because' });
});

it('Jobs list: 10,000 jobs, of which few are drawn; search and place are kept while one looks at a job.', async () => {
  const all = Array.from({ length: 10_000 }, (_, index) => jobOf(index));
  const { page, names, search, sees, follow, back } = await openJobs(all);
  await until(async () => (await names())[0]).toBe('job 0');
  expect((await names()).length).toBeLessThan(200);
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await until(async () => (await names()).at(-1)).toBe('job 9999');
  expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe('10001');
  await search.fill('job 99');
  await until(async () => (await names()).length).toBe(111);
  await sees('111 of 10,000 jobs');
  await search.fill('job');
  await page.evaluate('scrollTo(0, 8000)');
  await until(names).toContain('job 200');
  await follow('job 200').isOn('job 200');
  await until(() => page.evaluate<number>('scrollY')).toBe(0);
  await back();
  await until(names).toContain('job 200');
  expect(await search.inputValue()).toBe('job');
  await until(() => page.evaluate<number>('scrollY')).toBeGreaterThan(7000);
});
