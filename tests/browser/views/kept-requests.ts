import { describe, expect, it } from 'vitest';
import { DEMO_ENDPOINT, DEMO_OFFER, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { openStudio, until } from '../harness.js';

const openKept = (arrange = fillDemo) => openStudio(`#/endpoints/${DEMO_OFFER}/requests`, { arrange });

describe('The requests that an endpoint keeps', () => {
  it('are reached from its page, which says that they are kept', async () => {
    const { page } = await openStudio(`#/endpoints/${DEMO_OFFER}`, { arrange: fillDemo });
    await page.getByText('Requests and answers are kept for 7 days.').waitFor();
    await page.getByRole('link', { name: 'See them' }).click();
    await page.getByRole('heading', { level: 1, name: 'Kept requests' }).waitFor();
    await page.getByText('My parcel is late.').first().waitFor();
    await page.getByText('caller left').waitFor();
  });

  it('are not mentioned on the page of an endpoint that keeps none', async () => {
    const { page } = await openStudio(`#/endpoints/${DEMO_ENDPOINT}`, { arrange: fillDemo });
    await page.getByText('support desk').waitFor();
    expect(await page.locator('body').innerText()).not.toMatch(/kept for/i);
  });

  it('are marked, and the mark is taken back', async () => {
    const { page, studio } = await openKept();
    const entry = page.locator('main').getByRole('listitem').first();
    await entry.getByRole('button', { name: 'Good' }).click();
    await until(() => studio.world.kept[0]!.mark).toBe('good');
    await until(() => entry.getByRole('button', { name: 'Good' }).getAttribute('aria-pressed')).toBe('true');
    await entry.getByRole('button', { name: 'Good' }).click();
    await until(() => studio.world.kept[0]!.mark).toBeNull();
  });

  it('are corrected, and a mark asks before it discards the correction', async () => {
    const { page, studio } = await openKept();
    const entry = page.locator('main').getByRole('listitem').first();
    await entry.getByRole('button', { name: 'Correct' }).click();
    const box = page.getByRole('textbox', { name: 'Correct answer' });
    await until(() => box.inputValue()).toBe('It arrives tomorrow.');
    await box.fill('It arrives\ntoday.');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(() => studio.world.kept[0]!.correction).toEqual({ content: 'It arrives\ntoday.' });
    await entry.getByText('It arrives today.').waitFor();
    await entry.getByRole('button', { name: 'Bad' }).click();
    await page.getByRole('heading', { name: 'Discard the correction?' }).waitFor();
    expect(studio.world.kept[0]!.mark).toBe('corrected');
    await page.getByRole('button', { name: 'Discard' }).click();
    await until(() => studio.world.kept[0]!.mark).toBe('bad');
  });

  it('are deleted after a question', async () => {
    const { page, studio } = await openKept();
    const entry = page.locator('main').getByRole('listitem').first();
    const { id } = studio.world.kept[0]!;
    await entry.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Delete this request?' }).waitFor();
    expect(studio.world.kept[0]).toMatchObject({ id });
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'All 2' }).waitFor();
    expect(studio.world.kept.map(one => one.id)).not.toContain(id);
  });

  it('are filtered by their mark, and say so where there are none, or what is wrong', async () => {
    const { page } = await openKept();
    await page.getByRole('button', { name: 'Corrected 1' }).click();
    await until(() => page.locator('main').getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Bad 0' }).click();
    await page.getByText('No bad answers').waitFor();
    const other = await openKept(world => {
      fillDemo(world);
      world.failures.listKeptRequests = refusal(503, 'cloud_unreachable', 'The cloud is away.');
    });
    await other.page.getByText('The cloud is away.').waitFor();
  });
});
