// svc jobs: the commands, against a cloud in memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import { sampleDeployment } from '../../support/samples.js';
import { until } from '../../support/until.js';
import { checkpoint, completed, ended, failed, log, started } from '../support/job-events.js';
import { makeTar } from '../support/make-tar.js';
import { failure, jsonLines, projectOfEach } from '../support/project.js';

const A = '1a2b3c4d-0000-4000-8000-000000000001';
const B = '1a2b3c4d-0000-4000-8000-000000000002';
const C = '9f000000-0000-4000-8000-000000000003';

const project = projectOfEach({ isLinked: true });
const { svc, json, start, atTerminal, addJob, print } = project;

describe('a folder without a project', () => {
  const bare = projectOfEach();

  it('has no jobs, and nobody is asked', async () => {
    const list = { exitCode: 0, stderr: '' };
    expect(await bare.svc('jobs list --json')).toEqual({ ...list, stdout: '{"jobs":[]}\n' });
    const stdout = 'No jobs yet. To start one, run "svc start".\n';
    expect(await bare.svc('jobs list')).toEqual({ ...list, stdout });
    for (const command of ['show', 'logs', 'wait', 'cancel', 'delete', 'download'])
      expect(await bare.svc(`jobs ${command} ${A}`)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr:
          'svc: This folder has no project yet, so it has no jobs.\n' +
          'Run "svc start" here to train, or go to your project\'s folder.\n',
      });
    expect(bare.cloud.calls).toEqual([]);
    expect(existsSync(bare.home)).toBe(false);
    expect(readdirSync(bare.cwd)).toEqual([]);
  });

  it('with a project but without an identity on this cloud, makes none, and says what to do there', async () => {
    const SVC_HOME = join(project.home, 'other');
    const { exitCode, stderr } = await svc('jobs list', { env: { SVC_HOME } });
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`you have no identity on the cloud ${project.cloud.url}`);
    expect(stderr).toContain('Run "svc login", or set SVC_CLOUD_URL');
    expect(await svc('jobs list', { env: { SVC_HOME, SVC_CLOUD_URL: '' } })).toMatchObject(
      failure(4, 'on the local cloud.\nSet SVC_CLOUD_URL to the cloud that the project belongs to.\n'),
    );
    expect(project.cloud.calls).toEqual([]);
  });
});

