import { expect, it } from 'vitest';
import { DEMO_JOBS, DEMO_STEP, fillDemo } from '../../support/fake-studio/demo.js';
import { refusal } from '../../support/fake-studio.js';
import { sampleModelFacts } from '../../support/sample-overview.js';
import { JOB_ID } from '../../support/samples.js';
import { scrollOf, scrollToTop } from '../elements.js';
import { hold, type OpenOptions, openStudio, pointsOf, setHidden, stopClock, until } from '../harness.js';

async function openOverview(options: OpenOptions = {}) {
  const opened = await openStudio('#/', options);
  const { page, button, card } = opened;
  const box = card('Run output');
  return {
    ...opened,
    box,
    run: button('Run training'),
    output: async () => (await box.textContent()) ?? '',
    isAtEnd: async () => (await scrollOf(box)).toEnd === 0,
    identity: () => page.locator('header .identity').textContent(),
  };
}

it('Overview: A card has what is known of the base model, if the cloud tells.', async () => {
  const { world, card, reload } = await openOverview();
  expect(await card('Base model').count()).toBe(0);
  world.baseModel = sampleModelFacts;
  await reload();
  await until(() => card('Base model').textContent()).toContain('135 M');
});

it('Run training (Overview): A click starts one run, whose box follows what the command prints, and a reload finds it again.', async () => {
  const { page, studio, world, run, box, output, isAtEnd, press, sees, reload } = await openOverview();
  await until(async () => (await run.textContent())?.trim()).toBe('Run training: triage');
  expect(await page.locator('main').locator('input, select, textarea, menu, [role=menu]').count()).toBe(0);
  await run.dblclick();
  await until(() => world.run.status.running).toBe(true);
  await until(output).toBe('Nothing printed yet.');
  const emoji = new TextEncoder().encode('👍 é');
  world.run.print('\u001b[1;32mgreen\u001b[0m\r\n10%\r20%\r100%\n');
  world.run.print(emoji.slice(0, 2));
  world.run.print(emoji.slice(2));
  await until(output).toBe('green\n100%\n👍 é');
  expect(await box.locator('.bold.green').allTextContents()).toEqual(['green']);
  for (let batch = 1; batch <= 3; batch++) {
    world.run.print(Array.from({ length: 100 }, (_, line) => `\nline ${batch}.${line}`).join(''));
    await until(output).toContain(`line ${batch}.99`);
    await until(isAtEnd).toBe(true);
  }
  // Who scrolled up stays there, and can jump to the latest.
  await scrollToTop(box);
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  world.run.print('\nprinted before');
  await until(output).toContain('printed before');
  expect((await scrollOf(box)).top).toBe(0);
  await press('Jump to latest');
  await until(isAtEnd).toBe(true);
  expect(await run.isDisabled()).toBe(true);

  await reload().sees('running');
  world.run.print('\nprinted after, no newline at the end');
  await until(output).toMatch(/^green(?:.|\n)*printed before\nprinted after, no newline at the end$/);
  expect(await run.isDisabled()).toBe(true);
  world.run.exit(1);
  await sees('exited with code 1');
  await until(() => run.isEnabled()).toBe(true);
  expect(studio.callsOf('startTraining').map(({ body }) => body)).toEqual([undefined]);
});

