import { expect, it } from 'vitest';
import { DEMO_ENDPOINT, DEMO_OFFER, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleKept } from '../../support/sample-kept.js';
import { focusedName, hiddenWidth, isFocused } from '../elements.js';
import { openStudio, until } from '../harness.js';

it('The requests that an endpoint keeps stand below what it keeps, also after a cloud that was away', async () => {
  const { page, studio, world, sees } = await openStudio(`#/endpoints/${DEMO_OFFER}/requests`, {
    prepare: page => page.clock.install(),
    arrange: opened => {
      fillDemo(opened);
      opened.failures.getDeployment = refusal(502, 'cloud_unreachable', 'Cannot reach the cloud.');
    },
  });
  await until(() => studio.callsOf('getDeployment').length).toBeGreaterThan(0);
  delete world.failures.getDeployment;
  await page.clock.runFor(30_000);
  await sees('Requests and answers are kept for 7 days.');
});

it('The requests that an endpoint keeps are reached from its page, filtered by mark, marked, corrected and deleted; what would be lost is asked about', async () => {
  const hash = `#/endpoints/${DEMO_ENDPOINT}`;
  const { page, world, sees, press, follow, visit, back, reload, dialog, button } = await openStudio(hash, {
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
  await follow('Jobs').isOn('Jobs');
  await back().isOn('Kept requests');
  await until(() => box.inputValue()).toBe('It arrives\ntoday.');
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
  await until(() => isFocused(entries.first())).toBe(true);
  world.kept.push(sampleKept({ id: 'another' }));
  await press('Unmarked 1').sees('Unmarked 2');
  expect(await isFocused(button('Unmarked 2'))).toBe(true);
  await press('Corrected 1');
  await until(() => entries.count()).toBe(1);
  await press('Bad 0').sees('No bad answers');
  world.failures.listKeptRequests = refusal(503, 'cloud_unreachable', 'The cloud is away.');
  await reload().sees('The cloud is away.');
});

it('Kept requests: A correction that was given up or only opened is not kept; the last one that is deleted leaves the focus on the heading', async () => {
  const { page, world, press, follow, back, dialog, isOn } = await openStudio(
    `#/endpoints/${DEMO_OFFER}/requests`,
    {
      arrange: opened => {
        fillDemo(opened);
        opened.kept = [sampleKept()];
      },
    },
  );
  const box = page.getByRole('textbox', { name: 'Correct answer' });
  await press(/^Correct$/);
  await box.fill('Never mind.');
  await press('Cancel');
  await press(/^Correct$/);
  await until(() => box.inputValue()).toBe('It arrives tomorrow.');
  await follow('Jobs').isOn('Jobs');
  await back().isOn('Kept requests');
  await press('Delete');
  expect(await box.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await until(() => world.kept).toEqual([]);
  await until(() => focusedName(page)).toBe('Kept requests');
  await isOn('Kept requests');
});

it('Kept requests and evaluations fit a small phone, however long the name of their endpoint is', async () => {
  const { page, world, isOn, visit } = await openStudio(`#/endpoints/${DEMO_OFFER}/requests`, {
    viewport: { width: 320, height: 700 },
    arrange: opened => {
      fillDemo(opened);
      opened.deployments.find(({ id }) => id === DEMO_OFFER)!.slug = 'w'.repeat(50);
    },
  });
  const { slug } = world.deployments.find(({ id }) => id === DEMO_OFFER)!;
  const link = page.getByRole('link', { name: slug });
  await link.waitFor();
  expect(await hiddenWidth(page.locator('html'))).toBe(0);
  await visit(`#/endpoints/${DEMO_OFFER}/evaluations`);
  await isOn('Evaluations');
  await link.waitFor();
  expect(await hiddenWidth(page.locator('html'))).toBe(0);
});