describe('svc jobs list', () => {
  it('is plain and whole where a program reads, and with --json what the API answers', async () => {
    addJob({ id: A, name: 'x'.repeat(100), step: 20, totalSteps: 40 });
    addJob({ id: C, name: 'queued one', status: 'queued' });
    const summaries = project.cloud.jobs.map(({ job: { config: _, ...summary } }) => summary);
    expect(await json('jobs list')).toEqual({ jobs: summaries });
    const lines = (await print('jobs list')).split('\n');
    expect(lines[0]).toMatch(/^Status +Name +Steps +Created +ID$/);
    expect(lines[1]).toBe(`✔ completed  ${'x'.repeat(100)}  20/40  2026-03-01T10:00:00.000Z  ${A}`);
    expect(lines[2]).toMatch(/^○ queued {5}queued one +– +2026-03-01T10:00:00.000Z {2}9f0/);
  });

  it('fits the terminal, which no name steers', async () => {
    addJob({ name: `evil\u001b]0;title\u0007\u001b[2J name ${'y'.repeat(100)}` });
    const { stdout } = await svc('jobs list', { isTTY: true, columns: 50 });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
    expect(stdout).toMatch(/evil name .*….* 1a2b3c4d\n/);
    expect(stdout).not.toContain('\u001b');
  });

  it('sends no token in the clear', async () => {
    const SVC_CLOUD_URL = project.cloud.url.replace('localhost', 'cloud.invalid');
    expect(await svc('jobs list', { env: { SVC_CLOUD_URL } })).toMatchObject({
      ...failure(1, 'must start with https://'),
      stdout: '',
    });
    expect(project.cloud.calls).toEqual([]);
  });

  it('exits with 4 when the cloud does not know us any more', async () => {
    const credentials = readFileSync(join(project.home, 'credentials.json'), 'utf8');
    await project.write('../home/credentials.json', credentials.replace('token-of-anna', 'stale'));
    const stderr = 'svc: The token is not known here: run svc login.\n';
    expect(await svc('jobs list --json')).toEqual({ exitCode: 4, stdout: '', stderr });
  });

  it('has the jobs of a status or with all of some tags, in another order, and the first ones', async () => {
    addJob({ id: A, name: 'one', tags: ['x', 'y'], loss: 0.5 });
    addJob({ id: B, name: 'two', tags: ['x'], loss: 0.25 });
    addJob({ id: C, name: 'three', status: 'failed' });
    const names = async (options: string) =>
      ((await json(`jobs list ${options}`)) as { jobs: Job[] }).jobs.map(({ name }) => name);
    expect(await names('--status failed')).toEqual(['three']);
    expect(await names('--tag x')).toEqual(['one', 'two']);
    expect(await names('--tag x --tag y')).toEqual(['one']);
    expect(await names('--sort loss')).toEqual(['two', 'one', 'three']);
    expect(await names('--sort name --limit 2')).toEqual(['one', 'three']);
    const stdout = await print('jobs list');
    expect(stdout).toMatch(/^Status +Name +Steps +Tags +Created +ID\n/);
    expect(stdout).toContain('x, y');
    expect(await print('jobs list --tag z')).toBe('No matches.\n');
  });

  it.each([
    ['duration', 'Duration', /one +– +10\.0 s .*\n.*two +– +– /],
    ['loss', 'Loss', /two +– +0\.25 .*\n.*one +– +0\.5 /],
    ['eval-loss', 'Eval loss', /one +– +0\.75 .*\n.*two +– +– /],
    ['best-loss', 'Best loss', /one +– +0\.5 .*\n.*two +– +– /],
    ['best-eval-loss', 'Best eval loss', /one +– +0\.625 .*\n.*two +– +– /],
    ['reward', 'Reward', /one +– +0\.5 .*\n.*two +– +0\.25 /],
    ['eval-reward', 'Held-out reward', /one +– +0\.75 .*\n.*two +– +– /],
    ['best-reward', 'Best reward', /one +– +0\.625 .*\n.*two +– +– /],
    ['best-eval-reward', 'Best held-out reward', /one +– +0\.875 .*\n.*two +– +– /],
    ['best-score', 'Best score', /one +– +accuracy 0\.9 .*\n.*two +– +– /],
  ])('shows the %s that it sorts by', async (sort, title, rows) => {
    addJob({ id: B, name: 'two', status: 'running', startedAt: null, loss: 0.25, reward: 0.25 });
    const rewards = { reward: 0.5, evalReward: 0.75, bestReward: 0.625, bestEvalReward: 0.875 };
    const losses = { loss: 0.5, evalLoss: 0.75, bestLoss: 0.5, bestEvalLoss: 0.625 };
    const bestScore = { name: 'accuracy', value: 0.9, higher: true };
    addJob({ id: A, name: 'one', ...losses, ...rewards, bestScore, completedAt: '2026-03-01T10:00:10.000Z' });
    const stdout = await print(`jobs list --sort ${sort}`);
    expect(stdout).toMatch(new RegExp(`^Status +Name +Steps +${title} +Created +ID\\n`));
    expect(stdout).toMatch(rows);
  });

  it('shows what it sorts the runs of a sweep by once', async () => {
    const group = { id: C, settings: [{ name: 'seed', value: 1 }] };
    addJob({ group, loss: 0.5, evalLoss: 0.75 });
    const head = async (sort: string) =>
      (await print(`jobs list --group ${C} --sort ${sort}`)).split('\n')[0];
    expect(await head('loss')).toMatch(/^Status +seed +Final eval loss +Loss +ID$/);
    for (const sort of ['eval-loss', 'created'])
      expect(await head(sort)).toMatch(/^Status +seed +Final eval loss +ID$/);
  });

  it('says why no run of a sweep is the best', async () => {
    for (const [id, value] of [
      [A, 0],
      [B, 1],
    ] as const)
      addJob({ id, group: { id: C, settings: [{ name: 'softWeight', value }] }, loss: value });
    expect(await print(`jobs list --group ${C}`)).toMatch(
      /\nNo best run: softWeight changes what the loss means\. Choose a score with bestBy\.\n$/,
    );
  });

  it('asks for no more jobs than it lists', async () => {
    await svc('jobs list --limit 3');
    await svc('jobs list --limit 3 --status failed');
    const asked = project.cloud.requests.filter(({ name }) => name === 'GET /v1/jobs');
    expect(asked.map(({ query }) => query.includes('limit=3'))).toEqual([true, false]);
  });
});