it('Run training (Overview): The button is disabled until a trainer has resolved, and the page says why it has not.', async () => {
  let answer = () => {};
  const { page, studio, world, run, sees, press, reload, clipboard } = await openOverview({
    arrange: opened => {
      answer = hold(opened, 'getManifest');
    },
  });
  await sees('Building the project…');
  expect(await run.isDisabled()).toBe(true);
  answer();
  await until(() => run.isEnabled()).toBe(true);

  const message = 'src/svc/index.ts:3:7: ERROR: Expected ";"\n    3 │ const a b\n      ╵         ^';
  const told = () => page.getByRole('alert').locator('p').textContent();
  world.failures.getManifest = refusal(400, 'manifest_build_failed', message);
  await reload();
  await until(told).toBe(`Couldn't read manifest: ${message}`);
  await sees('Fix src/svc/index.ts, then reload.');
  expect(await run.isDisabled()).toBe(true);

  world.failures.getManifest = refusal(500, 'internal_error', 'No.');
  await reload().sees('To try again, reload.');
  await until(told).toBe("Couldn't read manifest: No.");
  expect(await run.isDisabled()).toBe(true);

  world.failures.getManifest = refusal(400, 'project_missing', 'There is no src/svc/index.ts.');
  await reload().sees('There is no project in this folder yet.');
  expect(await page.getByRole('alert').count()).toBe(0);
  await press('Copy command');
  await until(clipboard).toBe('npx svc init');

  delete world.failures.getManifest;
  world.manifest = { trainer: null };
  await reload().sees('No trainer is registered. Add a trainer and pass it to `createService`.');
  await run.click({ force: true });
  expect(studio.callsOf('startTraining')).toEqual([]);
});

it('Run training (Overview): A project that was built elsewhere shows the trainer that a run would use, without a reload.', async () => {
  const { page, studio, world, run } = await openOverview({ prepare: stopClock });
  await until(() => run.isEnabled()).toBe(true);
  for (let asked = 0; asked < 2; asked = studio.callsOf('getTrainStatus').length)
    await page.clock.runFor(500);
  world.manifest = { trainer: { name: 'proj-two', model: 'svc/tiny-instruct' } };
  world.run.status = { ...world.run.status, builtAt: '2026-04-01T10:00:00.000Z' };
  // A poll is left out while the answer to the one before is on its way.
  await until(async () => {
    await page.clock.runFor(1000);
    return page.getByText('Run training: proj-two').count();
  }).toBe(1);
  expect(studio.callsOf('getManifest')).toHaveLength(2);
});

it('Run training (Overview): A start that is refused says why; one that comes too late is followed instead.', async () => {
  // Polling would find the other run before it is asked for here.
  const { page, world, run, output, sees } = await openOverview({ prepare: stopClock });
  world.failures.startTraining = refusal(500, 'internal_error', 'The run could not be started.');
  await run.click();
  await sees('The run could not be started.');
  delete world.failures.startTraining;
  await until(() => run.isEnabled()).toBe(true);
  world.run.begin();
  world.run.print('already going\n');
  await run.click();
  await until(output).toBe('already going\n');
  await until(() => page.getByRole('alert').count()).toBe(0);
});

it('Run training (Overview): A run goes on through a connection that is away and output that breaks off; the first makes the project; one from elsewhere is found.', async () => {
  const { page, studio, world, run, output, identity, sees, follow } = await openOverview({
    prepare: stopClock,
    arrange: opened => {
      opened.identity.projectSlug = null;
    },
  });
  await until(identity).toBe('anonymous · anon-4f2a · local');
  await run.click();
  await until(() => world.run.status.running).toBe(true);
  world.run.print('one\n');
  await until(output).toBe('one\n');
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
  expect(await run.isDisabled()).toBe(true);
  await page.getByText('running', { exact: true }).waitFor();
  delete world.failures.getTrainStatus;
  delete world.failures.streamTrainOutput;
  world.run.print('two\n');
  for (let wait = 0; wait < 20 && (await output()) !== 'one\ntwo\n'; wait++) await page.clock.runFor(500);
  await until(output).toBe('one\ntwo\n');
  world.run.exit(0);
  await sees('completed');
  await until(() => run.isEnabled()).toBe(true);

  await follow('Jobs').isOn('Jobs');
  world.run.begin();
  world.run.status = { ...world.run.status, startedAt: '2026-04-01T10:00:00.000Z', jobId: JOB_ID };
  await follow('Overview');
  await page.clock.runFor(1000);
  await until(output).toBe('Nothing printed yet.');
  world.run.print('started elsewhere\n');
  await until(output).toBe('started elsewhere\n');
  expect(await run.isDisabled()).toBe(true);
  expect(await page.getByRole('link', { name: 'Open job' }).getAttribute('href')).toBe(`#/jobs/${JOB_ID}`);
  expect(studio.callsOf('getManifest')).toHaveLength(1);
});

