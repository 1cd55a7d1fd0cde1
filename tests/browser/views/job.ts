import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleJob } from '../../support/samples.js';
import { goTo, scrollOf, scrollToTop, styleOf } from '../elements.js';
import { openStudio, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

/** Of the log, in pixels. */
const LINE = 18;
const ARTIFACTS = [{ name: 'final' }, { name: 'checkpoint-50' }, { name: 'checkpoint-100' }];

describe('Job detail', () => {
  it('follows a run by its events: status, progress, losses, log and artifacts, with the settings that differ first', async () => {
    const { page, studio, events, log, badge, rows, fact } = await openJob('queued', {
      arrange: world => {
        const config = { model: 'm', seed: 1, loraR: 16 };
        world.jobs = [sampleJob({ status: 'queued', config, customSettings: ['loraR'] } as object)];
      },
    });
    const spoken = page.getByRole('status').filter({ hasText: 'Status:' });
    await until(badge).toBe('queued');
    await until(() => spoken.textContent()).toBe('Status: queued');
    const payload = '{"totalSteps": 40, "zebra":"<b>", "dataset":"a.jsonl", "rows": 600, "weights": "int8"}';
    events.push('training.started', payload);
    await until(badge).toBe('running');
    await until(() => spoken.textContent()).toBe('Status: running');
    log({ step: 10, loss: 0.123456789, tokensPerSecond: 412.3 });
    log({ step: 20, loss: 0.5 });
    await until(() => fact('Loss')).toBe('0.5 at step 20');
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('0.5');
    expect(await fact('Best loss')).toBe('0.1235 at step 10');
    expect([await fact('Speed'), await fact('Rows'), await fact('Artifacts')]).toEqual([
      '412 tokens/s',
      '600',
      '–',
    ]);
    expect(await page.title()).toBe('50 % triage · svc Studio');
    expect(await page.getByRole('link', { name: 'Chat with it' }).count()).toBe(0);
    const settings = page.getByRole('region', { name: 'Settings' });
    expect(await settings.locator('dt').allTextContents()).toEqual(['loraR', 'model', 'seed']);
    expect(await settings.locator('.custom').textContent()).toContain('not the default');

    events.push('training.completed', { artifacts: ARTIFACTS, metrics: {} });
    await until(badge).toBe('completed');
    await until(() => fact('Final loss')).toBe('0.5 at step 20');
    await until(() => page.title()).toBe('✓ triage · svc Studio');
    expect(await fact('Artifacts')).toBe('3');
    expect(await rows()).toEqual([
      ['training.started', payload],
      ['training.log', 'step=10 loss=0.123456789'],
      ['training.log', 'step=20 loss=0.5'],
      ['training.completed', '3 artifacts'],
    ]);
    await page.getByRole('link', { name: 'Chat with it' }).waitFor();
    // No cancel button and no artifact browser.
    const controls = await page.locator('main').locator('button, a, input, textarea').allTextContents();
    expect(controls.map(text => text.trim())).toEqual(
      expect.arrayContaining(['Edit', 'Chat with it', 'Publish', 'Rows', 'Advanced']),
    );
    expect(controls.join()).not.toMatch(/cancel|stop|artifact|checkpoint|download/i);
    expect(new Set(studio.calls.map(({ name }) => name))).toEqual(
      new Set(['getIdentity', 'getJob', 'streamJobEvents']),
    );
    const sidebar = page.getByRole('region', { name: 'Metadata' });
    expect(await sidebar.locator('code').textContent()).toBe(JOB.id);
    await sidebar.getByRole('button', { name: 'Copy job ID' }).click();
    await until(() => page.evaluate('navigator.clipboard.readText()')).toBe(JOB.id);
  });

  it('A failure has a red banner, its text and code set as such; on a phone the rows of the log open by click and by keyboard.', async () => {
    const { page, events, badge } = await openJob();
    const error = 'Not enough memory: a smaller `batchSize` <b>needs</b> less, or a machine with more of it.';
    events.push('training.failed', { error });
    events.push('training.failed', { error });
    await until(badge).toBe('failed');
    const banner = page.getByRole('alert');
    expect((await banner.textContent())?.trim()).toBe(error.replaceAll('`', ''));
    expect(await banner.locator('code').allTextContents()).toEqual(['batchSize']);
    expect(await styleOf(banner, 'color')).toBe('rgb(179, 38, 30)');

    const messages = page.locator('td.message');
    const height = async () => (await messages.first().boundingBox())!.height;
    await until(() => messages.count()).toBe(2);
    expect(await height()).toBeLessThan(LINE * 2);
    await page.setViewportSize({ width: 360, height: 740 });
    await until(() => page.evaluate('innerWidth')).toBe(360);
    expect(await height()).toBeLessThan(LINE * 2);
    const name = page.locator('td.event').first();
    const fits =
      '(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("td.event"))';
    expect(await page.evaluate<boolean>(fits)).toBe(true);
    expect((await name.boundingBox())!.y).toBeLessThan((await messages.first().boundingBox())!.y);
    await messages.first().click();
    await until(height).toBeGreaterThan(LINE * 2);
    await messages.first().click();
    await until(height).toBeLessThan(LINE * 2);
    await page.getByRole('region', { name: 'Events' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const openers = page.getByRole('button', { name: 'Show in full' });
    await until(() => openers.first().getAttribute('aria-expanded')).toBe('true');
    expect(await height()).toBeGreaterThan(LINE * 2);
    expect(await openers.nth(1).getAttribute('aria-expanded')).toBe('false');
  });

  it('`[` and `]` lead to the jobs above and below in the list, whose job is shown at once, and back leads to the list.', async () => {
    let answer = () => {};
    const { page } = await openStudio('#/jobs', {
      arrange: opened => {
        opened.jobs = ['first', 'second', 'third'].map((name, index) =>
          sampleJob({ id: `0000000${index}-0000-4000-8000-000000000000`, name, status: 'queued' }),
        );
        opened.slowness.getJob = new Promise<void>(resolve => {
          answer = resolve;
        });
      },
    });
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('link', { name: 'first' }).click();
    await heading('first');
    expect(await page.locator('h1 + .badge').textContent()).toBe('queued');
    answer();
    await page.keyboard.press(']');
    await heading('second');
    await page.getByRole('button', { name: 'Next job' }).click();
    await heading('third');
    await page.keyboard.press(']');
    await page.getByText('This is the last job.').waitFor();
    await page.keyboard.press('[');
    await heading('second');
    await page.goBack();
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
  });

  it('The log keeps the last 500 entries, follows the end unless one has scrolled up, and is saved with every event as it was sent.', async () => {
    const { page, events, logs, log, rows, fact } = await openJob();
    const box = page.getByRole('region', { name: 'Events' });
    const isAtEnd = async () => (await scrollOf(box)).toEnd < 2;
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    events.push('training.started', '{"zebra": 4.0}');
    logs(Array.from({ length: 700 }, (_, index) => index));
    const lastRow = async () => (await rows()).at(-1)?.[1];
    await until(lastRow).toBe('step=700 loss=699');
    const all = await rows();
    expect(all).toHaveLength(500);
    expect(all[0]).toEqual(['training.log', 'step=201 loss=200']);
    expect(await fact('Step')).toBe('700');
    await until(isAtEnd).toBe(true);
    expect(await jump.count()).toBe(0);
    await scrollToTop(box);
    await jump.waitFor();
    log({ step: 701 });
    await until(lastRow).toBe('step=701');
    expect((await scrollOf(box)).top).toBe(0);
    await jump.click();
    await until(isAtEnd).toBe(true);
    log({ step: 702 });
    await until(lastRow).toBe('step=702');
    await until(isAtEnd).toBe(true);

    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save NDJSON' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(`events-${JOB.id.slice(0, 8)}.ndjson`);
    const lines = readFileSync(await saved.path(), 'utf8').split('\n');
    expect([lines.length, lines[0], lines[600]]).toEqual([704, '{"zebra": 4.0}', '{"step":600,"loss":599}']);
  });

  it('The log shows times, one type, what is searched for, and how a run started in words.', async () => {
    const { page, events, log, rows } = await openJob();
    const raw = '{"totalSteps":4,"timestamp":"2026-03-01T10:00:00.000Z"}';
    const search = page.getByRole('searchbox', { name: 'Search events' });
    events.push('training.started', raw);
    log({ step: 1, loss: 2 });
    log({ step: 2, loss: 1 });
    await until(async () => (await rows()).map(([, message]) => message)).toEqual([
      raw,
      'step=1 loss=2',
      'step=2 loss=1',
    ]);
    await page.getByRole('button', { name: 'Words' }).click();
    await until(async () => (await rows())[0]).toEqual(['training.started', '4 steps']);
    await search.fill('STEP=2');
    await until(rows).toEqual([['training.log', 'step=2 loss=1']]);
    await search.fill('zebra');
    await page.getByText('No matches').waitFor();
    await search.fill('');
    await page.getByLabel('Type of event').selectOption('training.started');
    await until(async () => (await rows()).length).toBe(1);
    await page.getByRole('button', { name: 'Time' }).click();
    await until(() => page.locator('td.time').allTextContents()).toEqual([
      expect.stringMatching(/^\d\d:00:00$/),
    ]);
    await page.reload();
    await until(() => page.locator('td.time').count()).toBe(3);
  });

  it('Advanced reveals a card of statistics for each series, empty until it has values.', async () => {
    const { page, logs, log } = await openJob();
    const figures = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('dd').allTextContents();
    logs([5, 3, 1, 4, 2]);
    await page.locator('polyline').waitFor();
    expect(await figures('Training loss')).toEqual([]);
    await page.getByRole('button', { name: 'Advanced' }).click();
    const training = ['3 ± 1.963', '1.581', '2.5', '4.6', '4.8', '5'];
    await until(() => figures('Training loss')).toEqual(training);
    await page.getByText('No values yet').waitFor();
    expect(await figures('Eval loss')).toEqual([]);
    log({ step: 6, evalLoss: 0.5 });
    await until(async () => (await figures('Eval loss'))[0]).toBe('0.5');
    expect((await figures('Eval loss')).join()).not.toMatch(/NaN|Infinity/);
    await page.getByRole('button', { name: 'Advanced' }).click();
    await until(() => figures('Training loss')).toEqual([]);
  });

  it('A job that does not exist says so, and is not asked for again.', async () => {
    const { page } = await openStudio('#/jobs/00000000-0000-4000-8000-000000000000');
    await page.getByText('Couldn’t load this job').waitFor();
    await until(() => page.getByRole('alert').textContent()).toContain('There is nothing with the ID');
    // An event source that is closed does not connect again.
    await until(() => page.evaluate('inPage.sources.map(source => source.readyState)')).toEqual([2]);
    await goTo(page, '#/jobs/..');
    await until(() => page.getByRole('alert').textContent()).toContain('".." is not a valid ID or name.');
  });
});