describe('a job', () => {
  beforeEach(() => {
    addJob({ id: A, name: 'first' });
    addJob({ id: B, name: 'second' });
    addJob({ id: C, name: 'third', status: 'running' }, [started(), log({ step: 1, loss: 2.5 })]);
  });

  it('is named by any beginning of its id that no other has', async () => {
    expect(await json('jobs show 9F')).toMatchObject({
      job: project.cloud.jobs[2]!.job,
      artifacts: [],
      summary: { step: 1, latest: { step: 1, value: 2.5 } },
    });
    expect(await svc('jobs show 1a2b')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `svc: "1a2b" matches 2 IDs. Type more of the one you mean:\n  ${A}  first, completed\n  ${B}  second, completed\n`,
    });
    for (const id of ['abc', '', '%'])
      expect(await svc(['jobs', 'show', id])).toMatchObject(
        failure(1, `There is no job "${id}" in this project. Run "svc jobs list" to see all jobs.`),
      );
  });

  it('is the newest one, or the newest with a name, where it is called latest', async () => {
    const { jobs } = await json('jobs list');
    expect((await json('jobs show latest')).job.id).toBe(jobs[0].id);
    for (const { id, name } of jobs) expect((await json(`jobs show latest:${name}`)).job.id).toBe(id);
    expect(await svc('jobs show latest:other')).toMatchObject(failure(1, 'There is no job named "other".'));
  });

  it('is shown with its config and its adapters', async () => {
    const [first] = project.cloud.jobs;
    Object.assign(first!.job, {
      config: { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'data-1' }, loraR: 16 },
      customSettings: ['loraR'],
      completedAt: '2026-03-01T10:01:05.000Z',
      artifactCount: 1,
    });
    first!.archives.final = makeTar([]);
    const stdout = await print(`jobs show ${A}`);
    expect(stdout).toMatch(new RegExp(`✔ completed\nName +first\nID +${A}\n`));
    expect(stdout).toMatch(/^Duration +1 min 5 s$/m);
    expect(stdout).toMatch(/^\* loraR {10}16$/m);
    expect(stdout).toMatch(/^ {2}datasetSource {2}upload data-1$/m);
    expect(stdout.indexOf('loraR')).toBeLessThan(stdout.indexOf('model'));
    expect(stdout).toMatch(/^final {5}final {2}40 {4}1\.5 kB {2}a{64}$/m);
  });

  it('is cancelled, once', async () => {
    const ok = { exitCode: 0, stderr: '' };
    expect(await svc(`jobs cancel ${C}`)).toEqual({ ...ok, stdout: 'third (9f000000) is canceled.\n' });
    const stdout = 'first (1a2b3c4d) is completed; nothing was changed.\n';
    expect(await svc(`jobs cancel ${A}`)).toEqual({ ...ok, stdout });
  });

  it('is deleted on a terminal only by who agrees, or says so before', async () => {
    const asked = atTerminal(`jobs delete ${A}`);
    await asked.shown('Delete first (1a2b3c4d) and its adapters? [y/N] ');
    asked.type('\n');
    expect(await asked.done).toMatchObject(failure(1, 'Nothing was deleted.'));
    expect(project.cloud.jobs).toHaveLength(3);
    const agreed = atTerminal(`jobs delete ${A}`);
    await agreed.shown('[y/N] ');
    agreed.type('y\n');
    expect((await agreed.done).exitCode).toBe(0);
    expect((await svc(`jobs delete ${B} --yes`, { isTTY: true })).exitCode).toBe(0);
    expect(project.cloud.jobs).toHaveLength(1);
  });

  it('is deleted, unless an endpoint uses it', async () => {
    expect(await json(`jobs delete ${A}`)).toMatchObject({ job: { id: A } });
    expect(project.cloud.jobs).toHaveLength(2);
    project.cloud.deployments.push(sampleDeployment());
    // The cloud says what to do, of an endpoint as of a job that runs.
    const stderr = 'svc: The endpoint demo uses an adapter of this job.\n';
    expect(await svc(`jobs delete ${B}`)).toEqual({ exitCode: 1, stdout: '', stderr });
  });
});