it('Run training (Overview): Its output is read while it is shown and the tab is visible, from the beginning each time; a browser allows six connections.', async () => {
  const { page, studio, world, run, output, follow } = await openOverview({
    prepare: opened => opened.clock.install(),
  });
  const [START, OUTPUT] = ['POST /api/train', 'GET /api/train/output'];
  const closed: string[] = [];
  page.on('requestfailed', request => {
    const called = `${request.method()} ${new URL(request.url()).pathname}`;
    if (called === START || called === OUTPUT) closed.push(called);
  });
  await run.click();
  await until(() => world.run.status.running).toBe(true);
  world.run.print('one\n');
  await until(output).toBe('one\n');
  const known = studio.callsOf('getTrainStatus').length;
  await until(() => studio.callsOf('getTrainStatus').length).toBeGreaterThan(known + 1);
  await follow('Jobs').isOn('Jobs');
  await until(() => closed).toEqual([START]);
  world.run.print('two\n');
  // What was there stays until it was read once more.
  const release = hold(world, 'streamTrainOutput');
  await follow('Overview');
  await until(() => studio.callsOf('streamTrainOutput').length).toBe(1);
  expect(await output()).toBe('one\n');
  release();
  await until(output).toBe('one\ntwo\n');

  await setHidden(page, true);
  await page.clock.fastForward(10_000);
  await until(() => closed).toEqual([START, OUTPUT]);
  world.run.print('three\n');
  const polls = studio.callsOf('getTrainStatus').length;
  await page.clock.fastForward(2000);
  await until(() => studio.callsOf('getTrainStatus').length).toBeGreaterThan(polls);
  expect([studio.callsOf('streamTrainOutput').length, await run.isDisabled()]).toEqual([1, true]);
  await setHidden(page, false);
  await until(output).toBe('one\ntwo\nthree\n');
  await follow('Jobs').isOn('Jobs');
  await until(() => closed).toEqual([START, OUTPUT, OUTPUT]);
  world.run.print('four');
  world.run.exit(1);
  await follow('Overview').sees('exited with code 1');
  await until(output).toBe('one\ntwo\nthree\nfour');
});

it('Run training (Overview): Beside it stand what runs with its losses, the last results, and the requests of endpoints', async () => {
  const { page, studio, world, card } = await openOverview({ arrange: fillDemo });
  await card('Under way').getByRole('link', { name: 'triage', exact: true }).waitFor();
  // They are read again and again, and hold no connection.
  const { open, push } = world.eventsOf(DEMO_JOBS.running);
  const points = async () => (await pointsOf(page, '.spark polyline.training')).length;
  await until(points).toBe(DEMO_STEP);
  push('training.log', { step: 150, loss: 0.05 });
  await until(points).toBe(DEMO_STEP + 1);
  expect(open()).toBe(0);
  await card('Last results').getByText('failed').waitFor();
  await card('Endpoints').getByText('120 requests in the last hour, 3 failed').waitFor();
  // The list of jobs is not asked for here.
  expect(studio.callsOf('listJobs')).toEqual([]);
});

it('Run training (Overview): Where the part of the page that shows output is gone, it says so, and asks for none.', async () => {
  const { studio, world, run, sees } = await openOverview({
    prepare: page => page.route('**/print-output-*.js', route => route.abort()),
  });
  const polls = () => studio.callsOf('getTrainStatus').length;
  await run.click();
  await until(() => world.run.status.running).toBe(true);
  await sees('A part of this page could not be loaded. Reload the page.');
  const before = polls();
  await until(polls).toBeGreaterThan(before + 1);
  expect(studio.callsOf('streamTrainOutput')).toEqual([]);
});
