// svc start with a name, tags, a note and settings for one run.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleJob } from '../../support/samples.js';
import { completed, ended, failed, started } from '../support/job-events.js';
import { callCli } from '../support/terminal.js';

/** As `createService` makes it, so that the folder needs no package. */
const ENTRY = `
  const options = { name: 'triage', dataset: { type: 'rows', rows: [{ text: 'a' }] } };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  await project.write('src/svc/index.ts', ENTRY);
  cloud.onJob = ({ job, events }) =>
    events.push(...[started(), completed(), ended()].map(event => ({ ...event, jobId: job.id })));
});
afterEach(() => project.close());

/** Varies what the project's file says. */
const SWEEPING = ENTRY.replace('start() {} }', "start() {}, sweep: [{ name: 'lora.r', values: [8, 16] }] }");

const svc = (argv: string[]) => callCli(argv, { cwd: project.cwd, env: { ...project.env, NO_COLOR: '1' } });

describe('svc start', () => {
  it('gives the run a name, tags, a note and other settings, which the job keeps', async () => {
    const set = ['--set', 'learningRate=1e-3', '--set', 'lora.r=8', '--set', 'lrScheduler=cosine'];
    const labels = ['--name', 'trial 1', '--tag', 'a', '--tag', 'b', '--note', 'why'];
    const { exitCode, stdout } = await svc(['start', ...set, ...labels]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Queued "trial 1", job');
    expect(cloud.jobs[0]!.job).toMatchObject({
      name: 'trial 1',
      trainer: 'triage',
      tags: ['a', 'b'],
      note: 'why',
      config: { learningRate: 0.001, loraR: 8, lrSchedulerType: 'cosine' },
    });
  });

  it.each([
    [['--set', 'lernRate=1'], 'There is no setting `lernRate`. Did you mean "learningRate"?'],
    [['--set', 'numTrainEpochs=1'], 'There is no setting `numTrainEpochs`. Did you mean "epochs"?'],
    [['--sweep', 'lrSchedulerType=linear,cosine'], 'Did you mean "lrScheduler"?'],
    [['--set', 'learningRate=fast'], '`learningRate` must be a number, not "fast".'],
    [['--set', 'lora.r=0'], '`lora.r` must be at least 1.'],
    [['--set', 'learningRate'], 'must be NAME=VALUE, not "learningRate".'],
    [['--name', 'x'.repeat(101)], 'option "--name" must have at most 100 characters.'],
  ])('refuses %j by name, and queues nothing', async (argv, message) => {
    const { exitCode, stderr } = await svc(['start', ...argv]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(cloud.jobs).toEqual([]);
  });
});

describe('svc start with `evalSteps`', () => {
  const warning = '! `evalSteps` has no effect without `evalDataset` or `evalFraction`.\n';
  it.each([
    [['--set', 'evalSteps=10'], true],
    [['--sweep', 'evalSteps=10,20'], true],
    [['--set', 'evalSteps=10', '--set', 'evalFraction=0.5'], false],
    [['--set', 'evalSteps=10', '--sweep', 'evalFraction=0.1,0.2'], false],
    [['--set', 'saveSteps=10'], false],
  ])('says if nothing is evaluated: %j', async (argv, isTold) => {
    const { exitCode, stdout } = await svc(['start', ...argv]);
    expect(exitCode).toBe(0);
    expect(stdout.includes(warning)).toBe(isTold);
  });
});

describe('svc start with a sweep', () => {
  const settingsOf = () =>
    cloud.jobs
      .toReversed()
      .map(({ job }) => job.group!.settings.map(({ name, value }) => `${name}=${value}`).join(' '));

  it('queues a job for each combination as a group, follows them, and names the best', async () => {
    let loss = 1;
    cloud.onJob = ({ job, events }) => {
      loss /= 2;
      Object.assign(job, { status: 'completed', loss });
      events.push(...[started(), completed(), ended()].map(event => ({ ...event, jobId: job.id })));
    };
    const { exitCode, stdout } = await svc([
      'start',
      ...['--sweep', 'learningRate=1e-3,2e-3', '--sweep', 'lora.r=8,16'],
      ...['--set', 'epochs=2', '--name', 'trial'],
    ]);
    expect(exitCode).toBe(0);
    expect(settingsOf()).toEqual([
      'learningRate=0.001 lora.r=8',
      'learningRate=0.001 lora.r=16',
      'learningRate=0.002 lora.r=8',
      'learningRate=0.002 lora.r=16',
    ]);
    const jobs = cloud.jobs.map(({ job }) => job);
    expect(new Set(jobs.map(({ group }) => group!.id)).size).toBe(1);
    expect(jobs[0]).toMatchObject({
      name: 'trial',
      trainer: 'triage',
      config: { learningRate: 0.002, loraR: 16, numTrainEpochs: 2 },
    });
    const group = jobs[0]!.group!.id.slice(0, 8);
    expect(stdout).toContain(`Queued 4 runs as the sweep ${group}.`);
    expect(stdout).toContain('Run 4 of 4: learningRate=0.002 lora.r=16');
    expect(stdout).toContain(
      `Best: learningRate=0.002 lora.r=16, final loss 0.0625 (job ${jobs[0]!.id.slice(0, 8)}).`,
    );
    expect(stdout).toContain(`Compare: svc jobs list --group ${group}`);
    const { stdout: listed } = await svc(['jobs', 'list', '--group', group]);
    expect(listed).toMatch(/^Status +learningRate +lora.r +Final loss +ID\n/);
    expect(listed).toMatch(/0.002 +16 +0.0625 \* /);
    expect(listed).toContain('Best: learningRate=0.002 lora.r=16, final loss 0.0625');
  });

  it("runs the sweep of the project's file, apart from what is set", async () => {
    await project.write('src/svc/index.ts', SWEEPING);
    await svc(['start', '--sweep', 'seed=1,2']);
    expect(settingsOf()).toEqual([
      'lora.r=8 seed=1',
      'lora.r=8 seed=2',
      'lora.r=16 seed=1',
      'lora.r=16 seed=2',
    ]);
    cloud.jobs.length = 0;
    await svc(['start', '--set', 'lora.r=32']);
    expect(cloud.jobs.map(({ job }) => [job.group, job.config!.loraR])).toEqual([[null, 32]]);
  });

  it('fails if a run fails, and still runs the others', async () => {
    cloud.onJob = ({ job, events }) => {
      const isFirst = cloud.jobs.length === 1;
      Object.assign(job, { status: isFirst ? 'failed' : 'completed' });
      const outcome = isFirst ? [failed(), ended('failed')] : [started(), completed(), ended()];
      events.push(...outcome.map(event => ({ ...event, jobId: job.id })));
    };
    const { exitCode, stdout } = await svc(['start', '--sweep', 'seed=1,2']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Run 2 of 2: seed=2');
  });

  it.each([
    [['--sweep', 'lora.r'], 'must be NAME=VALUE'],
    [['--sweep', 'lora.r=8,big'], '`lora.r` must be a number, not "big".'],
    [['--sweep', 'lora.r=8,8'], '`lora.r` has the value 8 twice.'],
    [['--sweep', 'lora.r=8,0'], '`lora.r` must be at least 1.'],
    [['--sweep', 'lora.r=8,16', '--set', 'lora.r=4'], '`lora.r` cannot be both set and swept.'],
    [['--sweep', 'lora.r=8,16', '--sweep', 'lora.r=4'], '`lora.r` is there twice.'],
    [['--sweep', `seed=${Array.from({ length: 65 }, (_, seed) => seed)}`], 'The sweep has 65 combinations'],
  ])('refuses %j, and queues nothing', async (argv, message) => {
    const { exitCode, stderr } = await svc(['start', ...argv]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(cloud.jobs).toEqual([]);
  });

  it('is cancelled as a group', async () => {
    cloud.onJob = () => {};
    const settings = [{ name: 'seed', value: 1 }];
    const group = { id: '10000000-0000-4000-8000-000000000000', settings };
    for (const [index, status] of (['queued', 'running', 'completed'] as const).entries())
      cloud.jobs.push({
        job: sampleJob({ id: `a000000${index}-0000-4000-8000-000000000000`, status, group }),
        events: [],
        archives: {},
      });
    cloud.jobs.push({ job: sampleJob({ status: 'queued' }), events: [], archives: {} });
    await project.link();
    const { exitCode, stdout } = await svc(['jobs', 'cancel', '--group', '1000']);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Cancelled 2 runs of the sweep 10000000.\n',
    });
    expect(cloud.jobs.map(({ job }) => job.status)).toEqual([
      'cancelled',
      'cancelled',
      'completed',
      'queued',
    ]);
    expect((await svc(['jobs', 'cancel', '--group', '1000'])).stdout).toContain('nothing was changed');
    expect((await svc(['jobs', 'cancel'])).exitCode).toBe(2);
    expect((await svc(['jobs', 'cancel', '--group', '2000'])).stderr).toContain('There is no sweep "2000"');
  });
});
