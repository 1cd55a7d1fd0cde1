import { describe, expect, it } from 'vitest';
import { JOB_STATUSES } from '../../../lib/contract/index.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { hashOf } from '../elements.js';
import { type OpenOptions, openStudio, stopClock, until } from '../harness.js';

const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
const jobOf = (index: number, fields = {}) => sampleJob({ id: idOf(index), name: `job ${index}`, ...fields });
const everyStatus = JOB_STATUSES.map((status, index) => jobOf(index, { status, name: `a ${status} one` }));

async function openJobs(jobs = everyStatus, options: OpenOptions = {}) {
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
    pressed: () => page.locator('fieldset [aria-pressed=true]').allTextContents(),
  };
}

describe('Jobs list', () => {
  it('Polls `GET /api/jobs` at mount, every 5 seconds and on Refresh; says after 150 ms that it loads, and what is wrong.', async () => {
    let answer = () => {};
    const { page, studio, world, names } = await openJobs([], {
      prepare: stopClock,
      arrange: ({ slowness }) => {
        slowness.listJobs = new Promise<void>(resolve => {
          answer = resolve;
        });
      },
    });
    const polls = () => studio.callsOf('listJobs').length;
    await until(polls).toBe(1);
    await page.clock.runFor(149);
    expect(await page.getByText('Loading…').count()).toBe(0);
    await page.clock.runFor(2);
    await page.getByText('Loading…').waitFor();
    answer();
    await page.getByText('No jobs yet').waitFor();
    expect(await page.getByText('Loading…').count()).toBe(0);

    await page.clock.runFor(4700);
    expect(polls()).toBe(1);
    world.jobs = everyStatus;
    await page.clock.runFor(200);
    await until(polls).toBe(2);
    await until(names).toHaveLength(5);
    world.jobs = [jobOf(1)];
    await page.getByRole('button', { name: 'Refresh' }).click();
    await until(names).toEqual(['job 1']);
    expect(polls()).toBe(3);
    world.failures.listJobs = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    await page.clock.runFor(5000);
    await page.getByText('Cannot reach the cloud.').waitFor();
    expect(await names()).toEqual(['job 1']);
    delete world.failures.listJobs;
    await page.clock.runFor(5000);
    await until(() => page.getByText('Cannot reach the cloud.').count()).toBe(0);

    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const before = polls();
    await page.clock.runFor(15_000);
    expect(polls()).toBe(before);
  });

  it('Rows in the order of the backend, with one filter chip of each status, and a search in the browser.', async () => {
    const { page, chip, headers, names, pressed, search, studio } = await openJobs(everyStatus.toReversed());
    await until(names).toEqual(everyStatus.toReversed().map(({ name }) => name));
    expect(await headers()).toEqual(['Status', 'Name', 'Created', 'ID']);
    const cells = await page.getByRole('row').nth(2).getByRole('cell').allTextContents();
    const { id, name, status } = everyStatus.at(-2)!;
    expect([cells[0], cells[1], cells[3]]).toEqual([status, name, id]);
    expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(`#/jobs/${id}`);
    expect(await pressed()).toEqual(['All']);
    for (const label of ['Running', 'Running', 'Completed', 'Queued', 'Failed', 'Cancelled']) {
      await chip(label).click();
      await until(pressed).toEqual([label]);
      await until(names).toEqual([`a ${label.toLowerCase()} one`]);
    }
    await search.fill('QUEUED');
    await page.getByText('No matches').waitFor();
    await chip('All').click();
    await until(names).toEqual(['a queued one']);
    expect(studio.callsOf('listJobs').map(({ path }) => path)).toEqual(['/api/jobs']);
  });

  it('Counts on the filters, which stand in the address with the tags and the search', async () => {
    const { page, chip, names, search } = await openJobs([
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
    await page.reload();
    await until(names).toEqual(['job 2']);
    expect(await search.inputValue()).toBe('note:slowly');
    await page.getByRole('link', { name: 'job 2' }).click();
    await page.getByRole('heading', { name: 'job 2' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await until(names).toEqual(['job 2']);
  });

  it('Columns that the user adds, which the browser keeps; `createdAt` in the local format and time zone', async () => {
    const [locale, timeZone] = ['de-DE', 'Asia/Tokyo'];
    const jobs = [
      jobOf(1, { status: 'completed', loss: 0.5, bestLoss: 0.25, config: { loraR: 8 } }),
      jobOf(2, { config: { loraR: 16 } }),
    ];
    const { page, headers, studio } = await openJobs(jobs, { locale, timezoneId: timeZone });
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Best loss').check();
    await until(headers).toEqual(['Status', 'Name', 'Created', 'ID', 'Best loss']);
    expect(studio.callsOf('listJobSettings')).toHaveLength(0);
    await page.getByLabel('Settings that vary').check();
    const all = ['Status', 'Name', 'Created', 'ID', 'Best loss', 'loraR'];
    await until(headers).toEqual(all);
    const created = new Date(jobs[0]!.createdAt).toLocaleString(locale, { timeZone });
    const cells = () => page.getByRole('row').nth(1).getByRole('cell').allTextContents();
    await until(async () => (await cells()).toSpliced(3, 1)).toEqual([
      'completed',
      'job 1',
      created,
      '0.25',
      '8',
    ]);
    await page.reload();
    await until(headers).toEqual(all);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Settings that vary').uncheck();
    await page.getByLabel('Best loss').uncheck();
    await until(headers).toHaveLength(4);
  });

  it('The runs of a sweep as a group, with a picture, what varies, the results and the winner', async () => {
    const group = (value: number) => ({ id: idOf(99), settings: [{ name: 'lora.r', value }] });
    const { page, headers, names } = await openJobs([
      jobOf(1, { status: 'completed', group: group(16), evalLoss: 0.25 }),
      jobOf(2, { status: 'completed', group: group(8), evalLoss: 0.5 }),
      jobOf(3),
    ]);
    await page.getByRole('link', { name: 'lora.r=16' }).click();
    await page.getByRole('region', { name: 'Sweep 00000063' }).waitFor();
    expect(
      await page.getByRole('link', { name: 'lora.r=16, final eval loss 0.25' }).getAttribute('href'),
    ).toBe(`#/jobs/${idOf(1)}`);
    const picture = page.getByRole('img', { name: /^Parallel axes of 2 runs/ });
    expect(await picture.locator('path').count()).toBe(2);
    await until(headers).toEqual(['Status', 'Name', 'Created', 'ID', 'lora.r', 'Final eval loss']);
    expect(await page.getByRole('row').nth(1).getByRole('cell').last().textContent()).toBe('0.25 *');
    await page.getByRole('button', { name: 'Show all jobs' }).click();
    await until(async () => (await names()).filter(name => name.startsWith('job'))).toHaveLength(3);
    expect(await picture.count()).toBe(0);
    await page.getByRole('link', { name: 'lora.r=8' }).click();
    await picture.waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await until(() => hashOf(page)).toBe('#/jobs');
    await until(() => picture.count()).toBe(0);
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

  it('10,000 jobs, of which few are drawn; search and place are kept while one looks at a job.', async () => {
    const { page, names, search } = await openJobs(
      Array.from({ length: 10_000 }, (_, index) => jobOf(index)),
    );
    await until(async () => (await names())[0]).toBe('job 0');
    expect((await names()).length).toBeLessThan(200);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await until(async () => (await names()).at(-1)).toBe('job 9999');
    expect(await page.getByRole('row').last().getAttribute('aria-rowindex')).toBe('10001');
    await search.fill('job 99');
    await until(async () => (await names()).length).toBe(111);
    await page.getByText('111 of 10,000 jobs').waitFor();
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
});
