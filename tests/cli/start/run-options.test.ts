// svc start with a name, tags, a note and settings for one run, and with a sweep.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openFakeTeacher } from '../../support/fake-teacher.js';
import { until } from '../../support/until.js';
import { completed, ended, failed, started } from '../support/job-events.js';
import { entryOf, failure, projectOfEach } from '../support/project.js';

let onUpload: () => unknown;
const project = projectOfEach({
  entry: entryOf(),
  routes: {
    async uploadDataset() {
      await onUpload();
      return { dataset: { id: 'data-1', sha256: '0'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' } };
    },
  },
});
const { svc, addJob, jobsHave, print } = project;
beforeEach(() => {
  onUpload = () => {};
  jobsHave(started(), completed(), ended());
});

it('gives the run a name, tags, a note and other settings, which the job keeps', async () => {
  const set = ['--set', 'learningRate=1e-3', '--set', 'lora.r=8', '--set', 'lrScheduler=cosine'];
  set.push('--set', 'maxGradNorm=0.5');
  const labels = ['--name', 'trial 1', '--tag', 'a', '--tag', 'b', '--note', 'why'];
  const { exitCode, stdout } = await svc(['start', ...set, ...labels]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Queued "trial 1", job');
  expect(project.cloud.jobs[0]!.job).toMatchObject({
    name: 'trial 1',
    trainer: 'triage',
    tags: ['a', 'b'],
    note: 'why',
    config: { learningRate: 0.001, loraR: 8, lrSchedulerType: 'cosine', maxGradNorm: 0.5 },
  });
});

describe('svc start --from', () => {
  const asked = () => project.cloud.jobs[0]!.job.config;
  const complete = () => {
    const { job, archives } = addJob({ id: '9e8d7c6b-0000-4000-8000-000000000001' });
    archives.final = new Uint8Array(1);
    return job.id;
  };

  it('goes on from an adapter: the newest, one of a job, or a checkpoint of it', async () => {
    const jobId = complete();
    const { exitCode, stdout } = await svc('start --from latest --set keepOptimizer=true');
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^Queued .*, from 9e8d7c6b, final\.$/m)]);
    expect(asked()).toMatchObject({ from: { kind: 'final', jobId }, keepOptimizer: true });
    await svc(`start --from ${jobId.slice(0, 8)}:checkpoint:20`);
    expect(asked()).toMatchObject({ from: { kind: 'checkpoint', jobId, step: 20 } });
    await svc(`start --set from=${jobId}`);
    expect(asked()).toMatchObject({ from: { kind: 'final', jobId } });
  });

  it('takes the object of a trainer, too', async () => {
    const jobId = complete();
    await project.writeEntry(entryOf({ options: `from: { job: '${jobId.slice(0, 8)}', step: 20 }` }));
    await svc('start');
    expect(asked()).toMatchObject({ from: { kind: 'checkpoint', jobId, step: 20 } });
  });

  it.each([
    ['base', 1, '`from` is "base", which is a base model.'],
    ['latest', 1, 'No job of this project has completed with an adapter yet.'],
    ['none', 1, 'There is no job or endpoint "none" in this project.'],
    ['a --set from=b', 2, '`from` cannot be given with both "--from" and "--set".'],
    ['latest --set keepOptimizer=true --set method.type=dpo', 2, 'must not be true with the method dpo'],
  ])('refuses %s, and uploads and queues nothing', async (given, exitCode, message) => {
    expect(await svc(`start --from ${given}`)).toMatchObject(failure(exitCode, message));
    expect([project.cloud.jobs, project.cloud.calls.filter(call => call.includes('datasets'))]).toEqual([
      [],
      [],
    ]);
  });
});

it.each([
  ['--set lernRate=1', 'There is no setting `lernRate`. Did you mean "learningRate"?'],
  ['--set numTrainEpochs=1', 'There is no setting `numTrainEpochs`. Did you mean "epochs"?'],
  ['--set learningRate=fast', '`learningRate` must be a number, not "fast".'],
  ['--set lora.r=0', '`lora.r` must be at least 1.'],
  ['--set maxGradNorm=0', '`maxGradNorm` must be more than 0.'],
  ['--set learningRate', 'must be NAME=VALUE, not "learningRate".'],
  [`--name ${'x'.repeat(101)}`, 'option "--name" must have at most 100 characters.'],
  ['--sweep lrSchedulerType=linear,cosine', 'Did you mean "lrScheduler"?'],
  ['--sweep lora.r', 'must be NAME=VALUE'],
  ['--sweep lora.r=8,big', '`lora.r` must be a number, not "big".'],
  ['--sweep lora.r=8,8', '`lora.r` has the value 8 twice.'],
  ['--sweep lora.r=8,16 --set lora.r=4', '`lora.r` cannot be both set and swept.'],
  ['--sweep lora.r=8,16 --sweep lora.r=4', '`lora.r` is there twice.'],
])('refuses %s, and queues nothing', async (options, message) => {
  expect(await svc(`start ${options}`)).toMatchObject(failure(2, message));
  expect(project.cloud.jobs).toEqual([]);
});