describe('svc jobs logs', () => {
  it('shows each event as the event log has it, with its number, also after a number, and as an object a line', async () => {
    const evaluated = log({ step: 5, loss: 2.5, evalLoss: 3 });
    const { events } = addJob({}, [started(), evaluated, checkpoint(), completed(), ended()]);
    const { exitCode, stdout } = await svc(`jobs logs ${A}`);
    expect(exitCode).toBe(0);
    const [first, ...others] = stdout.split('\n');
    expect(first).toMatch(/^ {4}1 {2}training\.started {4}\{"type":"training\.started",/);
    expect(others).toEqual([
      '    2  training.log        step=5 loss=2.5 evalLoss=3',
      '    3  checkpoint.saved    step=20',
      '    4  training.completed  1 artifact',
      '    5  end                 completed',
      '',
    ]);
    expect(await print(`jobs logs ${A} --after 3`)).toBe(others.slice(2).join('\n'));
    expect(jsonLines(await print(`jobs logs ${A} --json`))).toEqual(events);
    const nothing = { exitCode: 0, stdout: '', stderr: 'No events after 5.\n' };
    expect(await svc(`jobs logs ${A} --after 5`)).toEqual(nothing);
  });

  it('stops at what is there, when the job goes on and nobody follows', async () => {
    addJob({ id: A, status: 'running' }, [started(), log({ step: 1 })]);
    const { exitCode, stdout } = await svc(`jobs logs ${A}`);
    expect([exitCode, stdout.trimEnd().split('\n').length]).toEqual([0, 2]);
    addJob({ id: B, status: 'queued' }, []);
    expect(await svc(`jobs logs ${B}`)).toMatchObject({ exitCode: 0, stderr: 'No events yet.\n' });
    project.cloud.cutsAfter = 1;
    expect(await svc(`jobs logs ${A}`)).toMatchObject(failure(1, 'the connection was lost'));
  });

  it('reads the stream of a cloud that has no log so far, if the job has ended', async () => {
    project.cloud.lacksLog = true;
    addJob({ id: A, status: 'running' }, [started(), log({ step: 1 })]);
    expect(await svc(`jobs logs ${A}`)).toMatchObject(failure(1, 'The cloud has an older version'));
    addJob({ id: B }, [started(), log({ step: 1, loss: 2.5 }), completed(), ended()]);
    expect(await print(`jobs show ${B}`)).toMatch(/2\.5/);
  });

  it("reads a finished job's log to its end through an interruption", async () => {
    addJob({}, [started(), log({ step: 1 }), ended()]);
    project.cloud.cutsAfter = 1;
    const { exitCode, stdout, stderr } = await svc(`jobs logs ${A}`);
    expect([exitCode, stdout.trimEnd().split('\n').length]).toEqual([0, 3]);
    expect(stderr).toMatch(/^Lost the connection to the cloud: .* Retrying\.\n$/);
  });

  it('follows to the end', async () => {
    addJob({ status: 'running' }, [started()]);
    const call = start(`jobs logs ${A} --follow`);
    await call.shown('training.started  ');
    project.cloud.emit(A, log({ step: 7 }));
    await call.shown('step=7');
    project.cloud.emit(A, ended());
    expect((await call.done).stdout).toContain('    3  end');
  });
});

describe('svc jobs wait', () => {
  it('returns at the end, well only when the job completed', async () => {
    const { job } = addJob({ status: 'running' }, [started()]);
    const call = start(`jobs wait ${A}`);
    job.status = 'completed';
    project.cloud.emit(A, ended());
    expect(await call.done).toEqual({ exitCode: 0, stdout: '✔ completed  triage (1a2b3c4d)\n', stderr: '' });

    addJob({ id: C, status: 'failed', error: 'No rows.' }, [failed(), ended('failed')]);
    const { exitCode, stdout } = await svc(`jobs wait ${C} --json`);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ job: { id: C, error: 'No rows.' } });
  });

  it('shows the progress on a terminal meanwhile', async () => {
    addJob({ status: 'running' }, [started(), log({ step: 10, loss: 2 })]);
    const call = start(`jobs wait ${A}`, { isTTY: true, columns: 60 });
    await call.shown('step 10/40  loss 2');
    project.cloud.emit(A, ended());
    expect((await call.done).stdout).toContain('  step 10/40  loss 2\r\u001b[2K● running  triage');
  });
});

