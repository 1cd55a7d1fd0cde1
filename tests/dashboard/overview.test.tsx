import { expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { deployment, fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';

const going = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };

it('shows what would be run, and that nothing was from here, whatever jobs there are', async () => {
  const dashboard = await openDashboard({ studio: fakeStudio({ jobs: [jobSummary()] }) });
  await dashboard.shows('Run training: triage', 'svc/tiny-instruct · 300 steps', 'No runs started here yet.');
});

it('counts one step as one', async () => {
  const trainer = { name: 'triage', model: 'svc/tiny-instruct', maxSteps: 1 };
  const dashboard = await openDashboard({ studio: fakeStudio({ manifest: { trainer } }) });
  await dashboard.shows('svc/tiny-instruct · 1 step ');
});

it('says which step is missing when there is no trainer, and starts nothing', async () => {
  const dashboard = await openDashboard({ studio: fakeStudio({ manifest: { trainer: null } }) });
  await dashboard.shows('No trainer is registered. Add a trainer and pass it to `createService`.');
  await dashboard.press('R');
  expect(dashboard.studio.count('startTraining')).toBe(0);
});

it('shows why the manifest could not be read, over several lines', async () => {
  const studio = fakeStudio();
  studio.fail(
    'getManifest',
    new ApiError('manifest_build_failed', 'index.ts:3:1: ERROR: zebra\n  at line 3'),
  );
  const dashboard = await openDashboard({ studio });
  await dashboard.shows("Couldn't read manifest: index.ts:3:1: ERROR: zebra", 'at line 3');
});

it('starts nothing while no trainer is known, and says why', async () => {
  const studio = fakeStudio();
  const release = studio.hold('getManifest');
  const dashboard = await openDashboard({ studio });
  await dashboard.press('R');
  await dashboard.shows('The trainer has not loaded yet.');
  studio.fail('getManifest', new ApiError('manifest_build_failed', 'zebra'));
  release();
  await dashboard.shows("Couldn't read manifest: zebra");
  await dashboard.press('R');
  expect(studio.count('startTraining')).toBe(0);
});

it('can run again after a run that failed', async () => {
  const studio = fakeStudio({ train: { ...going, running: false, exitCode: 3 } });
  const dashboard = await openDashboard({ studio });
  studio.printed.end();
  await dashboard.shows('exited with code 3', 'R run training');
  await dashboard.press('R');
  expect(studio.count('startTraining')).toBe(1);
});

it('says that it is loading only when it lasts', async () => {
  const studio = fakeStudio();
  const release = studio.hold('getManifest');
  const dashboard = await openDashboard({ studio });
  expect(dashboard.frame()).not.toContain('Loading');
  await dashboard.shows('Loading…');
  release();
  await dashboard.shows('Run training: triage');
});

it('reads the manifest once, and again when asked to', async () => {
  const dashboard = await openDashboard();
  await dashboard.press('2', '1');
  expect(dashboard.studio.count('getManifest')).toBe(1);
  await dashboard.press('r');
  expect(dashboard.studio.count('getManifest')).toBe(2);
});

it('runs training, shows what it prints and how it ends, and can run again', async () => {
  const dashboard = await openDashboard();
  const { studio } = dashboard;
  await dashboard.shows('Run training: triage');
  await dashboard.press('R', 'R');
  expect(studio.count('startTraining')).toBe(1);
  await dashboard.shows('Nothing printed yet.');
  studio.printed.give('\u001b[1;32mBuilding…\u001b[0m\n\u001b[32mstep 1\u001b[0m loss 2.5\rstep 2');
  await dashboard.shows('Building…', 'step 2 loss 2.5', '● running');
  expect(dashboard.styleOf('Building…')).toBe('bold green');
  studio.world.train = { running: false, startedAt: going.startedAt, jobId: JOB_ID, exitCode: 0 };
  studio.printed.end();
  await dashboard.shows('✓ completed', JOB_ID);
  await dashboard.press('R');
  expect(studio.count('startTraining')).toBe(2);
});

it('shows the exit code of a run that failed', async () => {
  const studio = fakeStudio({ train: { ...going, running: false, exitCode: 3 } });
  const dashboard = await openDashboard({ studio });
  await dashboard.shows('✗ exited with code 3');
});

it('follows a run that was started elsewhere, and starts none beside it', async () => {
  const studio = fakeStudio({ train: going });
  const dashboard = await openDashboard({ studio });
  studio.printed.give('step 1\nstep 2\n');
  await dashboard.shows('step 2', '● running', 'following the output');
  await dashboard.press('R');
  expect(studio.count('startTraining')).toBe(0);
  await dashboard.shows('A run is already in progress.');
});

it('follows a run that begins elsewhere within a second', async () => {
  const dashboard = await openDashboard();
  const { studio } = dashboard;
  await dashboard.shows('Run training');
  studio.world.train = going;
  studio.printed.give('from elsewhere\n');
  await dashboard.shows('from elsewhere', '● running');
});

it('starts no other run while the connection is away during one', async () => {
  const dashboard = await openDashboard();
  const { studio } = dashboard;
  await dashboard.shows('Run training');
  const away = new ApiError('studio_unreachable', 'Nobody answers.');
  studio.fail('getTrainStatus', away);
  await dashboard.press('R');
  await dashboard.shows('Nobody answers.', '● running');
  await dashboard.press('R');
  await dashboard.shows('A run is already in progress.');
  expect(studio.count('startTraining')).toBe(1);
});

it('follows the other one when Studio refuses a second run', async () => {
  const dashboard = await openDashboard();
  const { studio } = dashboard;
  await dashboard.shows('Run training');
  studio.fail('startTraining', new ApiError('train_in_flight', 'A run is still going.'));
  studio.world.train = going;
  await dashboard.press('R');
  studio.printed.give('from elsewhere\n');
  await dashboard.shows('from elsewhere');
});

it('says why a run could not be started', async () => {
  const dashboard = await openDashboard();
  await dashboard.shows('Run training');
  dashboard.studio.fail('startTraining', new ApiError('internal_error', 'No process could be started.'));
  await dashboard.press('R');
  await dashboard.shows('✗ No process could be started.');
});

it('scrolls with what comes, unless one scrolled up', async () => {
  const dashboard = await openDashboard({ studio: fakeStudio({ train: going }) });
  const { studio } = dashboard;
  studio.printed.give(Array.from({ length: 300 }, (_, n) => `line ${n}.\n`).join(''));
  await dashboard.shows('line 299.');
  await dashboard.press('g');
  await dashboard.shows('line 0.');
  studio.printed.give('line 300.\n');
  await dashboard.press('r');
  expect(dashboard.frame()).toContain('line 0.');
  expect(dashboard.frame()).toContain('Press G to follow.');
  await dashboard.press('G');
  await dashboard.shows('line 300.');
});

it('knows the job and the project of the run as soon as there are such', async () => {
  const studio = fakeStudio();
  studio.world.identity = { ...studio.world.identity, projectSlug: null };
  const dashboard = await openDashboard({ studio });
  await dashboard.shows('Run training');
  // Elsewhere nothing asks how the run stands, but what it prints.
  await dashboard.press('R', '4');
  studio.world.train = going;
  studio.world.identity = { ...studio.world.identity, projectSlug: 'fresh-9f' };
  studio.printed.give('Uploading…\n');
  await dashboard.shows('acme / fresh-9f');
  await dashboard.press('1');
  await dashboard.shows(`job ${JOB_ID}`, 'Enter open job');
});

it('opens the job of the run', async () => {
  const dashboard = await openDashboard({ studio: fakeStudio({ train: going }) });
  await dashboard.shows(JOB_ID);
  await dashboard.press('enter');
  expect(dashboard.studio.sources[0]?.path).toBe(`/api/jobs/${JOB_ID}/events?batch=1`);
});

it('comes here to run training from wherever one is', async () => {
  const dashboard = await openDashboard();
  await dashboard.shows('Run training');
  await dashboard.press('4', 'R');
  dashboard.studio.printed.give('it runs\n');
  await dashboard.shows('it runs');
});

it('starts nothing while the trainer is being read anew', async () => {
  const dashboard = await openDashboard();
  await dashboard.shows('Run training: triage');
  const release = dashboard.studio.hold('getManifest');
  await dashboard.press('r', 'R');
  expect(dashboard.studio.count('startTraining')).toBe(0);
  await dashboard.shows('Run training: triage', 'reloading the project…');
  release();
  await dashboard.hides('reloading the project…');
  await dashboard.press('R');
  expect(dashboard.studio.count('startTraining')).toBe(1);
});

it('says how to begin in a folder without a project, and copies the command', async () => {
  const studio = fakeStudio();
  studio.fail('getManifest', new ApiError('project_missing', 'There is no src/svc/index.ts.'));
  const dashboard = await openDashboard({ studio });
  await dashboard.shows('There is no project in this folder yet.', 'npx svc init');
  await dashboard.press('c');
  expect(dashboard.copied).toEqual(['npx svc init']);
  studio.fail('getManifest');
  await dashboard.press('r');
  await dashboard.shows('Run training: triage');
});

it('shows what goes on in the project, whoever began it, with the losses of what runs', async () => {
  const studio = fakeStudio({
    jobs: [
      jobSummary({ status: 'running', step: 140, totalSteps: 200, loss: 0.5 }),
      nthJob(2, { status: 'completed', name: 'earlier', bestLoss: 0.25 }),
      nthJob(3, { status: 'failed', name: 'broken', error: 'No rows.' }),
    ],
    deployments: [deployment({ slug: 'support' })],
  });
  const dashboard = await openDashboard({ studio, size: { columns: 120, rows: 40 } });
  await dashboard.shows(/running +triage +step 140 of 200 · loss 0.5/, /completed +earlier +best loss 0.25/);
  await dashboard.shows(
    /failed +broken +No rows\./,
    /endpoint +support +120 requests in the last hour, 3 failed/,
  );
  for (let step = 1; step <= 20; step++)
    studio.sources[0]!.send('training.log', { step, loss: 5 / step, timestamp: '2026-01-02T03:04:05.000Z' });
  await dashboard.shows(/█▄?▃?▂?.*▁/);
  await dashboard.press('2');
  expect(studio.sources[0]!.readyState).toBe(2);
});

it('has it all where there is little room', async () => {
  const data = { name: 'tickets.jsonl', bytes: 420_000 };
  const studio = fakeStudio({
    jobs: [jobSummary({ name: 'a'.repeat(30), status: 'running', step: 140, totalSteps: 200, loss: 0.5 })],
    deployments: [deployment({ slug: 'support' })],
    manifest: { trainer: { name: 'triage', model: 'svc/tiny-instruct', maxSteps: 200, data } },
  });
  const size = { columns: 60, rows: 20 };
  const near = await openDashboard({ studio, size });
  await near.shows(/│ svc\/tiny-instruct · endpoints at localhost:4100 +│/, 'step 140 of 200 · loss 0.5');
  await near.shows('120 requests in the last', 'tickets.jsonl (420 kB) │');
  const deploymentDomain = 'endpoints.of.the.example.com';
  const far = await openDashboard({
    studio: fakeStudio({ identity: { ...studio.world.identity, deploymentDomain } }),
    size,
  });
  await far.shows(/│ base model svc\/tiny-instruct +│/, `│ endpoints at ${deploymentDomain} `);
});

it('shows nothing of a project that has nothing', async () => {
  const dashboard = await openDashboard({ studio: fakeStudio() });
  await dashboard.shows('No runs started here yet.');
  await dashboard.hides('Project');
});