it.each([
  ['--set evalSteps=10', true],
  ['--sweep evalSteps=10,20', true],
  ['--set evalSteps=10 --set evalFraction=0.5', false],
  ['--set evalSteps=10 --sweep evalFraction=0.1,0.2', false],
  ['--set saveSteps=10', false],
])('says if nothing is evaluated with %s: %j', async (options, isTold) => {
  const { exitCode, stdout } = await svc(`start ${options}`);
  expect(exitCode).toBe(0);
  const warning = '! `evalSteps` has no effect without `evalDataset` or `evalFraction`.\n';
  expect(stdout.includes(warning)).toBe(isTold);
});

describe('svc start with a sweep', () => {
  it('cancels what is queued when it is interrupted before all runs are', async () => {
    const call = project.start('start --sweep seed=1,2,3');
    project.cloud.onJob = () => call.signal('SIGINT');
    const { exitCode, stdout } = await call.done;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('Canceling the runs that were queued. Press Ctrl-C again to leave them.');
    expect(project.cloud.jobs.map(({ job }) => job.status)).toEqual(['cancelled']);
  });

  it.each([
    ['stays unanswered', () => new Promise<void>(() => {})],
    ['is done', () => {}],
  ])('queues nothing when it is interrupted during its upload, which %s, and says so', async (_, answer) => {
    const call = project.start('start --sweep seed=1,2,3');
    onUpload = () => {
      call.signal('SIGINT');
      return answer();
    };
    const { exitCode, stdout } = await call.done;
    expect([exitCode, stdout]).toEqual([130, expect.stringMatching(/\nStopped\. No run was queued\.\n$/)]);
    expect(stdout).not.toContain('Canceling');
    expect(project.cloud.jobs).toEqual([]);
  });

  it('waits for the answers of a teacher that are under way when it is interrupted, and keeps them', async () => {
    const teacher = await openFakeTeacher();
    onTestFinished(() => teacher.close());
    let release = () => {};
    teacher.answer = async () => {
      await new Promise<void>(resolve => (release = resolve));
      return 'answer';
    };
    const asked = `teacher: { baseURL: '${teacher.url}', model: 'teacher' }, prompts: ['one', 'two']`;
    const dataset = `{ type: 'distilled', ${asked}, concurrency: 1 }`;
    await project.writeEntry(entryOf({ options: `dataset: ${dataset}` }));
    const call = project.start('start --sweep seed=1,2');
    await until(() => teacher.questions()).toEqual(['one']);
    call.signal('SIGINT');
    await call.shown('Waiting for the answers that are under way.');
    release();
    const { exitCode, stdout } = await call.done;
    expect([exitCode, stdout]).toEqual([
      130,
      expect.stringMatching(/\nStopped\. 1 of 2 answers are kept\. .*\n$/),
    ]);
    expect(stdout).not.toContain('Canceling');
    expect(project.cloud.jobs).toEqual([]);
  });

  const settingsOf = () =>
    project.cloud.jobs
      .toReversed()
      .map(({ job }) => job.group!.settings.map(({ name, value }) => `${name}=${value}`).join(' '));

  it('queues a job for each combination as a group, follows them, and names the best', async () => {
    let loss = 1;
    project.cloud.onJob = ({ job, events }) => {
      loss /= 2;
      Object.assign(job, { status: 'completed', loss });
      events.push(...[started(), completed(), ended()].map(event => ({ ...event, jobId: job.id })));
    };
    const { exitCode, stdout } = await svc(
      'start --sweep learningRate=1e-3,2e-3 --sweep lora.r=8,16 --set epochs=2 --name trial',
    );
    expect(exitCode).toBe(0);
    expect(settingsOf()).toEqual([
      'learningRate=0.001 lora.r=8',
      'learningRate=0.001 lora.r=16',
      'learningRate=0.002 lora.r=8',
      'learningRate=0.002 lora.r=16',
    ]);
    const jobs = project.cloud.jobs.map(({ job }) => job);
    expect(new Set(jobs.map(({ group }) => group!.id)).size).toBe(1);
    const config = { learningRate: 0.002, loraR: 16, numTrainEpochs: 2 };
    expect(jobs[0]).toMatchObject({ name: 'trial', trainer: 'triage', config });
    const group = jobs[0]!.group!.id.slice(0, 8);
    expect(stdout).toContain(`Queued 4 runs as the sweep ${group}.`);
    expect(stdout).toContain('Run 4 of 4: learningRate=0.002 lora.r=16');
    const best = 'Best: learningRate=0.002 lora.r=16, final loss 0.0625';
    expect(stdout).toContain(`${best} (job ${jobs[0]!.id.slice(0, 8)}).`);
    expect(stdout).toContain(`Compare: svc jobs list --group ${group}`);
    const listed = await print(`jobs list --group ${group}`);
    expect(listed).toMatch(/^Status +learningRate +lora.r +Final loss +ID\n/);
    expect(listed).toMatch(/0.002 +16 +0.0625 \* /);
    expect(listed).toContain(best);
  });

  it('names none as the best where the setting changes what the loss means', async () => {
    project.cloud.onJob = ({ job, events }) => {
      Object.assign(job, { status: 'completed', loss: 1 });
      events.push(...[started(), completed(), ended()].map(event => ({ ...event, jobId: job.id })));
    };
    const { stdout } = await svc('start --sweep softWeight=0,1');
    expect(stdout).toContain(
      '\nNo best run: softWeight changes what the loss means. Choose a score with bestBy.\nCompare: ',
    );
  });

  it("runs the sweep of the project's file, apart from what is set", async () => {
    await project.writeEntry(entryOf({ trainer: "sweep: [{ name: 'lora.r', values: [8, 16] }]" }));
    await svc('start --sweep seed=1,2');
    expect(settingsOf()).toEqual([
      'lora.r=8 seed=1',
      'lora.r=8 seed=2',
      'lora.r=16 seed=1',
      'lora.r=16 seed=2',
    ]);
    project.cloud.jobs.length = 0;
    await svc('start --set lora.r=32');
    expect(project.cloud.jobs.map(({ job }) => [job.group, job.config!.loraR])).toEqual([[null, 32]]);
  });

  it("ends with all of its runs canceled when the project's signal is aborted", async () => {
    project.cloud.onJob = ({ events }) => events.push(started());
    const abort = "onStarted: () => aborter.abort(new Error('enough'))";
    const options = `abortSignal: aborter.signal, callbacks: { ${abort} }`;
    await project.writeEntry(`const aborter = new AbortController();\n${entryOf({ options })}`);
    const { exitCode, stderr } = await svc('start --sweep seed=1,2,3');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('what was running or queued was canceled'),
    ]);
    expect(project.cloud.jobs.map(({ job }) => job.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('says what is left of it when a callback throws, and of that run', async () => {
    project.cloud.onJob = ({ events }) => events.push(started());
    await project.writeEntry(entryOf({ callbacks: "{ onStarted() { throw new Error('mine') } }" }));
    const { exitCode, stdout, stderr } = await svc('start --sweep seed=1,2,3');
    expect(exitCode).toBe(1);
    const { job } = project.cloud.jobs.at(-1)!;
    expect(stderr).toContain('A callback threw: mine\n');
    expect(stderr).toContain(`The job is still running. Check it with "svc jobs show ${job.id}".`);
    const group = job.group!.id.slice(0, 8);
    expect(stdout).toContain(
      `2 more runs of the sweep are queued. Cancel with "svc jobs cancel --group ${group}".\n`,
    );
  });

  it('says once what is left of it when no one reads the output anymore', async () => {
    project.cloud.onJob = ({ job, events }) =>
      events.push(started(), ...(job.group!.settings[0]!.value === 1 ? [completed(), ended()] : []));
    const call = project.start('start --sweep seed=1,2,3,4');
    await call.shown('Training', 2);
    call.closeOutput();
    const { exitCode, stderr } = await call.done;
    const [first, second] = project.cloud.jobs.toReversed().map(({ job }) => job.id.slice(0, 8));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^The output was closed\\. The job is still running\\. .*${second}.*\n2 more runs of the sweep are queued\\. .*\n$`,
      ),
    );
    expect(stderr).not.toContain(first);
  });

  it('fails if a run fails, and still runs the others', async () => {
    project.cloud.onJob = ({ job, events }) => {
      const isFirst = project.cloud.jobs.length === 1;
      job.status = isFirst ? 'failed' : 'completed';
      const outcome = isFirst ? [failed(), ended('failed')] : [started(), completed(), ended()];
      events.push(...outcome.map(event => ({ ...event, jobId: job.id })));
    };
    const { exitCode, stdout } = await svc('start --sweep seed=1,2');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Run 2 of 2: seed=2');
  });

  it('is cancelled as a group', async () => {
    await project.link();
    const group = { id: '10000000-0000-4000-8000-000000000000', settings: [{ name: 'seed', value: 1 }] };
    for (const [index, status] of (['queued', 'running', 'completed'] as const).entries())
      addJob({ id: `a000000${index}-0000-4000-8000-000000000000`, status, group });
    addJob({ status: 'queued' });
    expect(await svc('jobs cancel --group 1000')).toEqual({
      exitCode: 0,
      stdout: 'Canceled 2 runs of the sweep 10000000.\n',
      stderr: '',
    });
    const statuses = project.cloud.jobs.map(({ job }) => job.status);
    expect(statuses).toEqual(['cancelled', 'cancelled', 'completed', 'queued']);
    expect(await print('jobs cancel --group 1000')).toContain('nothing was changed');
    expect((await svc('jobs cancel --group 2000')).stderr).toContain('There is no sweep "2000"');
  });
});
