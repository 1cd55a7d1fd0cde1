import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { JOB_ID } from '../../support/samples.js';
import { createEmulator } from '../../terminal/support/emulator.js';
import { scrollOf, scrollToTop } from '../elements.js';
import { openStudio, stopClock, until } from '../harness.js';

const run = (page: Page) => page.getByRole('button', { name: 'Run training' });
const box = (page: Page) => page.getByRole('region', { name: 'Run output' });
const toText = async (page: Page) => (await box(page).textContent()) ?? '';
const isAtEnd = async (page: Page) => (await scrollOf(box(page))).toEnd === 0;

describe('Run training (Overview)', () => {
  it('On load the view calls `GET /api/manifest` once.', async () => {
    const { page, studio, world } = await openStudio('#/', { prepare: stopClock });
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    await page.clock.runFor(60_000);
    world.run.exit(0);
    await page.getByText('completed').waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(studio.callsOf('getManifest')).toHaveLength(1);
  });

  it('Label of the action: `Run training: <trainer name>` when a trainer exists', async () => {
    const { page } = await openStudio('#/');
    await until(async () => (await run(page).textContent())?.trim()).toBe('Run training: triage');
    await until(() => run(page).isEnabled()).toBe(true);
  });

  it('a message that no trainer is registered (add a trainer and pass it to `createService`) when the build loaded but exposed none', async () => {
    const { page, studio } = await openStudio('#/', {
      arrange: world => {
        world.manifest = { trainer: null };
      },
    });
    await page.getByText('No trainer is registered. Add a trainer and pass it to `createService`.').waitFor();
    expect(await run(page).isDisabled()).toBe(true);
    await run(page).click({ force: true });
    expect(studio.callsOf('startTraining')).toEqual([]);
  });

  it('`Couldn’t read manifest: <error>` when the build failed.', async () => {
    const message = 'src/svc/index.ts:3:7: ERROR: Expected ";"\n    3 │ const a b\n      ╵         ^';
    const { page } = await openStudio('#/', {
      arrange: world => {
        world.failures.getManifest = refusal(400, 'manifest_build_failed', message);
      },
    });
    await until(() => page.getByRole('alert').locator('p').textContent()).toBe(
      `Couldn't read manifest: ${message}`,
    );
    expect(await run(page).isDisabled()).toBe(true);
  });

  it('The button is disabled while a run is in flight and while no trainer has resolved.', async () => {
    let answer = () => {};
    const { page, world } = await openStudio('#/', {
      arrange: opened => {
        opened.slowness.getManifest = new Promise<void>(resolve => {
          answer = resolve;
        });
      },
    });
    await page.getByText('Building the project…').waitFor();
    expect(await run(page).isDisabled()).toBe(true);
    answer();
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    expect(await run(page).isDisabled()).toBe(true);
    await page.reload();
    await until(async () => (await run(page).textContent())?.trim()).toBe('Run training: triage');
    await page.getByText('running').waitFor();
    expect(await run(page).isDisabled()).toBe(true);
    world.run.exit(1);
    await page.getByText('exited with code 1').waitFor();
    await until(() => run(page).isEnabled()).toBe(true);
  });

  it('Click sends `POST /api/train`.', async () => {
    const { page, studio } = await openStudio('#/');
    await run(page).dblclick();
    await until(() => studio.callsOf('startTraining').length).toBe(1);
    await page.waitForTimeout(200);
    expect(studio.callsOf('startTraining')).toEqual([
      { name: 'startTraining', method: 'POST', path: '/api/train', body: undefined },
    ]);
  });

  it('the log box auto-scrolls and shows what the command prints in a terminal.', async () => {
    const { page, world } = await openStudio('#/');
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    const emoji = new TextEncoder().encode('👍 é');
    world.run.print('\u001b[1;32mgreen\u001b[0m\r\n10%\r20%\r100%\n');
    world.run.print(emoji.slice(0, 2));
    world.run.print(emoji.slice(2));
    await until(() => toText(page)).toBe('green\n100%\n👍 é');
    expect(await box(page).locator('.bold.green').allTextContents()).toEqual(['green']);
    for (let batch = 1; batch <= 5; batch++) {
      world.run.print(Array.from({ length: 100 }, (_, line) => `\nline ${batch}.${line}`).join(''));
      await until(() => toText(page)).toContain(`line ${batch}.99`);
      expect(await isAtEnd(page)).toBe(true);
    }
    world.run.print('\nno newline at the end');
    world.run.exit(0);
    await until(() => toText(page)).toMatch(/no newline at the end$/);
  });

  it('The box has the very lines that a terminal would have.', async () => {
    const { page, world } = await openStudio('#/');
    const terminal = createEmulator({ columns: 80, rows: 24 });
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    for (const part of [
      'Queued "triage".\n',
      '\u001b[2m██░░░░\u001b[22m  step 10/40  loss 2.346  ETA 15 s',
      '\r\u001b[2Kstep 20  checkpoint saved\n\u001b[2m████░░\u001b[22m  step 20/40',
      '\r\u001b[2Kwhat a callback prints\r\nlong line\rshort\u001b[K\n\n',
      '\u001b[32m✔ completed\u001b[39m  in 10.0 s, no newline',
    ]) {
      terminal.write(part.replaceAll(/(?<!\r)\n/g, '\r\n'));
      world.run.print(part);
    }
    await until(terminal.text).toContain('no newline');
    await until(() => toText(page)).toBe(terminal.text().trimEnd());
    expect(await toText(page)).toContain('\nshort\n\n✔ completed');
  });

  it('Who scrolled up stays there, and can jump to the latest.', async () => {
    const { page, world } = await openStudio('#/');
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    world.run.print('line\n'.repeat(200));
    await until(() => toText(page)).toContain('line');
    await scrollToTop(box(page));
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    world.run.print('the last line\n');
    await until(() => toText(page)).toContain('the last line');
    expect((await scrollOf(box(page))).top).toBe(0);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await until(() => isAtEnd(page)).toBe(true);
  });

  it('There is no input for choosing the trainer or passing flags.', async () => {
    const { page } = await openStudio('#/');
    await run(page).waitFor();
    expect(await page.locator('main').locator('input, select, textarea, menu, [role=menu]').count()).toBe(0);
  });

  it('A reload finds the run again, from its beginning.', async () => {
    const { page, studio, world } = await openStudio('#/');
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    world.run.print('printed before\n');
    await page.reload();
    world.run.print('printed after\n');
    await until(() => toText(page)).toBe('printed before\nprinted after\n');
    expect(studio.callsOf('startTraining')).toHaveLength(1);
  });

  it('A run that the other face started is found, with the job that it follows.', async () => {
    const { page, world } = await openStudio('#/', { prepare: stopClock });
    await until(() => run(page).isEnabled()).toBe(true);
    world.run.begin();
    world.run.print('started elsewhere\n');
    world.run.status = { ...world.run.status, jobId: JOB_ID };
    await page.clock.runFor(1000);
    await until(() => toText(page)).toBe('started elsewhere\n');
    expect(await run(page).isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Open job' }).getAttribute('href')).toBe(`#/jobs/${JOB_ID}`);
  });

  it('The first run makes the project, and the header shows it.', async () => {
    const { page, world } = await openStudio('#/', {
      prepare: stopClock,
      arrange: opened => {
        opened.identity.projectSlug = null;
      },
    });
    await until(() => page.locator('header .identity').textContent()).toBe('anonymous · anon-4f2a · local');
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    world.identity.projectSlug = 'app-1f2e';
    world.run.status = { ...world.run.status, jobId: JOB_ID };
    await page.clock.runFor(1000);
    await until(() => page.locator('header .identity').textContent()).toContain('/ app-1f2e');
    world.run.exit(0);
  });

  it('A project that came to be elsewhere is in the header of any view, without a reload.', async () => {
    const { page, world } = await openStudio('#/jobs', {
      prepare: stopClock,
      arrange: opened => {
        opened.identity.projectSlug = null;
      },
    });
    await until(() => page.locator('header .identity').textContent()).toBe('anonymous · anon-4f2a · local');
    world.identity.projectSlug = 'app-1f2e';
    await page.clock.runFor(1000);
    await until(() => page.locator('header .identity').textContent()).toContain('/ app-1f2e');
  });

  it('The button stays disabled while the connection is away during a run.', async () => {
    const { page, studio, world } = await openStudio('#/', { prepare: stopClock });
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    world.run.print('one\n');
    await until(() => toText(page)).toBe('one\n');
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
    world.run.exit(0);
    for (let wait = 0; wait < 20 && (await run(page).isDisabled()); wait++) await page.clock.runFor(500);
    await until(() => run(page).isEnabled()).toBe(true);
    expect(await toText(page)).toBe('one\ntwo\n');
  });

  it('Output that breaks off while the run goes on is opened again.', async () => {
    const { page, world } = await openStudio('#/', { prepare: stopClock });
    await run(page).click();
    await until(() => world.run.status.running).toBe(true);
    world.run.print('one\n');
    await until(() => toText(page)).toBe('one\n');
    world.run.cut();
    world.run.print('two\n');
    // Sooner than the status is asked for again.
    for (let wait = 0; wait < 4000 && (await toText(page)) !== 'one\ntwo\n'; wait += 200) {
      await page.clock.runFor(200);
      await page.waitForTimeout(50);
    }
    expect(await toText(page)).toBe('one\ntwo\n');
    world.run.exit(0);
    await page.getByText('completed').waitFor();
  });

  it('A start that is refused says why; one that comes too late is followed instead.', async () => {
    const { page, world } = await openStudio('#/');
    world.failures.startTraining = refusal(500, 'internal_error', 'The run could not be started.');
    await run(page).click();
    await page.getByText('The run could not be started.').waitFor();
    world.failures.startTraining = refusal(500, 'internal_error', '');
    await run(page).click();
    await page.getByText('The request failed without giving a reason. Try again.').waitFor();
    delete world.failures.startTraining;
    await until(() => run(page).isEnabled()).toBe(true);
    world.run.begin();
    world.run.print('already going\n');
    await run(page).click();
    await until(() => toText(page)).toBe('already going\n');
    await until(() => page.getByRole('alert').count()).toBe(0);
  });
});

describe('Overview, beside what is specified', () => {
  it('shows how to begin in a folder without a project, instead of an error', async () => {
    const { page, studio } = await openStudio('#/', {
      arrange: world => {
        world.failures.getManifest = refusal(400, 'project_missing', 'There is no src/svc/index.ts.');
      },
    });
    await page.getByText('There is no project in this folder yet.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Copy command' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('npx svc init');
    expect(await run(page).isDisabled()).toBe(true);
    expect(studio.callsOf('startTraining')).toEqual([]);
  });

  it('shows what runs with its losses, the last results, and the requests of endpoints', async () => {
    const { page, studio } = await openStudio('#/', { arrange: fillDemo });
    const card = (name: string) => page.getByRole('region', { name });
    await card('Under way').getByRole('link', { name: 'triage', exact: true }).waitFor();
    await until(() => card('Under way').locator('polyline.training').getAttribute('points')).toContain(' ');
    await card('Last results').getByText('failed').waitFor();
    await card('Endpoints').getByText('120 requests in the last hour, 3 failed').waitFor();
    // The list of jobs is not asked for here.
    expect(studio.callsOf('listJobs')).toEqual([]);
    expect(await page.locator('main :is(input, select, textarea)').count()).toBe(0);
  });
});
