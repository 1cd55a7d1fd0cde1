// Studio as its users have it, in a real browser: a run is started and watched through the death of the cloud, its
// adapter is chatted with, published and called by the samples that the page shows.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobEvent, JobSummary } from '../../lib/contract/index.js';
import { noteOf, styleOf } from '../browser/elements.js';
import { runProgram } from '../support/program.js';
import { openProjectClient } from '../support/project-client.js';
import { until } from '../support/until.js';
import { openRealStudio, type RealStudio, writeEntry } from './real-studio.js';
import { runCurl, runJavaScript, runPython } from './run-sample.js';

/** For a run that somebody cancels: it does not end before a browser has seen it, however slow. */
const ENDLESS = 1_000_000;
/** For a run to its end. */
const STEPS = 40;
const toEntry = (name: string, steps = STEPS) => `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: '${name}',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalFraction: 0.2,
  maxSteps: ${steps},
  evalSteps: 20,
  saveSteps: 20,
  batchSize: 4,
  learningRate: 2e-4,
});
export const service = createService({ trainer });
`;

let studio: RealStudio;

beforeAll(async () => {
  studio = await openRealStudio(toEntry('triage', ENDLESS));
});

afterAll(() => studio?.close());

// One story, in one page, on which each test goes on where the last one left it.
describe('Studio, with the local cloud', { shuffle: false }, () => {
  let job: JobSummary;
  const badge = () => studio.page.locator('h1 + .badge').textContent();
  /** Of the chart. */
  const vertices = async () => {
    const points = await studio.page.locator('polyline.training').getAttribute('points');
    return (points ?? '').split(' ').length;
  };

  it('runs training from Overview, as the project was when the page was loaded, and shows what the command prints', async () => {
    const { page, place, button, follow } = studio;
    const run = button('Run training: triage');
    await run.waitFor();
    await writeEntry(place, toEntry('edited'));
    await until(() => page.locator('header .identity').textContent()).toMatch(/^anonymous · [\w-]+ · /);
    await run.click();
    // The trainer runs below the priority of the tests beside it.
    await page
      .getByText(`Training svc/tiny-instruct: ${ENDLESS.toLocaleString('en')} steps`)
      .waitFor({ timeout: 45_000 });
    expect(await run.isDisabled()).toBe(true);
    await follow('Jobs');
    // Its log comes first, in pieces. Only a stream that is open can be interrupted.
    const stream = page.waitForResponse(response => response.url().includes('/events?'));
    await Promise.all([stream, follow('triage').isOn('triage')]);
  });

  it('shows status, chart and log live, through the death of the cloud, to the end, without a reload', async () => {
    const { page, place, cloudPid, card } = studio;
    const lastEvent = () => card('Events').locator('tbody tr').last().textContent();
    const interruption = page.getByText('Event stream interrupted.', { exact: true });
    /** More of the chart, and another event at the end of the log. */
    const showsMore = async () => {
      const [event, count] = [await lastEvent(), await vertices()];
      await until(lastEvent).not.toBe(event);
      await until(vertices).toBeGreaterThan(count);
    };
    await page.evaluate('window.isSamePage = true');
    await until(badge).toBe('running');
    await showsMore();

    expect(await interruption.count()).toBe(0);
    process.kill(await cloudPid(), 'SIGKILL');
    await interruption.waitFor();
    await until(() => interruption.count()).toBe(0);
    await showsMore();

    const [{ id }] = (await listJobs()) as [JobSummary];
    await runProgram(['jobs', 'cancel', id], place);
    await until(badge).toBe('cancelled');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(page.url()).toContain(`#/jobs/${id}`);
    const logged = (await readEvents(id)).filter(({ type }) => type === 'training.log');
    await until(vertices).toBe(logged.length);
  });

  it('picks an edit up when the page is loaded anew, and shows its run to the end', async () => {
    const { page, button, follow, reload } = studio;
    await follow('Overview');
    await reload();
    await button('Run training: edited').click();
    await page.getByText(`Training svc/tiny-instruct: ${STEPS} steps`).waitFor({ timeout: 45_000 });
    await follow('Jobs');
    await follow('edited').isOn('edited');
    await until(badge, { progress: vertices }).toBe('completed');
    await until(vertices).toBe(STEPS);
    job = (await listJobs())[0]!;
    expect(page.url()).toContain(`#/jobs/${job.id}`);
  });

  it('has the figures of the run’s own events: hovered, counted, and in the Advanced cards', async () => {
    const { page, card, press } = studio;
    const events = await readEvents(job.id);
    const shown = await card('Events').locator('tbody tr').count();
    expect(shown).toBe(events.filter(({ type }) => type !== 'end').length);
    const completed = events.find(event => event.type === 'training.completed')!;
    expect(await card('Metadata').locator('div', { hasText: 'Artifacts' }).locator('dd').textContent()).toBe(
      String(completed.artifacts.length),
    );

    const chart = page.getByRole('slider');
    await chart.focus();
    await page.keyboard.press('Home');
    const { x, y, width } = (await chart.boundingBox())!;
    await page.mouse.move(x + width / 2, y + 100);
    const step = Number(await chart.getAttribute('aria-valuenow'));
    const at = events.find(event => event.type === 'training.log' && event.step === step) as { loss: number };
    expect(await page.locator('.tooltip').textContent()).toContain(`Step ${step}`);
    expect(await page.locator('.tooltip').textContent()).toContain(String(Number(at.loss.toPrecision(4))));

    await press('Advanced');
    for (const [name, field] of [
      ['Training loss', 'loss'],
      ['Eval loss', 'evalLoss'],
    ] as const) {
      const values = events.flatMap(event => (event.type === 'training.log' ? (event[field] ?? []) : []));
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const figures = await card(name).locator('dd').allTextContents();
      expect(figures[0]).toContain(`${Number(mean.toPrecision(4))} ± `);
      expect(figures.at(-1)).toBe(String(values.length));
    }
  });

  it('chats with the base model and with the adapter', async () => {
    const { page, card, follow, keys } = studio;
    const conversation = card('Conversation');
    // Answers are drawn by chance: a model as small as this one may also say nothing, and then the page says so.
    const answers = conversation
      .locator('.text')
      .or(conversation.getByText('The model returned an empty answer.'));
    const ask = async (question: string) => {
      await page.getByLabel('Message').fill(question);
      await keys('Enter');
    };
    const expectAnswers = async (count: number) => {
      await until(() => conversation.innerText()).not.toMatch(/answering…|Loading the model|Comparing/);
      expect(await page.getByRole('alert').allTextContents()).toEqual([]);
      expect(await answers.count(), await conversation.innerText()).toBe(count);
    };
    await follow('Playground');
    await ask('Hello!');
    await conversation.getByText(/^Base model: /).waitFor();
    await expectAnswers(1);

    await page.getByLabel('Final adapter of a job').check();
    await page.getByLabel('Completed job').selectOption(job.id);
    await ask('The app closes by itself whenever I open the settings.');
    await conversation.getByText(`Final adapter (job ${job.id.slice(0, 8)})`).waitFor();
    await expectAnswers(2);
  });

  it('creates an endpoint, and keeps the form open with the cloud’s words when the slug is taken', async () => {
    const { page, dialog, follow, press, sees } = studio;
    const create = async (slug: string, jobId?: string) => {
      await dialog.getByLabel('Slug').fill(slug);
      await dialog.getByLabel('Target').selectOption(jobId ? 'final' : 'base_model');
      if (jobId) await dialog.getByLabel('Job ID').fill(jobId);
      await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    };
    await follow('Endpoints');
    await sees('No endpoints yet');
    await press('New endpoint');
    await create('triage', job.id);
    await page.getByRole('link', { name: /^triage\./ }).waitFor();
    await press('New endpoint');
    await create('triage');
    await until(() => noteOf(dialog.getByLabel('Slug'))).toMatch(/triage.*taken/);
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('triage');
    await create('plain');
    await page.getByRole('link', { name: /^plain\./ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('issues a key that is seen once, with which every sample and the copied call work', async () => {
    const { page, card, dialog, press, reload, clipboard } = studio;
    await page.getByRole('link', { name: /^triage\./ }).click();
    await card('API keys').getByRole('button', { name: 'Issue key' }).click();
    await page.getByLabel('Label').fill('samples');
    await dialog.getByRole('button', { name: 'Issue key' }).click();
    await press('Copy key');
    const plaintext = await clipboard();
    expect(await card('API keys').getByText(plaintext).count()).toBe(1);

    await expectSamplesToWork(text => text.replaceAll('<API_KEY>', plaintext));
    await press('Copy as cURL');
    expect(JSON.parse(await runCurl(await clipboard()))).toMatchObject({ object: 'chat.completion' });

    await reload();
    const label = card('API keys').getByText('samples', { exact: true });
    await label.waitFor();
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain(plaintext);
    expect(await runCurl(await sampleIn('cURL'))).toContain('invalid_api_key');

    await press('Revoke samples');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await until(() => styleOf(label, 'textDecorationLine')).toBe('line-through');
    const sample = (await sampleIn('cURL')).replace('<API_KEY>', plaintext);
    await until(() => runCurl(sample)).toContain('invalid_api_key');
  });

  it('opens the endpoint to all, and the samples work without a key', async () => {
    const { page, dialog, sees } = studio;
    await page.getByLabel('Auth mode').selectOption('none');
    await dialog.getByRole('button', { name: 'Make public' }).click();
    await sees('Public: anyone with the URL can call it.');
    await expectSamplesToWork(text => text);
  });

  it('Clicking again without a reload after an edit runs the old code.', async () => {
    const { page, place, follow, sees } = studio;
    const build = join(place.cwd, '.svc', 'build', 'index.mjs');
    const readBuild = async () => [(await stat(build)).mtimeMs, await readFile(build, 'utf8')];
    await follow('Overview');
    await page.getByText('completed', { exact: true }).first().waitFor();
    expect(await page.locator('header .identity').textContent()).toContain(' / ');
    expect(await page.getByRole('link', { name: 'Open job' }).getAttribute('href')).toBe(`#/jobs/${job.id}`);
    const run = page.getByRole('button', { name: 'Run training: edited', exact: true });
    await run.waitFor();
    const before = await readBuild();
    await writeEntry(place, toEntry('edited again'));
    await run.click();
    await until(async () => (await listJobs()).map(({ name }) => name)).toEqual([
      'edited',
      'edited',
      'triage',
    ]);
    await sees(/1 source changed since the last build: src\/svc\/index\.ts/);
    expect(await readBuild()).toEqual(before);
  });

  it('picks that edit up, too, when the page is loaded anew', async () => {
    const { reload, button, complaints } = studio;
    await reload();
    await button('Run training: edited again').waitFor();
    expect(complaints).toEqual([]);
  });

  async function listJobs(): Promise<JobSummary[]> {
    return (await (await openProjectClient(studio.place)).listJobs()).jobs;
  }

  async function readEvents(id: string): Promise<JobEvent[]> {
    const { stdout } = await runProgram(['jobs', 'logs', id, '--json'], studio.place);
    const lines = stdout.trim().split('\n');
    return lines.map(line => JSON.parse(line) as JobEvent);
  }

  async function sampleIn(language: string): Promise<string> {
    await studio.page.getByLabel('Language').selectOption({ label: language });
    return (await studio.card('Sample').locator('code').textContent())!;
  }

  /** Each as it stands in the page, but for what `finish` puts in. */
  async function expectSamplesToWork(finish: (sample: string) => string): Promise<void> {
    const { cwd } = studio.place;
    const answer = JSON.parse(await runCurl(finish(await sampleIn('cURL'))));
    expect(answer).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' } }],
    });
    expect(await runJavaScript(finish(await sampleIn('JavaScript')), cwd)).toMatch(/\S|^\n$/);
    const printed = await runPython(finish(await sampleIn('Python')), cwd);
    if (printed !== null) expect(printed).toMatch(/\n$/);
  }
});
