import { describe, expect, it } from 'vitest';
import { DEMO_ENDPOINT, DEMO_OFFER, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { goTo } from '../elements.js';
import { openStudio, until } from '../harness.js';

describe('The requests that an endpoint keeps', () => {
  it('are reached from its page, filtered by mark, marked, corrected and deleted; what would be lost is asked about', async () => {
    const { page, world } = await openStudio(`#/endpoints/${DEMO_ENDPOINT}`, { arrange: fillDemo });
    await page.getByText('support desk').waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/kept for/i);
    await goTo(page, `#/endpoints/${DEMO_OFFER}`);
    await page.getByText('Requests and answers are kept for 7 days.').waitFor();
    await page.getByRole('link', { name: 'See them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kept requests' }).waitFor();
    await page.getByText('My parcel is late.').first().waitFor();
    await page.getByText('caller left').waitFor();
    const entries = page.locator('main').getByRole('listitem');
    const press = (name: string) => entries.first().getByRole('button', { name }).click();
    const first = () => world.kept[0]!;

    await press('Good');
    await until(() => first().mark).toBe('good');
    await until(() =>
      entries.first().getByRole('button', { name: 'Good' }).getAttribute('aria-pressed'),
    ).toBe('true');
    await press('Good');
    await until(() => first().mark).toBeNull();
    await press('Correct');
    const box = page.getByRole('textbox', { name: 'Correct answer' });
    await until(() => box.inputValue()).toBe('It arrives tomorrow.');
    await box.fill('It arrives\ntoday.');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(() => first().correction).toEqual({ content: 'It arrives\ntoday.' });
    await entries.first().getByText('It arrives today.').waitFor();
    await press('Bad');
    await page.getByRole('heading', { name: 'Discard the correction?' }).waitFor();
    expect(first().mark).toBe('corrected');
    await page.getByRole('button', { name: 'Discard' }).click();
    await until(() => first().mark).toBe('bad');

    const { id } = first();
    await press('Delete');
    await page.getByRole('heading', { name: 'Delete this request?' }).waitFor();
    expect(first().id).toBe(id);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'All 2' }).waitFor();
    expect(world.kept.map(one => one.id)).not.toContain(id);
    await page.getByRole('button', { name: 'Corrected 1' }).click();
    await until(() => entries.count()).toBe(1);
    await page.getByRole('button', { name: 'Bad 0' }).click();
    await page.getByText('No bad answers').waitFor();
    world.failures.listKeptRequests = refusal(503, 'cloud_unreachable', 'The cloud is away.');
    await page.reload();
    await page.getByText('The cloud is away.').waitFor();
  });
});
