import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEMO_JOBS, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleJob } from '../../support/samples.js';
import { boxOf, scrollOf, scrollToTop, styleOf } from '../elements.js';
import { hold, openStudio, until } from '../harness.js';
import { JOB, openJob } from './open-job.js';

const START = '7b1c0d2e-0000-4000-8000-000000000002';

/** Of the log, in pixels. */
const LINE = 18;

it('Job detail follows a run by its events: status, progress, losses, log and artifacts, with the settings that differ first', async () => {
  const { page, studio, events, log, badge, rows, fact, card, clipboard } = await openJob('queued', {
    arrange: world => {
      const from = { kind: 'final', jobId: START, step: 400 };
      const config = { model: 'm', seed: 1, loraR: 16, from };
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
  const facts = await Promise.all(['Best loss', 'Speed', 'Rows', 'Artifacts'].map(fact));
  expect(facts).toEqual(['0.1235 at step 10', '412 tokens/s (last step)', '600', '–']);
  expect(await page.title()).toBe('50 % triage · svc Studio');
  expect(await page.getByRole('link', { name: 'Chat with it' }).count()).toBe(0);
  expect(await card('Settings').locator('dt').allTextContents()).toEqual(['loraR', 'model', 'seed', 'from']);
  const start = card('Metadata').getByRole('link', { name: '7b1c0d2e, step 400' });
  expect(await start.getAttribute('href')).toBe(`#/jobs/${START}`);
  expect(await card('Settings').locator('.custom').textContent()).toContain('not the default');

  events.push('training.completed', {
    artifacts: [{ name: 'final' }, { name: 'checkpoint-50' }],
    metrics: {},
  });
  await until(badge).toBe('completed');
  await until(() => fact('Final loss')).toBe('0.5 at step 20');
  await until(() => page.title()).toBe('✓ triage · svc Studio');
  expect(await fact('Artifacts')).toBe('2');
  expect(await rows()).toEqual([
    ['training.started', payload],
    ['training.log', 'step=10 loss=0.123456789'],
    ['training.log', 'step=20 loss=0.5'],
    ['training.completed', '2 artifacts'],
  ]);
  await page.getByRole('link', { name: 'Chat with it' }).waitFor();
  // No cancel button and no artifact browser.
  const controls = await page.locator('main').locator('button, a, input, textarea').allTextContents();
  const wanted = ['Edit', 'Chat with it', 'Publish', 'Rows', 'Advanced'];
  expect(controls.map(text => text.trim())).toEqual(expect.arrayContaining(wanted));
  expect(controls.join()).not.toMatch(/cancel|stop|artifact|checkpoint|download/i);
  // The card of a job with an adapter asks for its evaluations.
  const called = () => new Set(studio.calls.map(({ name }) => name).filter(name => name !== 'getCluster'));
  await until(() => [...called()].sort()).toEqual([
    'getIdentity',
    'getJob',
    'listEvaluations',
    'readJobLog',
    'streamJobEvents',
  ]);
  expect(await card('Metadata').locator('code').textContent()).toBe(JOB.id);
  await card('Metadata').getByRole('button', { name: 'Copy job ID' }).click();
  await until(clipboard).toBe(JOB.id);
});

it('Job detail: A failure has a red banner, its text and code set as such; on a phone the rows of the log open by click and by keyboard.', async () => {
  const { page, events, badge, keys } = await openJob();
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
  for (const key of ['Tab', 'ArrowUp', 'Enter']) await keys(key);
  const openers = page.getByRole('button', { name: 'Show in full' });
  await until(() => openers.first().getAttribute('aria-expanded')).toBe('true');
  expect(await height()).toBeGreaterThan(LINE * 2);
  expect(await openers.nth(1).getAttribute('aria-expanded')).toBe('false');
});

it('Job detail: `[` and `]` lead to the jobs above and below in the list, whose job is shown at once, and back leads to the list.', async () => {
  let answer = () => {};
  const { page, press, follow, keys, back } = await openStudio('#/jobs', {
    arrange: world => {
      const idOf = (index: number) => `0000000${index}-0000-4000-8000-000000000000`;
      world.jobs = ['first', 'second', 'third'].map((name, index) =>
        sampleJob({ id: idOf(index), name, status: 'queued' }),
      );
      answer = hold(world, 'getJob');
    },
  });
  await follow('first').isOn('first');
  expect(await page.locator('h1 + .badge').textContent()).toBe('queued');
  answer();
  await keys(']').isOn('second');
  await press('Next job').isOn('third');
  await keys(']').sees('This is the last job.');
  await keys('[').isOn('second');
  await back().isOn('Jobs');
});

it('Job detail: The log keeps the last 500 entries, follows the end unless one has scrolled up, and is saved with every event as it was sent.', async () => {
  const { page, events, logs, log, rows, messages, fact, card, button } = await openJob();
  const isAtEnd = async () => (await scrollOf(card('Events'))).toEnd < 2;
  const jump = button('Jump to latest');
  const last = async () => (await messages()).at(-1);
  events.push('training.started', '{"zebra": 4.0}');
  logs(Array.from({ length: 700 }, (_, index) => index));
  await until(last).toBe('step=700 loss=699');
  const all = await rows();
  expect([all.length, all[0]]).toEqual([500, ['training.log', 'step=201 loss=200']]);
  expect(await fact('Step')).toBe('700');
  await until(isAtEnd).toBe(true);
  expect(await jump.count()).toBe(0);
  await scrollToTop(card('Events'));
  await jump.waitFor();
  log({ step: 701 });
  await until(last).toBe('step=701');
  expect((await scrollOf(card('Events'))).top).toBe(0);
  await jump.click();
  await until(isAtEnd).toBe(true);
  log({ step: 702 });
  await until(last).toBe('step=702');
  await until(isAtEnd).toBe(true);

  const [saved] = await Promise.all([page.waitForEvent('download'), button('Save NDJSON').click()]);
  expect(saved.suggestedFilename()).toBe(`events-${JOB.id.slice(0, 8)}.ndjson`);
  const lines = readFileSync(await saved.path(), 'utf8').split('\n');
  expect([lines.length, lines[0], lines[600]]).toEqual([704, '{"zebra": 4.0}', '{"step":600,"loss":599}']);
});

it('Job detail: The log goes as far down as the facts beside it, and raw JSON breaks between its fields.', async () => {
  const { page, events, logs, rows, card } = await openJob('running', {
    viewport: { width: 1280, height: 800 },
    arrange: world => {
      world.jobs = [sampleJob({ status: 'running', note: 'A long note. '.repeat(200) })];
    },
  });
  const ids = { dataset: START, resumedFrom: START, jobId: START };
  events.push('training.started', { model: 'svc/tiny-instruct', ...ids, totalSteps: 300 });
  logs(Array.from({ length: 100 }, (_, step) => step));
  await until(async () => (await rows()).length).toBe(101);
  const bottom = async (selector: string) => (await boxOf(page.locator(selector))).bottom;
  await until(async () => (await bottom('.event-log')) - (await bottom('.side section:last-child'))).toBe(0);
  await until(async () => (await scrollOf(card('Events'))).toEnd < 2).toBe(true);
  const heights = '[...document.querySelectorAll(".part")].map(part => part.getBoundingClientRect().height)';
  const parts = await page.evaluate<number[]>(heights);
  expect(parts).toHaveLength(5);
  expect(Math.max(...parts)).toBeLessThan(20);
  await page.setViewportSize({ width: 390, height: 800 });
  await until(() => page.evaluate('innerWidth')).toBe(390);
  await until(async () => (await scrollOf(card('Events'))).toEnd < 2).toBe(true);
  expect((await bottom('.event-log')) < (await bottom('.side'))).toBe(true);
});

it('Job detail: The log shows times, one type, what is searched for, and how a run started in words.', async () => {
  const { page, events, log, rows, messages, press, sees, reload } = await openJob();
  const raw = '{"totalSteps":4,"timestamp":"2026-03-01T10:00:00.000Z"}';
  const search = page.getByRole('searchbox', { name: 'Search events' });
  events.push('training.started', raw);
  log({ step: 1, loss: 2 });
  log({ step: 2, loss: 1 });
  await until(messages).toEqual([raw, 'step=1 loss=2', 'step=2 loss=1']);
  await press('Words');
  await until(async () => (await rows())[0]).toEqual(['training.started', '4 steps']);
  await search.fill('STEP=2');
  await until(rows).toEqual([['training.log', 'step=2 loss=1']]);
  await search.fill('zebra');
  await sees('No matches');
  await search.fill('');
  await page.getByLabel('Type of event').selectOption('training.started');
  await until(async () => (await rows()).length).toBe(1);
  await press('Time');
  const times = () => page.locator('td.time').allTextContents();
  await until(times).toEqual([expect.stringMatching(/^\d\d:00:00$/)]);
  await reload();
  await until(async () => (await times()).length).toBe(3);
});

it('Job detail: Advanced reveals a card of statistics for each series, empty until it has values.', async () => {
  const { page, logs, log, card, press, sees } = await openJob();
  const figures = (name: string) => card(name).locator('dd').allTextContents();
  logs([5, 3, 1, 4, 2]);
  await page.locator('polyline').waitFor();
  expect(await figures('Training loss')).toEqual([]);
  await press('Advanced');
  await until(() => figures('Training loss')).toEqual(['3 ± 1.963', '1.581', '2.5', '4.6', '4.8', '5']);
  await sees('No values yet');
  expect(await figures('Eval loss')).toEqual([]);
  log({ step: 6, evalLoss: 0.5 });
  await until(async () => (await figures('Eval loss'))[0]).toBe('0.5');
  await press('Advanced');
  await until(() => figures('Training loss')).toEqual([]);
});

it('Job detail: A job that does not exist says so, and is not asked for again.', async () => {
  const { page, sees, visit } = await openStudio('#/jobs/00000000-0000-4000-8000-000000000000');
  await sees('Couldn’t load this job');
  await until(() => page.getByRole('alert').textContent()).toContain('There is nothing with the ID');
  // An event source that is closed does not connect again.
  await until(() => page.evaluate('inPage.sources.map(source => source.readyState)')).toEqual([2]);
  await visit('#/jobs/..');
  await until(() => page.getByRole('alert').textContent()).toContain('".." is not a valid ID or name.');
});

it('Job detail: Its rows open by a link, worst first, can be those whose loss rises, and say why there are none.', async () => {
  const hash = `#/jobs/${DEMO_JOBS.completed}`;
  const { page, world, sees, follow, press, visit, reload } = await openStudio(hash, { arrange: fillDemo });
  await follow('Rows').isOn('Rows learned worst');
  await sees('12 rows', 'Ticket 10: the invoice shows the wrong amount');
  const lasts = (await page.locator('tbody tr td:first-child').allInnerTexts()).map(Number);
  expect(lasts).toEqual(lasts.toSorted((a, b) => b - a));
  expect(await page.locator('tbody svg polyline').count()).toBe(12);
  await press('Loss rises').isOn('Rows whose loss rises').sees('2 rows');
  await until(() => page.locator('td.rising').allInnerTexts()).toEqual(['+0.400', '+0.400']);
  await page.getByRole('link', { name: /^Job / }).click();
  await page.getByRole('heading', { name: 'Metadata' }).waitFor();
  await visit(`${hash}/rows/999`).sees('This step has no recorded rows');
  world.failures.listJobRows = refusal(503, 'cloud_unreachable', 'The cloud is away.');
  await reload().sees('The cloud is away.');
});
