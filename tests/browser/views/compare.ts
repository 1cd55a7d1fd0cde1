import { expect, it } from 'vitest';
import { addCompared, COMPARED_IDS } from '../../support/fake-studio/compared.js';
import type { World } from '../../support/fake-studio.js';
import { focusedName, hashOf } from '../elements.js';
import { openStudio, until } from '../harness.js';

const [A, B] = COMPARED_IDS as [string, string];
const RUNNING = COMPARED_IDS.at(-1)!;

it('Comparing runs starts in the jobs list: check boxes appear when asked for, for two to six runs', async () => {
  const { page, sees, press, follow } = await openStudio('#/jobs', { arrange: addCompared });
  const boxes = page.getByRole('checkbox');
  await sees('translate');
  expect(await boxes.count()).toBe(0);
  await press('Compare').sees('Choose 2 to 6 runs to compare.');
  await until(() => focusedName(page)).toContain('Choose 2 to 6 runs');
  expect(await page.getByRole('button', { name: 'Compare runs' }).isDisabled()).toBe(true);
  for (let index = 0; index < 6; index++) await boxes.nth(index).check();
  await sees('6 of at most 6 runs chosen.');
  // Escape in an open menu closes the menu alone.
  await page.getByText('Columns', { exact: true }).click();
  await page.getByRole('group', { name: 'Columns' }).getByRole('checkbox').first().press('Escape');
  await until(() => page.getByRole('group', { name: 'Columns' }).isVisible()).toBe(false);
  await sees('6 of at most 6 runs chosen.');
  expect(await boxes.nth(6).isDisabled()).toBe(true);
  for (let index = 2; index < 6; index++) await boxes.nth(index).uncheck();
  await press('Compare 2 runs').isOn('Compare runs');
  expect(hashOf(page)).toMatch(/^#\/compare\/[\da-f-]{36},[\da-f-]{36}/);
  // The same runs are chosen when one goes back to choose others.
  await follow('Choose other runs');
  await until(() => page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await until(() => boxes.count()).toBe(0);
  await until(() => focusedName(page)).toBe('Compare');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.getByRole('searchbox').press('Escape');
  expect(await boxes.count()).toBeGreaterThan(0);
  await boxes.first().press('Escape');
  await until(() => boxes.count()).toBe(0);
});

it('Comparing runs draws one line for each run, with a legend and a table, reads them at the crosshair, and keeps choices in its address', async () => {
  const { page, keys } = await openStudio(`#/compare/${A},${B.slice(0, 6)}?x=tokens&log=1`, {
    arrange: addCompared,
  });
  const lines = page.locator('polyline.line');
  await until(() => lines.count()).toBe(2);
  expect(await page.getByRole('button', { name: 'Log scale' }).getAttribute('aria-pressed')).toBe('true');
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await until(() => row('Final loss').getByText('best').count()).toBe(1);
  await until(() => row('learningRate').getByRole('cell').allTextContents()).toEqual(['0.0005', '0.001']);
  expect(await row('seed').count()).toBe(0);
  await page.getByRole('slider').focus();
  await keys('Home');
  await until(() => page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(
    /^Tokens 2,048: triage \d\.\d+, triage with rate 0\.001 \d\.\d+$/,
  );
  const legend = page.getByRole('group', { name: 'Runs' }).getByRole('button');
  expect(await legend.allTextContents()).toEqual(['triage', 'triage with rate 0.001']);
  await legend.first().click();
  await until(() => lines.count()).toBe(1);
  await page.getByLabel('Metric').selectOption('evalLoss');
  await until(() => hashOf(page)).toContain('metrics=evalLoss');
  await legend.first().click();

  // The table says that it is wider than its place, and scrolls by keyboard.
  const box = page.getByRole('region', { name: 'Runs, scrolls sideways' });
  expect(await box.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 740 });
  await box.waitFor();
  const shadow = () => page.locator('.more-after').count();
  await until(shadow).toBe(1);
  const firstAt = async () => (await page.getByRole('rowheader', { name: 'Final loss' }).boundingBox())!.x;
  const before = await firstAt();
  await box.focus();
  await keys('End');
  for (let presses = 0; presses < 20 && (await shadow()) > 0; presses++) await keys('ArrowRight');
  await until(shadow).toBe(0);
  expect(await firstAt()).toBe(before);
});

it('Comparing runs finds by the start of its ID what was started since the jobs were listed', async () => {
  let all: World['jobs'] = [];
  const { page, world, visit } = await openStudio('#/jobs', {
    arrange: opened => {
      addCompared(opened);
      all = opened.jobs;
      opened.jobs = all.filter(({ id }) => id !== B);
    },
  });
  await page.getByText('triage').first().waitFor();
  await visit('#/endpoints').isOn('Endpoints');
  world.jobs = all;
  await visit(`#/compare/${A.slice(0, 6)},${B.slice(0, 6)}`);
  await until(() => page.locator('polyline.line').count()).toBe(2);
});

it('Comparing runs follows a run that goes on, says which job is gone, and that nothing can be compared', async () => {
  const gone = 'ffff0000-0000-4000-8000-000000000000';
  const { page, world, sees, visit } = await openStudio(`#/compare/${A},${RUNNING},${gone}`, {
    arrange: addCompared,
  });
  await sees(/^ffff0000: /);
  await page.getByRole('cell', { name: '70 of 120' }).waitFor();
  world
    .eventsOf(RUNNING)
    .push('training.log', { timestamp: '2026-03-06T10:00:00.000Z', step: 71, loss: 0.125 });
  await page.getByRole('cell', { name: '71 of 120' }).waitFor();
  await page.getByRole('cell', { name: '0.125 @ 71' }).first().waitFor();
  expect(await page.getByText('At most 6 runs can be compared.').count()).toBe(0);
  await visit(`#/compare/${[...COMPARED_IDS.slice(0, 6), gone, 'eeee'].join(',')}`);
  await sees('At most 6 runs can be compared.');
  await visit('#/compare/ffff,eeee');
  await sees('ffff: No job of this project has this ID.', 'Nothing to compare');
});
