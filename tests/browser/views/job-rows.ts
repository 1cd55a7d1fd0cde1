import { describe, expect, it } from 'vitest';
import { DEMO_JOBS, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { boxOf } from '../elements.js';
import { openStudio, until } from '../harness.js';
import { openJob } from './open-job.js';

const openRows = (end = '', arrange = fillDemo) =>
  openStudio(`#/jobs/${DEMO_JOBS.completed}/rows${end}`, { arrange });

describe('The rows of a job', () => {
  it('open by a link on its page, worst first, and lead back', async () => {
    const { page } = await openStudio(`#/jobs/${DEMO_JOBS.completed}`, { arrange: fillDemo });
    await page.getByRole('link', { name: 'Rows' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rows learned worst' }).waitFor();
    await page.getByText('12 rows').waitFor();
    const lasts = await page.locator('tbody tr td:first-child').allInnerTexts();
    expect(lasts.map(Number)).toEqual(lasts.map(Number).toSorted((a, b) => b - a));
    await page.getByText('Ticket 10: the invoice shows the wrong amount').waitFor();
    expect(await page.locator('tbody svg polyline').count()).toBe(12);
    await page.getByRole('link', { name: /^Job / }).click();
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
  });

  it('can be only those whose loss rises', async () => {
    const { page } = await openRows();
    await page.getByRole('button', { name: 'Loss rises' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rows whose loss rises' }).waitFor();
    await page.getByText('2 rows').waitFor();
    await until(() => page.locator('td.rising').allInnerTexts()).toEqual(['+0.400', '+0.400']);
  });

  it('are those of a step after a click on it in the chart, and after Enter', async () => {
    const { page, logs } = await openJob();
    logs([5, 3, 9, 2]);
    const chart = page.getByRole('slider');
    await page.locator('polyline.training').waitFor();
    const { left, width } = await boxOf(page.locator('.lines'));
    const { y } = (await chart.boundingBox())!;
    await page.mouse.click(left + (2 * width) / 3, y + 100);
    await page.getByRole('heading', { level: 1, name: 'Rows of step 3' }).waitFor();
    await page.goBack();
    await chart.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Rows of step 4' }).waitFor();
    await page.getByRole('columnheader', { name: 'In this step' }).waitFor();
  });

  it('say why there are none, and what is wrong', async () => {
    const { page } = await openRows('/999');
    await page.getByText('This step has no recorded rows').waitFor();
    const other = await openRows('', world => {
      fillDemo(world);
      world.failures.listJobRows = refusal(503, 'cloud_unreachable', 'The cloud is away.');
    });
    await other.page.getByText('The cloud is away.').waitFor();
  });
});