it.each(['jobs wait', 'jobs logs --follow'])('svc %s says what the job waits for', async line => {
  const waitingFor = 'Waiting for the program that computes its rewards.';
  addJob({ status: 'running', waitingFor }, [started()]);
  const call = start(`${line} ${A}`);
  await until(() => call.stderr).toBe(`${waitingFor}\n`);
  project.cloud.emit(A, ended());
  expect((await call.done).stderr).toBe(`${waitingFor}\n`);
});

describe('svc jobs download', () => {
  beforeEach(() => {
    addJob({ name: '../Tri age!' }).archives = {
      final: makeTar([{ path: 'adapter_config.json', content: '{}' }, { path: 'adapter_model.safetensors' }]),
      'checkpoint-20': makeTar([{ path: 'adapter_config.json', content: '{"r":1}' }]),
    };
  });

  it('unpacks the final adapter into a folder of its own, and writes over nothing', async () => {
    const folder = project.path('tri-age-final');
    const stdout = `${folder}  2 files, 2 B, final adapter\n`;
    expect(await svc(`jobs download ${A}`)).toMatchObject({ exitCode: 0, stdout });
    expect(readFileSync(join(folder, 'adapter_config.json'), 'utf8')).toBe('{}');
    const files = '  adapter_config.json\n  adapter_model.safetensors\n';
    const advice = 'Move them, or choose another folder';
    expect(await svc(`jobs download ${A}`)).toMatchObject(failure(1, files + advice));
  });

  it('takes a checkpoint, and a folder that is named', async () => {
    expect(await json(`jobs download ${A} --step 20 --out here`)).toEqual({
      artifact: expect.objectContaining({ name: 'checkpoint-20', step: 20 }),
      folder: project.path('here'),
      files: ['adapter_config.json'],
    });
    expect(readFileSync(project.path('here/adapter_config.json'), 'utf8')).toBe('{"r":1}');
    expect((await svc(`jobs download ${A} --step 30`)).stderr).toBe(
      'svc: The job has no checkpoint at step 30.\nAvailable checkpoints, for --step: 20.\n',
    );
  });

  it('names no folder in a way that steers the terminal', async () => {
    expect(await print(`jobs download ${A} --out x\u001b[2J\u202ey`)).toBe(
      `${project.path('xy')}  2 files, 2 B, final adapter\n`,
    );
    expect(readdirSync(project.cwd)).toContain('x\u001b[2J\u202ey');
  });
});

describe('svc jobs edit', () => {
  it('renames a job, changes its tags and gives it a note', async () => {
    const { job } = addJob({ tags: ['old', 'kept'] });
    const change = ['--name', 'trial 1', '--tag', 'new', '--untag', 'old', '--note', 'why'];
    const { exitCode, stdout } = await svc(['jobs', 'edit', '1a2b', ...change]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'trial 1 (1a2b3c4d) #kept #new\nwhy\n' });
    expect(job).toMatchObject({ name: 'trial 1', tags: ['kept', 'new'], note: 'why' });
    expect(await print(`jobs show ${A}`)).toMatch(
      /Name +trial 1\n[\s\S]*Trainer +triage\nTags +kept, new\nNote +why\n/,
    );
    await svc(`jobs edit ${A} --no-note`);
    expect(job).toMatchObject({ name: 'trial 1', tags: ['kept', 'new'], note: '' });
  });

  it('finds and takes away a tag with a comma, which older jobs may have', async () => {
    const { job } = addJob({ tags: ['old, kept', 'new'] });
    expect(await svc(['jobs', 'list', '--tag', 'old, kept'])).toMatchObject({ exitCode: 0 });
    const hint = 'Tags can no longer contain commas. Remove this one, too: --untag "old, kept".';
    for (const change of ['--tag other', '--untag new'])
      expect(await svc(`jobs edit 1a2b ${change}`)).toMatchObject(failure(1, hint));
    const { exitCode, stdout } = await svc(['jobs', 'edit', '1a2b', '--untag', 'old, kept']);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('#new\n') });
    expect(job.tags).toEqual(['new']);
  });

  it('does not take away a tag that is not there', async () => {
    addJob();
    const refused = failure(1, 'The job has no tag "missing".');
    expect(await svc('jobs edit 1a2b --untag missing')).toMatchObject(refused);
    expect(project.cloud.calls.filter(call => !call.startsWith('GET'))).toEqual([]);
  });
});
