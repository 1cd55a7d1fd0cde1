import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { sampleModelFacts } from '../support/sample-overview.js';
import { until } from '../support/until.js';
import { deployment, fakeStudio, JOB_ID, jobSummary, nthJob } from './support/fake-studio.js';
import { openDashboard } from './support/open-dashboard.js';
import { WIDE } from './support/open-job.js';

const going = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };
const FAILED = { ...going, running: false, exitCode: 3 };

/** With the trainer in sight. */
async function open(part: Parameters<typeof fakeStudio>[0] = {}) {
  const dashboard = await openDashboard({ studio: fakeStudio(part) });
  await dashboard.shows('Run training: triage');
  return { ...dashboard, starts: () => dashboard.studio.count('startTraining') };
}

describe('what would be run', () => {
  it('is shown, and that nothing was from here, whatever jobs there are', async () => {
    const { shows } = await open({ jobs: [jobSummary()] });
    await shows('svc/tiny-instruct · 300 steps', 'No runs started here yet.');
    const trainer = { name: 'triage', model: 'svc/tiny-instruct', maxSteps: 1 };
    const once = await open({ manifest: { trainer } });
    await once.shows('svc/tiny-instruct · 1 step ').hides('Project');
  });

  it('says what the base model is, if the cloud tells', async () => {
    const { shows } = await open({ baseModel: sampleModelFacts });
    await shows('135 M parameters · BF16 · 272.6 MB · apache-2.0', 'temperature 0.7', 'fastest run');
  });

  it('is nothing without a trainer: which step is missing is said', async () => {
    const { press, studio, shows } = await openDashboard({
      studio: fakeStudio({ manifest: { trainer: null } }),
    });
    await shows(
      'No trainer is registered. Add a trainer and pass it to `createService`.',
      'Fix src/svc/index.ts, then press r.',
    );
    await press('R');
    expect(studio.count('startTraining')).toBe(0);
  });

  it('is not known while it loads, which is said when it lasts, nor where it could not be read, over several lines', async () => {
    const studio = fakeStudio();
    const release = studio.hold('getManifest');
    const { press, shows, frame } = await openDashboard({ studio });
    expect(frame()).not.toContain('Loading');
    await shows('Loading…');
    await press('R').shows('The trainer has not loaded yet.');
    const error = new ApiError('manifest_build_failed', 'index.ts:3:1: ERROR: zebra\n  at line 3');
    studio.fail('getManifest', error);
    release();
    await shows(
      "Couldn't read manifest: index.ts:3:1: ERROR: zebra",
      'at line 3',
      'Fix src/svc/index.ts, then press r.',
    );
    await press('R');
    expect(studio.count('startTraining')).toBe(0);
  });

  it('is read once, and again when asked to, and nothing is started meanwhile', async () => {
    const { press, studio, starts } = await open();
    await press('2', '1');
    expect(studio.count('getManifest')).toBe(1);
    const release = studio.hold('getManifest');
    await press('r', 'R').shows('Run training: triage', 'reloading the project…');
    expect([studio.count('getManifest'), starts()]).toEqual([2, 0]);
    release();
    await press('1').hides('reloading the project…');
    await press('R');
    expect(starts()).toBe(1);
  });

  it('is read again, without a build, when the project was built elsewhere', async () => {
    const { press, pass, studio, shows } = await open();
    await pass(2000);
    studio.world.manifest = { trainer: { name: 'proj-two', model: 'svc/tiny-instruct' } };
    studio.build();
    await shows('Run training: proj-two');
    await pass(3000);
    expect(studio.count('getManifest')).toBe(2);
    // What was built for this face is not read a second time.
    await press('r');
    await pass(3000);
    expect(studio.count('getManifest')).toBe(3);
  });

  it('is how to begin in a folder without a project, with a command to copy', async () => {
    const studio = fakeStudio();
    studio.fail('getManifest', new ApiError('project_missing', 'There is no src/svc/index.ts.'));
    const { press, shows, copied } = await openDashboard({ studio });
    await shows('There is no project in this folder yet.', 'npx svc init');
    await press('c');
    expect(copied).toEqual(['npx svc init']);
    studio.fail('getManifest');
    await press('r').shows('Run training: triage');
  });
});

