import { expect, it } from 'vitest';
import { DEMO_ENDPOINT, DEMO_OFFER, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleKept } from '../../support/sample-kept.js';
import { isFocused } from '../elements.js';
import { openStudio, until } from '../harness.js';

it('The requests that an endpoint keeps are reached from its page, filtered by mark, marked, corrected and deleted; what would be lost is asked about', async () => {
  const hash = `#/endpoints/${DEMO_ENDPOINT}`;
  const { page, world, sees, press, follow, visit, reload, dialog, button } = await openStudio(hash, {
    arrange: fillDemo,
  });
  await sees('support desk');
  expect(await page.locator('body').innerText()).not.toMatch(/kept for/i);
  await visit(`#/endpoints/${DEMO_OFFER}`).sees('Requests and answers are kept for 7 days.');
  await follow('See them').isOn('Kept requests').sees('caller left');
  await page.getByText('My parcel is late.').first().waitFor();
  const entries = page.locator('main').getByRole('listitem');
  const ofFirst = (name: string) => entries.first().getByRole('button', { name });
  const first = () => world.kept[0]!;

  await ofFirst('Good').click();
  await until(() => first().mark).toBe('good');
  await until(() => ofFirst('Good').getAttribute('aria-pressed')).toBe('true');
  await ofFirst('Good').click();
  await until(() => first().mark).toBeNull();
  await ofFirst('Correct').click();
  const box = page.getByRole('textbox', { name: 'Correct answer' });
  await until(() => box.inputValue()).toBe('It arrives tomorrow.');
  await box.press('Escape');
  await until(() => isFocused(ofFirst('Correct'))).toBe(true);
  await ofFirst('Correct').click();
  await box.fill('It arrives\ntoday.');
  await box.press('Escape');
  expect(await box.inputValue()).toBe('It arrives\ntoday.');
  await press('Save');
  await until(() => isFocused(ofFirst('Correct'))).toBe(true);
  await until(() => first().correction).toEqual({ content: 'It arrives\ntoday.' });
  await entries.first().getByText('It arrives today.').waitFor();
  await ofFirst('Bad').click();
  await sees('Discard the correction?');
  expect(first().mark).toBe('corrected');
  await press('Discard');
  await until(() => first().mark).toBe('bad');

  const { id } = first();
  await ofFirst('Delete').click();
  await sees('Delete this request?');
  expect(first().id).toBe(id);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await button('All 2').waitFor();
  expect(world.kept.map(one => one.id)).not.toContain(id);
  world.kept.push(sampleKept({ id: 'another' }));
  await press('Unmarked 1').sees('Unmarked 2');
  expect(await isFocused(button('Unmarked 2'))).toBe(true);
  await press('Corrected 1');
  await until(() => entries.count()).toBe(1);
  await press('Bad 0').sees('No bad answers');
  world.failures.listKeptRequests = refusal(503, 'cloud_unreachable', 'The cloud is away.');
  await reload().sees('The cloud is away.');
});
