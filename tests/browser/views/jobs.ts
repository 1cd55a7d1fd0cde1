import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { type OpenOptions, openStudio, stopClock, until } from '../harness.js';

const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
const jobOf = (index: number, fields = {}) => sampleJob({ id: idOf(index), name: `job ${index}`, ...fields });
const manyJobs = (count: number) => Array.from({ length: count }, (_, index) => jobOf(index));
const everyStatus = JOB_STATUSES.map((status, index) => jobOf(index, { status, name: `a ${status} one` }));

async function openJobs(jobs = everyStatus, options: OpenOptions = {}) {
  const opened = await openStudio('#/jobs', {
    ...options,
    arrange: world => {
      world.jobs = jobs;
    },
  });
  const { page } = opened;
  const chip = (name: string) => page.getByRole('group', { name: 'Status' }).getByRole('button', { name });
  return {
    ...opened,
    chip,
    search: page.getByRole('searchbox'),
    names: () => page.locator('tbody a').allTextContents(),
    pressed: () => page.locator('fieldset [aria-pressed=true]').allTextContents(),
  };
}

describe('Jobs list', () => {
  it('Polls `GET /api/jobs` once at mount and then every 5 seconds.', async () => {
    const { page, studio, world } = await openJobs(everyStatus, { prepare: stopClock });
    await until(() => studio.callsOf('listJobs').length).toBe(1);
    await page.clock.runFor(4900);
    expect(studio.callsOf('listJobs')).toHaveLength(1);
    for (let polls = 2; polls <= 5; polls++) {
      await page.clock.runFor(polls === 2 ? 200 : 5000);
      await until(() => studio.callsOf('listJobs').length).toBe(polls);
    }
    world.failures.listJobs = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    await page.clock.runFor(5000);
    await page.getByText('Cannot reach the cloud.').waitFor();
    delete world.failures.listJobs;
    await page.clock.runFor(5000);
    await until(() => page.getByText('Cannot reach the cloud.').count()).toBe(0);
    expect(await page.locator('tbody a').count()).toBe(5);
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const calls = studio.callsOf('listJobs').length;
    await page.clock.runFor(15_000);
    expect(studio.callsOf('listJobs')).toHaveLength(calls);
  });

  it('The link to Jobs leads from a sweep to all jobs.', async () => {
    const group = { id: idOf(99), settings: [{ name: 'lora.r', value: 8 }] };
    const { page, names } = await openJobs([jobOf(1, { group }), jobOf(2)]);
    await page.getByRole('link', { name: 'lora.r=8' }).click();
    await until(names).toEqual(['job 1']);
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await until(async () => (await names()).length).toBeGreaterThan(1);
    expect(new URL(page.url()).hash).toBe('#/jobs');
  });

  it('A Refresh control forces an immediate reload.', async () => {
    const { page, studio, world, names } = await openJobs([jobOf(1)], { prepare: stopClock });
    await until(names).toEqual(['job 1']);
    world.jobs = [jobOf(2), jobOf(1)];
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(names).toEqual(['job 2', 'job 1']);
    expect(studio.callsOf('listJobs')).toHaveLength(2);
  });

  it('Client-side search (case-insensitive) keeps rows whose `name` or `id` contains the query.', async () => {
    const jobs = [jobOf(1, { name: 'Alpha' }), jobOf(0xabcdef, { name: 'beta-ALPHA (2)' }), jobOf(3)];
    const { search, names, studio } = await openJobs(jobs);
    await until(names).toHaveLength(3);
    for (const [query, found] of [
      ['aLpH', ['Alpha', 'beta-ALPHA (2)']],
      ['(', ['beta-ALPHA (2)']],
      ['ABCDEF-AAAA', ['beta-ALPHA (2)']],
      ['', ['Alpha', 'beta-ALPHA (2)', 'job 3']],
    ] as const) {
      await search.fill(query);
      await until(names).toEqual(found);
    }
    expect(studio.callsOf('listJobs').map(({ path }) => path)).toEqual(['/api/jobs']);
  });

  it('Status filter chips: `All`, `Running`, `Completed`, `Queued`, `Failed`, `Cancelled`; exactly one active.', async () => {
    const { page, chip, names, pressed } = await openJobs();
    const labels = await page.getByRole('group', { name: 'Status' }).getByRole('button').allTextContents();
    expect(labels.map(label => label.trim())).toEqual([
      'All',
      'Running',
      'Completed',
      'Queued',
      'Failed',
      'Cancelled',
    ]);
    expect(await pressed()).toEqual(['All']);
    for (const label of ['Running', 'Running', 'Completed', 'Queued', 'Failed', 'Cancelled']) {
      await chip(label).click();
      await until(pressed).toEqual([label]);
      await until(names).toEqual([`a ${label.toLowerCase()} one`]);
    }
    await chip('All').click();
    await until(names).toHaveLength(5);
  });

  it('Empty states: `No jobs yet` (project has no runs)', async () => {
    const { page, search, chip } = await openJobs([]);
    await page.getByText('No jobs yet').waitFor();
    await search.fill('anything');
    await chip('Failed').click();
    await until(() => page.getByText('No jobs yet').count()).toBe(1);
    expect(await page.getByText('No matches').count()).toBe(0);
  });

  it('Counts on the filters, which stand in the address with the tags and the search', async () => {
    const jobs = [
      jobOf(1, { status: 'completed', tags: ['base', 'v2'] }),
      jobOf(2, { status: 'failed', tags: ['v2'], note: 'Learns too slowly' }),
      jobOf(3, { status: 'failed' }),
    ];
    const { page, chip, names, search } = await openJobs(jobs);
    await until(names).toHaveLength(3);
    const countOf = (name: string) => chip(name).getAttribute('data-count');
    expect([await countOf('All'), await countOf('Failed'), await countOf('Running')]).toEqual([
      '3',
      '2',
      '0',
    ]);
    expect(await chip('Failed, 2 jobs').count()).toBe(1);
    expect(await chip('Completed, 1 job').count()).toBe(1);
    await page.getByRole('group', { name: 'Tags' }).getByRole('button', { name: 'v2' }).click();
    await until(names).toEqual(['job 1', 'job 2']);
    await chip('Failed').click();
    await until(names).toEqual(['job 2']);
    await search.fill(' slowly ');
    await page.getByText('No matches').waitFor();
    await search.fill(' note:slowly ');
    await until(() => page.evaluate<string>('location.hash')).toBe(
      '#/jobs?search=note%3Aslowly&status=failed&tag=v2',
    );
    await page.reload();
    await until(names).toEqual(['job 2']);
    expect(await search.inputValue()).toBe('note:slowly');
    await page.getByRole('link', { name: 'job 2' }).click();
    await page.getByRole('heading', { name: 'job 2' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await until(names).toEqual(['job 2']);
  });

  it('Columns that the user adds, which the browser keeps', async () => {
    const jobs = [
      jobOf(1, { status: 'completed', loss: 0.5, bestLoss: 0.25, config: { loraR: 8 } }),
      jobOf(2, { config: { loraR: 16 } }),
    ];
    const { page, names, studio } = await openJobs(jobs);
    await until(names).toHaveLength(2);
    const headers = () => page.getByRole('columnheader').allTextContents();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Best loss').check();
    await until(headers).toEqual(['Status', 'Name', 'Created', 'ID', 'Best loss']);
    expect(studio.callsOf('listJobSettings')).toHaveLength(0);
    await page.getByLabel('Settings that vary').check();
    await until(headers).toEqual(['Status', 'Name', 'Created', 'ID', 'Best loss', 'loraR']);
    const cells = () => page.getByRole('row').nth(1).getByRole('cell').allTextContents();
    await until(async () => (await cells()).slice(4)).toEqual(['0.25', '8']);
    await page.reload();
    await until(headers).toEqual(['Status', 'Name', 'Created', 'ID', 'Best loss', 'loraR']);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Settings that vary').uncheck();
    await page.getByLabel('Best loss').uncheck();
    await until(headers).toHaveLength(4);
  });

  it('The runs of a sweep as a group, with a picture, what varies, the results and the winner', async () => {
    const group = (value: number) => ({ id: idOf(99), settings: [{ name: 'lora.r', value }] });
    const jobs = [
      jobOf(1, { status: 'completed', group: group(16), evalLoss: 0.25 }),
      jobOf(2, { status: 'completed', group: group(8), evalLoss: 0.5 }),
      jobOf(3),
    ];
    const { page, names } = await openJobs(jobs);
    await page.getByRole('link', { name: 'lora.r=16' }).click();
    await page.getByRole('region', { name: 'Sweep 00000063' }).waitFor();
    expect(
      await page.getByRole('link', { name: 'lora.r=16, final eval loss 0.25' }).getAttribute('href'),
    ).toBe(`#/jobs/${idOf(1)}`);
    expect(
      await page
        .getByRole('img', { name: /^Parallel axes of 2 runs/ })
        .locator('path')
        .count(),
    ).toBe(2);
    await until(() => page.getByRole('columnheader').allTextContents()).toEqual([
      ...['Status', 'Name', 'Created', 'ID'],
      ...['lora.r', 'Final eval loss'],
    ]);
    expect(await page.getByRole('row').nth(1).getByRole('cell').last().textContent()).toBe('0.25 *');
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await until(async () => (await names()).filter(name => name.startsWith('job'))).toHaveLength(3);
    expect(await page.getByRole('img', { name: /^Parallel axes/ }).count()).toBe(0);
  });

  it('A name, tags and a note that are edited on the page of a job', async () => {
    const { page, world } = await openJobs([jobOf(1, { tags: ['old'] })]);
    await page.getByRole('link', { name: 'job 1' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit job' });
    expect(await dialog.getByLabel('Tags').inputValue()).toBe('old');
    await dialog.getByLabel('Name').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('A job needs a name.').waitFor();
    await dialog.getByLabel('Name').fill('trial 1');
    await dialog.getByLabel('Tags').fill('new, two words');
    await dialog.getByLabel('Note').fill('why');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'trial 1' }).waitFor();
    await page.getByText('new, two words').waitFor();
    expect(world.jobs[0]).toMatchObject({ name: 'trial 1', tags: ['new', 'two words'], note: 'why' });
  });

  it('versus `No matches` (search or filter hides every row).', async () => {
    const { page, search, chip } = await openJobs([jobOf(1, { status: 'completed' })]);
    await chip('Failed').click();
    await page.getByText('No matches').waitFor();
    await chip('All').click();
    await search.fill('zzz');
    await page.getByText('No matches').waitFor();
    expect(await page.getByText('No jobs yet').count()).toBe(0);
  });

  it('Columns: Status (job `status`), Name (job `name`, links to `#/jobs/<id>`), Created, ID (job `id`).', async () => {
    const { page } = await openJobs();
    await page.getByRole('row').nth(5).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toEqual([
      'Status',
      'Name',
      'Created',
      'ID',
    ]);
    const cells = await page.getByRole('row').nth(2).getByRole('cell').allTextContents();
    expect([cells[0], cells[1], cells[3]]).toEqual(['running', 'a running one', idOf(1)]);
    expect(await page.getByRole('link', { name: 'a running one' }).getAttribute('href')).toBe(
      `#/jobs/${idOf(1)}`,
    );
  });

  it.each([
    ['de-DE', 'Asia/Tokyo'],
    ['en-US', 'America/New_York'],
  ])('`createdAt` rendered in the local locale format: %s in %s', async (locale, timeZone) => {
    const { page } = await openJobs([jobOf(1)], { locale, timezoneId: timeZone });
    await until(() => page.getByRole('cell').nth(2).textContent()).toBe(
      new Date(jobOf(1).createdAt).toLocaleString(locale, { timeZone }),
    );
  });

  it('Rows appear in the order the backend returned', async () => {
    const shuffled = [3, 1, 2].map(day => jobOf(day, { createdAt: `2026-03-0${day}T10:00:00.000Z` }));
    const { names, search } = await openJobs(shuffled);
    await until(names).toEqual(['job 3', 'job 1', 'job 2']);
    await search.fill('job');
    expect(await names()).toEqual(['job 3', 'job 1', 'job 2']);
  });

  it('there is no pagination and no server-side filtering; the list must be complete.', async () => {
    const { page, names, search } = await openJobs(manyJobs(10_000));
    await until(async () => (await names())[0]).toBe('job 0');
    expect((await names()).length).toBeLessThan(200);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await until(async () => (await names()).at(-1)).toBe('job 9999');
    expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe('10001');
    expect(await page.getByRole('link', { name: 'job 9999' }).isVisible()).toBe(true);
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)');
    await until(names).toContain('job 5000');
    await search.fill('job 99');
    await until(async () => (await names()).length).toBe(111);
    await until(() => page.getByText('111 of 10,000 jobs').count()).toBe(1);
  });

  it('Search and filter are kept while one looks at a job and comes back, and so is the place.', async () => {
    const { page, search, names } = await openJobs(manyJobs(500));
    await until(names).toContain('job 0');
    await search.fill('job');
    await page.evaluate('scrollTo(0, 8000)');
    await until(names).toContain('job 200');
    await page.getByRole('link', { name: 'job 200', exact: true }).click();
    await page.getByRole('heading', { name: 'job 200' }).waitFor();
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await page.goBack();
    await until(names).toContain('job 200');
    expect(await search.inputValue()).toBe('job');
    expect(await page.evaluate<number>('scrollY')).toBeGreaterThan(7000);
  });

  it('The loading state comes after 150 ms, not before.', async () => {
    let answer = () => {};
    const slow = new Promise<void>(resolve => {
      answer = resolve;
    });
    const { page, studio } = await openStudio('#/jobs', {
      prepare: stopClock,
      arrange: world => {
        world.slowness.listJobs = slow;
      },
    });
    await until(() => studio.callsOf('listJobs').length).toBe(1);
    await page.clock.runFor(149);
    expect(await page.getByText('Loading…').count()).toBe(0);
    await page.clock.runFor(2);
    await page.getByText('Loading…').waitFor();
    answer();
    await page.getByText('No jobs yet').waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);
  });
});