describe('a run', () => {
  it('shows what it prints and how it ends, and can be followed by another', async () => {
    const { press, shows, studio, styleOf, starts } = await open();
    await press('R', 'R').shows('Nothing printed yet.');
    expect(starts()).toBe(1);
    studio.printed.give('\u001b[1;32mBuilding…\u001b[0m\n\u001b[32mstep 1\u001b[0m loss 2.5\rstep 2');
    await shows('Building…', 'step 2 loss 2.5', '● running');
    expect(styleOf('Building…')).toBe('bold green');
    studio.world.train = { ...going, running: false, exitCode: 0 };
    studio.printed.end();
    await shows('✓ completed', JOB_ID);
    await press('R');
    expect(starts()).toBe(2);
  });

  it('that failed shows its exit code, and can be tried again', async () => {
    const { press, studio, shows, starts } = await open({ train: FAILED });
    studio.printed.end();
    await shows('✗ exited with code 3', 'R run training');
    await press('R');
    expect(starts()).toBe(1);
  });

  it('that was started elsewhere is followed, also one that begins later, and none is started beside it', async () => {
    const { press, studio, shows, starts } = await open();
    studio.world.train = going;
    studio.printed.give('step 1\nstep 2\n');
    await shows('step 2', '● running', 'following the output');
    await press('R').shows('A run is already in progress.');
    expect(starts()).toBe(0);
  });

  it('is not joined by another one while the connection is away', async () => {
    const { press, studio, starts } = await open();
    studio.fail('getTrainStatus', new ApiError('studio_unreachable', 'Nobody answers.'));
    await press('R').shows('Nobody answers.', '● running');
    await press('R').shows('A run is already in progress.');
    expect(starts()).toBe(1);
  });

  it('that Studio refuses says why, and the one that it is refused for is followed', async () => {
    const { press, studio, shows } = await open();
    studio.fail('startTraining', new ApiError('internal_error', 'No process could be started.'));
    await press('R').shows('✗ No process could be started.');
    studio.fail('startTraining', new ApiError('train_in_flight', 'A run is still going.'));
    studio.world.train = going;
    await press('R');
    studio.printed.give('from elsewhere\n');
    await shows('from elsewhere');
  });

  it('that Studio refuses says so for as long as one looks, also after an earlier run', async () => {
    const { press, pass, studio, shows } = await open();
    await press('R');
    studio.printed.give('first run\n');
    studio.world.train = { ...going, running: false, exitCode: 0 };
    studio.printed.end();
    await shows('first run', '✓ completed');
    studio.fail('startTraining', new ApiError('internal_error', 'No process could be started.'));
    await press('R').shows('✗ No process could be started.');
    await pass(60_000).shows('✗ No process could be started.');
  });

  it('scrolls with what comes, unless one scrolled up', async () => {
    const { press, studio, shows } = await open({ train: going });
    studio.printed.give(Array.from({ length: 300 }, (_, n) => `line ${n}.\n`).join(''));
    await shows('line 299.');
    await press('g').shows('line 0.');
    studio.printed.give('line 300.\n');
    await press('r').shows('line 0.', 'Press G to follow.');
    await press('G').shows('line 300.');
  });

  it('tells its job and its project as soon as there are such, and leads to the job', async () => {
    const studio = fakeStudio();
    studio.world.identity = { ...studio.world.identity, projectSlug: null };
    const { press, shows } = await openDashboard({ studio });
    await shows('Run training');
    // Elsewhere nothing asks how the run stands, but what it prints.
    await press('R', '4');
    studio.world.train = going;
    studio.world.identity = { ...studio.world.identity, projectSlug: 'fresh-9f' };
    studio.printed.give('Uploading…\n');
    await shows('acme / fresh-9f');
    await press('1').shows(`job ${JOB_ID}`, 'Enter open job');
    await press('enter');
    expect(studio.sources[0]?.path).toBe(`/api/jobs/${JOB_ID}/events`);
  });

  it('is started here from wherever one is', async () => {
    const { press, studio, shows } = await open();
    await press('4', 'R');
    studio.printed.give('it runs\n');
    await shows('it runs');
  });
});

it('what goes on in the project is shown, whoever began it, with the losses of what runs', async () => {
  const studio = fakeStudio({
    jobs: [
      jobSummary({ status: 'running', step: 140, totalSteps: 200, loss: 0.5 }),
      nthJob(2, { status: 'completed', name: 'earlier', bestLoss: 0.25 }),
      nthJob(3, { status: 'failed', name: 'broken', error: 'No rows.' }),
    ],
    deployments: [deployment({ slug: 'helpdesk' })],
  });
  const { shows, press, pass } = await openDashboard({ studio, size: WIDE });
  await shows(/running +triage +step 140 of 200 · loss 0.5/, /completed +earlier +best loss 0.25/);
  await shows(/failed +broken +No rows\./, /endpoint +helpdesk +120 requests in the last hour, 3 failed/);
  for (let step = 1; step <= 20; step++)
    studio.sources[0]!.send('training.log', { step, loss: 5 / step, timestamp: '2026-01-02T03:04:05.000Z' });
  await shows(/█▄?▃?▂?.*▁/);
  await press('2');
  expect(studio.sources[0]!.readyState).toBe(2);
  // Back there, it goes on with what came meanwhile.
  await press('1');
  await until(() => studio.sources.map(({ path }) => path)).toEqual([
    `/api/jobs/${JOB_ID}/events`,
    `/api/jobs/${JOB_ID}/events?after=20`,
  ]);
  await shows(/█▄?▃?▂?.*▁/);
  // Another run begins where nothing of it is known.
  const next = nthJob(4, { status: 'running', name: 'next' });
  studio.world.jobs = [next];
  await pass(5000).shows('next').hides('▁');
  await until(() => studio.sources[2]?.path).toBe(`/api/jobs/${next.id}/events`);
});

it('what goes on in the project is there where there is little room', async () => {
  const data = { name: 'tickets.jsonl', bytes: 420_000 };
  const studio = fakeStudio({
    jobs: [jobSummary({ name: 'a'.repeat(30), status: 'running', step: 140, totalSteps: 200, loss: 0.5 })],
    deployments: [deployment({ slug: 'helpdesk' })],
    manifest: { trainer: { name: 'triage', model: 'svc/tiny-instruct', maxSteps: 200, data } },
  });
  const size = { columns: 60, rows: 20 };
  const near = await openDashboard({ studio, size });
  await near.shows(/│ svc\/tiny-instruct · endpoints at localhost:4100 +│/, 'step 140 of 200 · loss 0.5');
  await near.shows('120 requests in the last', 'tickets.jsonl (420 kB) │');
  const identity = { ...studio.world.identity, deploymentDomain: 'endpoints.of.the.example.com' };
  const far = await openDashboard({ studio: fakeStudio({ identity }), size });
  await far.shows(/│ base model svc\/tiny-instruct +│/, '│ endpoints at endpoints.of.the.example.com ');
});
