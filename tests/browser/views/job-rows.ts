import { describe, expect, it } from 'vitest';
import { DEMO_JOBS, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { goTo } from '../elements.js';
import { openStudio, until } from '../harness.js';

describe('The rows of a job', () => {
  it('open by a link on its page, worst first, can be those whose loss rises, and say why there are none', async () => {
    const { page, world } = await openStudio(`#/jobs/${DEMO_JOBS.completed}`, { arrange: fillDemo });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('link', { name: 'Rows' }).click();
    await heading('Rows learned worst');
    await page.getByText('12 rows').waitFor();
    const lasts = await page.locator('tbody tr td:first-child').allInnerTexts();
    expect(lasts.map(Number)).toEqual(lasts.map(Number).toSorted((a, b) => b - a));
    await page.getByText('Ticket 10: the invoice shows the wrong amount').waitFor();
    expect(await page.locator('tbody svg polyline').count()).toBe(12);
    await page.getByRole('button', { name: 'Loss rises' }).click();
    await heading('Rows whose loss rises');
    await page.getByText('2 rows').waitFor();
    await until(() => page.locator('td.rising').allInnerTexts()).toEqual(['+0.400', '+0.400']);
    await page.getByRole('link', { name: /^Job / }).click();
    await page.getByRole('heading', { name: 'Metadata' }).waitFor();
    await goTo(page, `#/jobs/${DEMO_JOBS.completed}/rows/999`);
    await page.getByText('This step has no recorded rows').waitFor();
    world.failures.listJobRows = refusal(503, 'cloud_unreachable', 'The cloud is away.');
    await page.reload();
    await page.getByText('The cloud is away.').waitFor();
  });
});
