import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { JOB_ID } from '../../support/samples.js';
import { scrollOf, scrollToTop } from '../elements.js';
import { openStudio, stopClock, until } from '../harness.js';

const run = (page: Page) => page.getByRole('button', { name: 'Run training' });
const box = (page: Page) => page.getByRole('region', { name: 'Run output' });
const toText = async (page: Page) => (await box(page).textContent()) ?? '';
const isAtEnd = async (page: Page) => (await scrollOf(box(page))).toEnd === 0;

describe('Run training (Overview)', () => {
  it('A click starts one run, whose box follows what the command prints, and a reload finds it again.', async () => {
    const { page, studio, world } = await openStudio('#/');
    await until(async () => (await run(page).textContent())?.trim()).toBe('Run training: triage');
    expect(await page.locator('main').locator('input, select, textarea, menu, [role=menu]').count()).toBe(0);
    await run(page).dblclick();
    await until(() => world.run.status.running).toBe(true);
    const emoji = new TextEncoder().encode('👍 é');
    world.run.print('\u001b[1;32mgreen\u001b[0m\r\n10%\r20%\r100%\n');
    world.run.print(emoji.slice(0, 2));
    world.run.print(emoji.slice(2));
    await until(() => toText(page)).toBe('green\n100%\n👍 é');
    expect(await box(page).locator('.bold.green').allTextContents()).toEqual(['green']);
    for (let batch = 1; batch <= 3; batch++) {
      world.run.print(Array.from({ length: 100 }, (_, line) => `\nline ${batch}.${line}`).join(''));
      await until(() => toText(page)).toContain(`line ${batch}.99`);
      await until(() => isAtEnd(page)).toBe(true);
    }
    // Who scrolled up stays there, and can jump to the latest.
    await scrollToTop(box(page));
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    world.run.print('\nprinted before');
    await until(() => toText(page)).toContain('printed before');
    expect((await scrollOf(box(page))).top).toBe(0);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await until(() => isAtEnd(page)).toBe(true);
    expect(await run(page).isDisabled()).toBe(true);

    await page.reload();
    await page.getByText('running').waitFor();
    world.run.print('\nprinted after, no newline at the end');
    await until(() => toText(page)).toMatch(
      /^green(?:.|\n)*printed before\nprinted after, no newline at the end$/,
    );
    expect(await run(page).isDisabled()).toBe(true);
    world.run.exit(1);
    await page.getByText('exited with code 1').waitFor();
    await until(() => run(page).isEnabled()).toBe(true);
    expect(studio.callsOf('startTraining').map(({ body }) => body)).toEqual([undefined]);
  });

  it('The button is disabled until a trainer has resolved, and the page says why it has not.', async () => {
    let answer = () => {};
    const { page, studio, world } = await openStudio('#/', {
      arrange: ({ slowness }) => {
        slowness.getManifest = new Promise<void>(resolve => {
          answer = resolve;
        });
      },
    });
    await page.getByText('Building the project…').waitFor();
    expect(await run(page).isDisabled()).toBe(true);
    answer();
    await until(() => run(page).isEnabled()).toBe(true);

    const message = 'src/svc/index.ts:3:7: ERROR: Expected ";"\n    3 │ const a b\n      ╵         ^';
    world.failures.getManifest = refusal(400, 'manifest_build_failed', message);
    await page.reload();
    await until(() => page.getByRole('alert').locator('p').textContent()).toBe(
      `Couldn't read manifest: ${message}`,
    );
    expect(await run(page).isDisabled()).toBe(true);

    world.failures.getManifest = refusal(400, 'project_missing', 'There is no src/svc/index.ts.');
    await page.reload();
    await page.getByText('There is no project in this folder yet.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Copy command' }).click();
    await until(() => page.evaluate('navigator.clipboard.readText()')).toBe('npx svc init');

    delete world.failures.getManifest;
    world.manifest = { trainer: null };
    await page.reload();
    await page.getByText('No trainer is registered. Add a trainer and pass it to `createService`.').waitFor();
    await run(page).click({ force: true });
    expect(studio.callsOf('startTraining')).toEqual([]);
  });

  it('A start that is refused says why; one that comes too late is followed instead.', async () => {
    const { page, world } = await openStudio('#/');
    world.failures.startTraining = refusal(500, 'internal_error', 'The run could not be started.');
    await run(page).click();
    await page.getByText('The run could not be started.').waitFor();
    delete world.failures.startTraining;
    await until(() => run(page).isEnabled()).toBe(true);
    world.run.begin();
    world.run.print('already going\n');
    await run(page).click();
    await until(() => toText(page)).toBe('already going\n');
    await until(() => page.getByRole('alert').count()).toBe(0);
  });

  it('A run goes on through a connection that is away and output that breaks off; the first makes the project; one from elsewhere is found.', async () => {
    const { page, studio, world } = await openStudio('#/', {
      prepare: stopClock,
      arrange: ({ identity }) => {
        identity.projectSlug = null;
      },
    });
    const identity = () => page.locator('header .identity').textContent();
    await until(identity).toBe('anonymous · anon-4f2a · local');
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    world.run.print('one\n');
    await until(() => toText(page)).toBe('one\n');
    world.identity.projectSlug = 'app-1f2e';
    world.run.status = { ...world.run.status, jobId: JOB_ID };
    await page.clock.runFor(1000);
    await until(identity).toContain('/ app-1f2e');

    const away = refusal(502, 'studio_unreachable', 'Nobody answers.');
    Object.assign(world.failures, { getTrainStatus: away, streamTrainOutput: away });
    world.run.cut();
    const before = studio.callsOf('getTrainStatus').length;
    for (let asked = 0; asked < 4; asked = studio.callsOf('getTrainStatus').length - before)
      await page.clock.runFor(500);
    expect(await run(page).isDisabled()).toBe(true);
    await page.getByText('running', { exact: true }).waitFor();
    delete world.failures.getTrainStatus;
    delete world.failures.streamTrainOutput;
    world.run.print('two\n');
    for (let wait = 0; wait < 20 && (await toText(page)) !== 'one\ntwo\n'; wait++)
      await page.clock.runFor(500);
    await until(() => toText(page)).toBe('one\ntwo\n');
    world.run.exit(0);
    await page.getByText('completed').waitFor();
    await until(() => run(page).isEnabled()).toBe(true);

    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    world.run.begin();
    world.run.print('started elsewhere\n');
    world.run.status = { ...world.run.status, startedAt: '2026-04-01T10:00:00.000Z', jobId: JOB_ID };
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.clock.runFor(1000);
    await until(() => toText(page)).toBe('started elsewhere\n');
    expect(await run(page).isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Open job' }).getAttribute('href')).toBe(`#/jobs/${JOB_ID}`);
    expect(studio.callsOf('getManifest')).toHaveLength(1);
  });

  it('Beside it stand what runs with its losses, the last results, and the requests of endpoints', async () => {
    const { page, studio } = await openStudio('#/', { arrange: fillDemo });
    const card = (name: string) => page.getByRole('region', { name });
    await card('Under way').getByRole('link', { name: 'triage', exact: true }).waitFor();
    await until(() => card('Under way').locator('polyline.training').getAttribute('points')).toContain(' ');
    await card('Last results').getByText('failed').waitFor();
    await card('Endpoints').getByText('120 requests in the last hour, 3 failed').waitFor();
    // The list of jobs is not asked for here.
    expect(studio.callsOf('listJobs')).toEqual([]);
  });
});
