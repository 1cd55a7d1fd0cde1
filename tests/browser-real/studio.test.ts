// Studio as its users have it, in a real browser: a run is started and watched through the death of the cloud, its
// adapter is chatted with, published and called by the samples that the page shows.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, JobEvent } from '../../lib/contract/index.js';
import { noteOf, styleOf } from '../browser/elements.js';
import { askProgram, runProgram } from '../support/program.js';
import { until } from '../support/until.js';
import { expectedFigures, valuesOf } from './figures.js';
import { openRealStudio, type RealStudio, writeEntry } from './real-studio.js';
import { runCurl, runJavaScript, runPython } from './run-sample.js';

/** Enough to be watched by a browser, and more than 31, from where on the interval is the normal one. */
const STEPS = 80;
const toEntry = (name: string) => `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: '${name}',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  evalFraction: 0.2,
  maxSteps: ${STEPS},
  evalSteps: 20,
  saveSteps: 10,
  batchSize: 4,
  learningRate: 2e-3,
});
export const service = createService({ trainer });
`;

let studio: RealStudio;

beforeAll(async () => {
  studio = await openRealStudio(toEntry('triage'));
});

afterAll(() => studio?.close());

const card = (name: string) => studio.page.getByRole('region', { name, exact: true });
const goTo = (name: string) => studio.page.getByRole('link', { name, exact: true }).click();

