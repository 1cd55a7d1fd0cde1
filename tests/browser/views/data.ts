import { expect, it } from 'vitest';
import { fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { hold, openStudio, until } from '../harness.js';

it('What is learned opens by a link on the overview, with figures, lengths and tokens, those of a finding alone, and a measurement', async () => {
  const { page, world, studio, sees, isOn, press, follow } = await openStudio('#/', {
    arrange: opened => {
      fillDemo(opened);
      opened.failures.previewData = refusal(400, 'manifest_build_failed', 'The entry threw.');
    },
  });
  await follow('See what is learned').isOn('What is learned').sees('The entry threw.');
  delete world.failures.previewData;
  await press('Try again').sees('18 of 60 tokens are learned (30%)');
  expect(await page.getByRole('list', { name: 'Tokens per row' }).getByRole('listitem').count()).toBe(3);
  const tokens = page.locator('.tokens').first();
  expect(await tokens.locator('mark').allInnerTexts()).toEqual(['bug indeed', '<|im_end|>']);
  expect(await tokens.locator('.special').count()).toBe(3);

  await press(/Cut off/);
  await page.getByRole('heading', { level: 2, name: 'Cut off' }).waitFor();
  await sees('train.jsonl:3');
  expect(await page.locator('details').count()).toBe(2);
  await until(() => tokens.locator('s').allInnerTexts()).toEqual([' indeed', '<|im_end|>']);
  await press('Show all rows').sees('train.jsonl:8');
  const answer = hold(world, 'previewData');
  await press('Measure the time').sees('Measuring…');
  await press(/Cut off/);
  answer();
  await sees('on this machine (1.5 s per step)');
  await page.getByRole('heading', { level: 2, name: 'Cut off' }).waitFor();
  const measured = studio
    .callsOf('previewData')
    .filter(({ body }) => (body as { measure?: boolean }).measure);
  expect(measured).toHaveLength(1);
  await page.getByRole('link', { name: 'Overview' }).first().click();
  await isOn('Overview');
});
