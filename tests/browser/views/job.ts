import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleJob } from '../../support/samples.js';
import { scrollOf, scrollToTop, styleOf } from '../elements.js';
import { openStudio, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

/** Of the log, in pixels. */
const LINE = 18;
const ARTIFACTS = [{ name: 'final' }, { name: 'checkpoint-50' }, { name: 'checkpoint-100' }];

describe('Job detail', () => {
  it('`training.started`: status becomes `running`; log message is the raw JSON payload', async () => {
    const { events, badge, rows } = await openJob('queued');
    await until(badge).toBe('queued');
    const payload = '{"totalSteps": 4, "zebra":"<b>", "model":"m"}';
    events.push('training.started', payload);
    await until(badge).toBe('running');
    expect(await rows()).toEqual([['training.started', payload]]);
  });

  it('`training.completed`: status becomes `completed`; log message `<n> artifact[s]`; count shown in the Artifacts row', async () => {
    const { page, events, badge, rows, fact } = await openJob();
    events.push('checkpoint.saved', { step: 50, artifacts: ARTIFACTS });
    await until(rows).toEqual([['checkpoint.saved', 'step=50']]);
    expect(await fact('Artifacts')).toBe('–');
    events.push('training.completed', { artifacts: ARTIFACTS.slice(0, 1), metrics: {} });
    await until(badge).toBe('completed');
    events.push('training.completed', { artifacts: ARTIFACTS, metrics: {} });
    await until(() => fact('Artifacts')).toBe('3');
    expect((await rows()).map(([, message]) => message)).toEqual(['step=50', '1 artifact', '3 artifacts']);
    expect(await page.getByRole('heading', { name: 'Metadata' }).count()).toBe(1);
    expect(await page.getByText('checkpoint-100').count()).toBe(0);
  });

  it('`[` and `]` lead to the jobs above and below in the list, and back leads to the list.', async () => {
    const { page, studio } = await openStudio('#/jobs');
    studio.world.jobs = ['first', 'second', 'third'].map((name, index) =>
      sampleJob({ id: `0000000${index}-0000-4000-8000-000000000000`, name }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('link', { name: 'first' }).click();
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    await heading('first');
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

  it('The whole ID stands in the sidebar, to be copied into the form of an endpoint.', async () => {
    const { page } = await openJob();
    const sidebar = page.getByRole('region', { name: 'Metadata' });
    expect(await sidebar.locator('code').textContent()).toBe(JOB.id);
    await sidebar.getByRole('button', { name: 'Copy job ID' }).click();
    await until(() => page.evaluate('navigator.clipboard.readText()')).toBe(JOB.id);
  });

  it('`training.failed`: status becomes `failed`; log message is the payload’s error string; red banner with the same text', async () => {
    const { page, events, badge, rows } = await openJob();
    const error = '<b>x</b> & y';
    events.push('training.failed', { error });
    await until(badge).toBe('failed');
    expect(await rows()).toEqual([['training.failed', error]]);
    const banner = page.getByRole('alert').filter({ hasText: error });
    expect((await banner.textContent())?.trim()).toBe(error);
    expect(await styleOf(banner, 'color')).toBe('rgb(179, 38, 30)');
  });

  it('The status follows the events from any state.', async () => {
    const { page, events, badge } = await openJob('failed');
    for (const [event, status] of [
      ['training.completed', 'completed'],
      ['training.started', 'running'],
      ['training.failed', 'failed'],
      ['training.completed', 'completed'],
    ] as const) {
      events.push(event, { error: 'e', artifacts: [] });
      await until(badge).toBe(status);
      expect(await page.getByRole('alert').allTextContents()).toEqual(status === 'failed' ? ['e'] : []);
    }
  });

  it('The states `queued` and `cancelled` exist.', async () => {
    const { events, badge } = await openJob('queued');
    await until(badge).toBe('queued');
    events.push('end', { status: 'cancelled' });
    await until(badge).toBe('cancelled');
  });

  it('`training.log`: log message is `step=<n>` followed by ` loss=<value>` and/or ` evalLoss=<value>`', async () => {
    const { log, rows } = await openJob();
    log({ step: 3, loss: 0.123456789, evalLoss: 2 });
    log({ step: 4, loss: null });
    log({ step: 5, loss: 0 });
    log({ step: 6, loss: null, evalLoss: 1.5 });
    await until(rows).toEqual([
      ['training.log', 'step=3 loss=0.123456789 evalLoss=2'],
      ['training.log', 'step=4'],
      ['training.log', 'step=5 loss=0'],
      ['training.log', 'step=6 evalLoss=1.5'],
    ]);
  });

  it('Job detail event log retention: most recent 500 entries', async () => {
    const { page, logs, rows, fact } = await openJob();
    logs(Array.from({ length: 700 }, (_, index) => index));
    await until(async () => (await rows()).at(-1)?.[1]).toBe('step=700 loss=699');
    const all = await rows();
    expect(all).toHaveLength(500);
    expect(all[0]).toEqual(['training.log', 'step=201 loss=200']);
    expect(await fact('Step')).toBe('700');
    await page.getByRole('button', { name: 'Advanced' }).click();
    await until(() => page.locator('dl').filter({ hasText: 'Variance' }).first().textContent()).toContain(
      '700',
    );
  });

  it('The log follows the end unless one has scrolled up; then a pill jumps to the latest.', async () => {
    const { page, logs, log, rows } = await openJob();
    const box = page.getByRole('region', { name: 'Events' });
    const isAtEnd = async () => (await scrollOf(box)).toEnd < 2;
    logs(Array.from({ length: 60 }, (_, index) => index));
    await until(async () => (await rows()).length).toBe(60);
    expect(await isAtEnd()).toBe(true);
    expect(await page.getByRole('button', { name: 'Jump to latest' }).count()).toBe(0);
    await scrollToTop(box);
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    log({ step: 61 });
    await until(async () => (await rows()).length).toBe(61);
    expect((await scrollOf(box)).top).toBe(0);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await until(isAtEnd).toBe(true);
    log({ step: 62 });
    await until(async () => (await rows()).length).toBe(62);
    expect(await isAtEnd()).toBe(true);
  });

  it('Event names stay on one line where there is room; on a phone a row is two, the whole name and the message, until it is opened.', async () => {
    const { page, log } = await openJob();
    const cell = page.locator('td.message').first();
    const height = async () => (await cell.boundingBox())!.height;
    log({ step: 200, loss: 0.45922687938681983, evalLoss: 0.45922687938681983 });
    await cell.waitFor();
    expect(await height()).toBeLessThan(LINE * 2);
    expect(await page.locator('td.event').first().textContent()).toBe('training.log');
    await page.setViewportSize({ width: 360, height: 740 });
    await until(() => page.evaluate('innerWidth')).toBe(360);
    expect(await height()).toBeLessThan(LINE * 2);
    await cell.click();
    await until(height).toBeGreaterThan(LINE * 2);
    await cell.click();
    await until(height).toBeLessThan(LINE * 2);
  });

  it('On a phone, the rows of the event log open by keyboard, and none loses its name.', async () => {
    const { page, events } = await openJob('failed', { viewport: { width: 390, height: 740 } });
    const messages = page.locator('td.message');
    events.push('training.failed', { error: 'The first row has no answer, so there is nothing to learn.' });
    events.push('training.failed', { error: 'The second row has no answer, so there is nothing to learn.' });
    await until(() => messages.count()).toBe(2);
    const name = page.locator('td.event').first();
    const fits =
      '(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector("td.event"))';
    expect(await page.evaluate<boolean>(fits)).toBe(true);
    expect((await name.boundingBox())!.y).toBeLessThan((await messages.first().boundingBox())!.y);
    await page.getByRole('region', { name: 'Events' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const openers = page.getByRole('button', { name: 'Show in full' });
    await until(() => openers.first().getAttribute('aria-expanded')).toBe('true');
    expect((await messages.first().boundingBox())!.height).toBeGreaterThan(LINE * 2);
    expect(await openers.nth(1).getAttribute('aria-expanded')).toBe('false');
  });

  it('What an error sets in backticks is set as code.', async () => {
    const { page, events } = await openJob('failed');
    events.push('training.failed', { error: 'Not enough memory: a smaller `batchSize` <b>needs</b> less.' });
    const banner = page.getByRole('alert');
    await until(() => banner.locator('code').allTextContents()).toEqual(['batchSize']);
    expect((await banner.textContent())?.trim()).toBe(
      'Not enough memory: a smaller batchSize <b>needs</b> less.',
    );
  });

  it('The event log shows times, one type, what is searched for, and how a run started in words.', async () => {
    const { page, events, log, rows } = await openJob();
    events.push('training.started', { totalSteps: 4, timestamp: '2026-03-01T10:00:00.000Z' });
    log({ step: 1, loss: 2 });
    log({ step: 2, loss: 1 });
    const raw = '{"totalSteps":4,"timestamp":"2026-03-01T10:00:00.000Z"}';
    await until(async () => (await rows()).map(([, message]) => message)).toEqual([
      raw,
      'step=1 loss=2',
      'step=2 loss=1',
    ]);
    await page.getByRole('button', { name: 'Words' }).click();
    await until(async () => (await rows())[0]).toEqual(['training.started', '4 steps']);
    await page.getByRole('searchbox', { name: 'Search events' }).fill('STEP=2');
    await until(rows).toEqual([['training.log', 'step=2 loss=1']]);
    await page.getByRole('searchbox', { name: 'Search events' }).fill('zebra');
    await page.getByText('No matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search events' }).fill('');
    await page.getByLabel('Type of event').selectOption('training.started');
    await until(async () => (await rows()).length).toBe(1);
    await page.getByRole('button', { name: 'Time' }).click();
    await until(() => page.locator('td.time').allTextContents()).toEqual([
      expect.stringMatching(/^\d\d:00:00$/),
    ]);
    await page.reload();
    await until(() => page.locator('td.time').count()).toBe(3);
  });

  it('The event log is saved with every event as it was sent, a line each.', async () => {
    const { page, events, logs, rows } = await openJob();
    events.push('training.started', '{"totalSteps": 4.0}');
    logs(Array.from({ length: 600 }, (_, index) => index));
    await until(async () => (await rows()).at(-1)?.[1]).toBe('step=600 loss=599');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save NDJSON' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe(`events-${JOB.id.slice(0, 8)}.ndjson`);
    const lines = readFileSync(await saved.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(601);
    expect([lines[0], lines[600]]).toEqual(['{"totalSteps": 4.0}', '{"step":600,"loss":599}']);
  });

  it('The sidebar has the progress, the losses with their steps, and the settings that differ first.', async () => {
    const { page, events, log, fact } = await openJob('running', {
      arrange: world => {
        world.jobs = [
          sampleJob({ config: { model: 'm', seed: 1, loraR: 16 }, customSettings: ['loraR'] } as object),
        ];
      },
    });
    events.push('training.started', { totalSteps: 40, dataset: 'a.jsonl', rows: 600, weights: 'int8' });
    log({ step: 10, loss: 2, tokensPerSecond: 412.3 });
    log({ step: 20, loss: 0.5 });
    await until(() => fact('Loss')).toBe('0.5 at step 20');
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('0.5');
    expect(await fact('Best loss')).toBe('0.5 at step 20');
    expect(await fact('Speed')).toBe('412 tokens/s');
    expect(await fact('Rows')).toBe('600');
    const settings = page.getByRole('region', { name: 'Settings' });
    await until(() => settings.locator('dt').allTextContents()).toEqual(['loraR', 'model', 'seed']);
    expect(await settings.locator('.custom').textContent()).toContain('not the default');
    expect(await page.title()).toBe('50 % triage · svc Studio');
    events.push('training.completed', { artifacts: ARTIFACTS });
    await until(() => fact('Final loss')).toBe('0.5 at step 20');
    await until(() => page.title()).toBe('✓ triage · svc Studio');
  });

  it('An Advanced toggle reveals per-series statistics cards', async () => {
    const { page, logs } = await openJob();
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    logs([5, 3, 1, 4, 2]);
    await page.locator('polyline').waitFor();
    expect(await card('Training loss').count()).toBe(0);
    await page.getByRole('button', { name: 'Advanced' }).click();
    await until(() => card('Training loss').locator('dd').allTextContents()).toEqual([
      '3 ± 1.963',
      '1.581',
      '2.5',
      '4.6',
      '4.8',
      '5',
    ]);
    expect(await card('Eval loss').count()).toBe(1);
    await page.getByRole('button', { name: 'Advanced' }).click();
    await until(() => card('Training loss').count()).toBe(0);
  });

  it.each([
    [31, '16 ± 3.335'],
    [32, '16.5 ± 3.25'],
  ])(
    'mean with 95%% confidence half-width (Student’s t; z = 1.96 when n > 31): n = %i',
    async (count, mean) => {
      const { page, logs } = await openJob();
      logs(Array.from({ length: count }, (_, index) => index + 1));
      await page.getByRole('button', { name: 'Advanced' }).click();
      await until(() => page.locator('dd').filter({ hasText: '±' }).allTextContents()).toEqual([mean]);
    },
  );

  it('The eval card stays empty until an event with numeric `evalLoss` arrives.', async () => {
    const { page, log } = await openJob();
    const figures = page.getByRole('region', { name: 'Eval loss', exact: true }).locator('dd');
    log({ step: 1, loss: 1, evalLoss: null });
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByText('No values yet').waitFor();
    expect(await figures.count()).toBe(0);
    log({ step: 2, evalLoss: 0.5 });
    await until(() => figures.first().textContent()).toBe('0.5');
    expect((await figures.allTextContents()).join()).not.toMatch(/NaN|Infinity/);
  });

  it('Not offered: cancel button, artifact browser (only the count), mid-run inference.', async () => {
    const { page, studio, events } = await openJob();
    events.push('training.completed', { artifacts: ARTIFACTS });
    await page.getByText('3 artifacts').waitFor();
    const controls = await page.locator('main').locator('button, a, input, textarea').allTextContents();
    expect(controls.map(text => text.trim())).toEqual([
      'Jobs',
      // The jobs before and after it in the list.
      '‹',
      '›',
      'Edit',
      // Of the final adapter.
      'Chat with it',
      'Publish',
      'Rows',
      'Advanced',
      // The event log's: its search, and what saves it.
      '',
      'Time',
      'Words',
      'Save NDJSON',
      'Copy',
    ]);
    expect(new Set(studio.calls.map(({ name }) => name))).toEqual(
      new Set(['getIdentity', 'getJob', 'streamJobEvents']),
    );
  });

  it.each([
    ['00000000-0000-4000-8000-000000000000', 'There is nothing with the ID'],
    ['..', '".." is not a valid ID or name.'],
  ])('A job that does not exist says so, and is not asked for again: %s', async (id, message) => {
    const { page, studio } = await openStudio(`#/jobs/${id}`);
    await page.getByText('Couldn’t load this job').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain(message);
    const calls = studio.calls.length;
    await page.waitForTimeout(300);
    expect(studio.calls.length).toBe(calls);
  });

  it('What the list knows of a job is shown at once.', async () => {
    let answer = () => {};
    const { page } = await openStudio('#/jobs', {
      arrange: world => {
        world.jobs = [sampleJob({ status: 'queued' })];
        world.slowness.getJob = new Promise<void>(resolve => {
          answer = resolve;
        });
      },
    });
    await page.getByRole('link', { name: JOB.name }).click();
    await page.getByRole('heading', { name: JOB.name, level: 1 }).waitFor();
    expect(await page.locator('h1 + .badge').textContent()).toBe('queued');
    answer();
  });
});