// One story, in one page, on which each test goes on where the last one left it.
describe('Studio, with the local cloud', { shuffle: false }, () => {
  let job: Job;

  it('runs training from Overview, as the project was when the page was loaded, and shows what the command prints', async () => {
    const { page, place } = studio;
    await page.getByRole('button', { name: 'Run training: triage' }).waitFor();
    await writeEntry(place, toEntry('edited'));
    await until(() => page.locator('header .identity').textContent()).toMatch(/^anonymous · [\w-]+ · /);
    await page.getByRole('button', { name: 'Run training: triage' }).click();
    await card('Run output')
      .getByText(/Training svc\/tiny-instruct: 80 steps/)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Run training: triage' }).isDisabled()).toBe(true);
    await goTo('Jobs');
    await page.getByRole('link', { name: 'triage', exact: true }).click();
    await page.getByRole('heading', { name: 'triage', level: 1 }).waitFor();
  });

  it('shows status, chart and log live, through the death of the cloud, without a reload', async () => {
    const { page, cloudPid } = studio;
    const badge = () => page.locator('h1 + .badge').textContent();
    const rows = () => card('Events').locator('tbody tr').count();
    const vertices = async () =>
      ((await page.locator('polyline.training').getAttribute('points')) ?? '').split(' ').length;
    const interruption = page.getByText('Event stream interrupted.', { exact: true });
    await page.evaluate('window.isSamePage = true');
    await until(badge).toBe('running');
    const [earlyRows, earlyVertices] = [await rows(), await vertices()];
    await until(rows).toBeGreaterThan(earlyRows);
    await until(vertices).toBeGreaterThan(earlyVertices);

    expect(await interruption.count()).toBe(0);
    process.kill(await cloudPid(), 'SIGKILL');
    await interruption.waitFor();
    await until(() => interruption.count()).toBe(0);
    await until(badge, { progress: rows }).toBe('completed');
    expect(await page.evaluate('window.isSamePage')).toBe(true);

    job = (await listJobs())[0]!;
    expect(page.url()).toContain(`#/jobs/${job.id}`);
    expect(await vertices()).toBe(STEPS);
  });

  it('has the figures of the run’s own events: hovered, counted, and in the Advanced cards', async () => {
    const { page, place } = studio;
    const events = await readEvents();
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

    await page.getByRole('button', { name: 'Advanced' }).click();
    const figures = (name: string) => card(name).locator('dd').allTextContents();
    expect(await figures('Training loss')).toEqual(expectedFigures(valuesOf(events, 'loss')));
    expect(await figures('Eval loss')).toEqual(expectedFigures(valuesOf(events, 'evalLoss')));

    async function readEvents(): Promise<JobEvent[]> {
      const { stdout } = await runProgram(['jobs', 'logs', job.id, '--json'], place);
      return stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as JobEvent);
    }
  });

  it('chats with the base model and with the adapter', async () => {
    const { page } = studio;
    const conversation = card('Conversation');
    // Answers are drawn by chance: a model as small as this one may also say nothing, and then the page says so.
    const answers = conversation
      .locator('.text')
      .or(conversation.getByText('The model returned an empty answer.'));
    const ask = async (question: string) => {
      await page.getByLabel('Message').fill(question);
      await page.keyboard.press('Enter');
    };
    const expectAnswers = async (count: number) => {
      await until(() => conversation.innerText()).not.toContain('answering…');
      expect(await page.getByRole('alert').allTextContents()).toEqual([]);
      expect(await answers.count(), await conversation.innerText()).toBe(count);
    };
    await goTo('Playground');
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
    const { page } = studio;
    const dialog = page.getByRole('dialog');
    const create = async (slug: string, jobId?: string) => {
      await dialog.getByLabel('Slug').fill(slug);
      await dialog.getByLabel('Target').selectOption(jobId ? 'final' : 'base_model');
      if (jobId) await dialog.getByLabel('Job ID').fill(jobId);
      await dialog.getByRole('button', { name: 'Create endpoint' }).click();
    };
    await goTo('Endpoints');
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await create('triage', job.id);
    await page.getByRole('link', { name: /^triage\./ }).waitFor();
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await create('triage');
    await until(() => noteOf(dialog.getByLabel('Slug'))).toMatch(/triage.*taken/);
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('triage');
    await create('plain');
    await page.getByRole('link', { name: /^plain\./ }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('issues a key that is seen once, with which every sample and the copied call work', async () => {
    const { page } = studio;
    await page.getByRole('link', { name: /^triage\./ }).click();
    await card('API keys').getByRole('button', { name: 'Issue key' }).click();
    await page.getByLabel('Label').fill('samples');
    await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
    await page.getByRole('button', { name: 'Copy key' }).click();
    const plaintext = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(await card('API keys').getByText(plaintext).count()).toBe(1);

    await expectSamplesToWork(text => text.replaceAll('<API_KEY>', plaintext));
    await page.getByRole('button', { name: 'Copy as cURL' }).click();
    const call = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(await runCurl(call))).toMatchObject({ object: 'chat.completion' });

    await page.reload();
    await page.getByText('samples', { exact: true }).waitFor();
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain(plaintext);
    expect(await runCurl(await sampleIn('cURL'))).toContain('invalid_api_key');

    await page.getByRole('button', { name: 'Revoke samples' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    const struck = card('API keys').getByText('samples', { exact: true });
    await until(() => styleOf(struck, 'textDecorationLine')).toBe('line-through');
    const sample = (await sampleIn('cURL')).replace('<API_KEY>', plaintext);
    await until(() => runCurl(sample)).toContain('invalid_api_key');
  });

  it('opens the endpoint to all, and the samples work without a key', async () => {
    await studio.page.getByLabel('Auth mode').selectOption('none');
    await studio.page.getByRole('dialog').getByRole('button', { name: 'Make public' }).click();
    await studio.page.getByText('Public: anyone with the URL can call it.').waitFor();
    await expectSamplesToWork(text => text);
  });

  it('Clicking again without a reload after an edit runs the old code.', async () => {
    const { page, place } = studio;
    const build = join(place.cwd, '.svc', 'build', 'index.mjs');
    const readBuild = async () => [(await stat(build)).mtimeMs, await readFile(build, 'utf8')];
    await goTo('Overview');
    await page.getByText('completed', { exact: true }).first().waitFor();
    expect(await page.locator('header .identity').textContent()).toContain(' / ');
    expect(await page.getByRole('link', { name: 'Open job' }).getAttribute('href')).toBe(`#/jobs/${job.id}`);
    const run = page.getByRole('button', { name: 'Run training: edited', exact: true });
    await run.waitFor();
    const before = await readBuild();
    await writeEntry(place, toEntry('edited again'));
    await run.click();
    await until(async () => (await listJobs()).map(({ name }) => name)).toEqual(['edited', 'triage']);
    await card('Run output')
      .getByText(/1 source changed since the last build: src\/svc\/index\.ts/)
      .waitFor();
    expect(await readBuild()).toEqual(before);
  });

  it('picks an edit up when the page is loaded anew', async () => {
    await studio.page.reload();
    await studio.page.getByRole('button', { name: 'Run training: edited again' }).waitFor();
    expect(studio.complaints).toEqual([]);
  });

  async function listJobs(): Promise<Job[]> {
    return (await askProgram<{ jobs: Job[] }>(['jobs', 'list'], studio.place)).jobs;
  }

  async function sampleIn(language: string): Promise<string> {
    await studio.page.getByLabel('Language').selectOption({ label: language });
    return (await card('Sample').locator('code').textContent())!;
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
