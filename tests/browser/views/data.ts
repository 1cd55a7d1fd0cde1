import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { openStudio, until } from '../harness.js';

describe('What is learned', () => {
  it('opens by a link on the overview, with figures, lengths and tokens, those of a finding alone, and a measurement', async () => {
    const { page, world } = await openStudio('#/', {
      arrange: opened => {
        fillDemo(opened);
        opened.failures.previewData = refusal(400, 'manifest_build_failed', 'The entry threw.');
      },
    });
    await page.getByRole('link', { name: 'See what is learned' }).click();
    await page.getByRole('heading', { level: 1, name: 'What is learned' }).waitFor();
    await page.getByText('The entry threw.').waitFor();
    delete world.failures.previewData;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('18 of 60 tokens are learned (30%)').waitFor();
    expect(await page.getByRole('list', { name: 'Tokens per row' }).getByRole('listitem').count()).toBe(3);
    const tokens = page.locator('.tokens').first();
    expect(await tokens.locator('mark').allInnerTexts()).toEqual(['bug indeed', '<|im_end|>']);
    expect(await tokens.locator('.special').count()).toBe(3);

    await page.getByRole('button', { name: /Cut off/ }).click();
    await page.getByRole('heading', { level: 2, name: 'Cut off' }).waitFor();
    await page.getByText('train.jsonl:3').waitFor();
    expect(await page.locator('details').count()).toBe(2);
    await until(() => tokens.locator('s').allInnerTexts()).toEqual([' indeed', '<|im_end|>']);
    await page.getByRole('button', { name: 'Show all rows' }).click();
    await page.getByText('train.jsonl:8').waitFor();
    await page.getByRole('button', { name: 'Measure the time' }).click();
    await page.getByText('on this machine (1.5 s per step)').waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  });
});
