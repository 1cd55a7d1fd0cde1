// svc jobs: the commands, against a cloud in memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleDeployment, sampleJob } from '../../support/samples.js';
import { checkpoint, completed, ended, failed, log, started } from '../support/job-events.js';
import { makeTar } from '../support/make-tar.js';
import { callCli, startCli, type TerminalOptions } from '../support/terminal.js';

const A = '1a2b3c4d-0000-4000-8000-000000000001';
const B = '1a2b3c4d-0000-4000-8000-000000000002';
const C = '9f000000-0000-4000-8000-000000000003';

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
});
afterEach(() => project.close());

function addJob(fields: Partial<Job> = {}, events = [started(), completed(), ended()]) {
  cloud.jobs.push({ job: sampleJob({ status: 'completed', ...fields }), events, archives: {} });
}

const svc = (argv: string[], options: Partial<TerminalOptions> = {}) =>
  callCli(argv, { cwd: project.cwd, ...options, env: { ...project.env, ...options.env } });

describe('a folder without a project', () => {
  it('has no jobs, and nobody is asked', async () => {
    expect(await svc(['jobs', 'list', '--json'])).toEqual({
      exitCode: 0,
      stdout: '{"jobs":[]}\n',
      stderr: '',
    });
    expect(await svc(['jobs', 'list'])).toEqual({
      exitCode: 0,
      stdout: 'No jobs yet. To start one, run "svc start".\n',
      stderr: '',
    });
    expect(cloud.calls).toEqual([]);
    expect(existsSync(project.home)).toBe(false);
    expect(readdirSync(project.cwd)).toEqual([]);
  });

  it.each([['show'], ['logs'], ['wait'], ['cancel'], ['delete'], ['download']])(
    'svc jobs %s says what to do',
    async command => {
      const { exitCode, stdout, stderr } = await svc(['jobs', command, A]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toBe(
        'svc: This folder has no project yet, so it has no jobs.\n' +
          'Run "svc start" here to train, or go to your project\'s folder.\n',
      );
      expect(cloud.calls).toEqual([]);
      expect(existsSync(project.home)).toBe(false);
    },
  );

  it('with a project but without an identity on this cloud, makes none', async () => {
    await project.link();
    const { exitCode, stderr } = await svc(['jobs', 'list'], {
      env: { SVC_HOME: join(project.home, 'other') },
    });
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`you have no identity on the cloud ${cloud.url}`);
    expect(stderr).toContain('Run "svc login", or set SVC_CLOUD_URL');
    expect(cloud.calls).toEqual([]);
  });

  it('on a local cloud where nobody can sign in, does not say how to', async () => {
    await project.link();
    const env = { SVC_HOME: join(project.home, 'other'), SVC_CLOUD_URL: '' };
    const { exitCode, stderr } = await svc(['jobs', 'list'], { env });
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      'no identity on the local cloud.\nSet SVC_CLOUD_URL to the cloud that the project belongs to.\n',
    );
  });
});

describe('svc jobs list', () => {
  beforeEach(() => project.link());

  it('answers what the API answers', async () => {
    addJob({ id: A });
    const { stdout, stderr } = await svc(['jobs', 'list', '--json']);
    const { config: _, ...summary } = cloud.jobs[0]!.job;
    expect(JSON.parse(stdout)).toEqual({ jobs: [summary] });
    expect(stderr).toBe('');
  });

  it('is plain and whole where a program reads', async () => {
    addJob({ id: A, name: 'x'.repeat(100), step: 20, totalSteps: 40 });
    addJob({ id: C, name: 'queued one', status: 'queued' });
    const { stdout } = await svc(['jobs', 'list']);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^Status +Name +Steps +Created +ID$/);
    expect(lines[1]).toBe(`✔ completed  ${'x'.repeat(100)}  20/40  2026-03-01T10:00:00.000Z  ${A}`);
    expect(lines[2]).toMatch(/^○ queued {5}queued one +– +2026-03-01T10:00:00.000Z {2}9f0/);
  });

  it('fits the terminal', async () => {
    addJob({ name: 'y'.repeat(100) });
    const { stdout } = await svc(['jobs', 'list'], { isTTY: true, columns: 50, env: { NO_COLOR: '1' } });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(50);
    expect(stdout).toContain('1a2b3c4d\n');
    expect(stdout).toContain('…');
  });

  it('sends no token in the clear', async () => {
    const { exitCode, stdout, stderr } = await svc(['jobs', 'list'], {
      env: { SVC_CLOUD_URL: cloud.url.replace('localhost', 'cloud.invalid') },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('must start with https://');
    expect(cloud.calls).toEqual([]);
  });

  it('lets no name steer the terminal', async () => {
    addJob({ name: 'evil\u001b]0;title\u0007\u001b[2J name' });
    const { stdout } = await svc(['jobs', 'list'], { isTTY: true, columns: 120, env: { NO_COLOR: '1' } });
    expect(stdout).toContain('evil name');
    expect(stdout).not.toContain('\u001b');
  });

  it('exits with 4 when the cloud does not know us any more', async () => {
    const file = join(project.home, 'credentials.json');
    await project.write(
      '../home/credentials.json',
      readFileSync(file, 'utf8').replace('token-of-anna', 'stale'),
    );
    const { exitCode, stdout, stderr } = await svc(['jobs', 'list', '--json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr).toBe('svc: The token is not known here: run svc login.\n');
  });
});

describe('a job', () => {
  beforeEach(async () => {
    await project.link();
    addJob({ id: A, name: 'first' });
    addJob({ id: B, name: 'second' });
    addJob({ id: C, name: 'third', status: 'running' }, [started(), log({ step: 1, loss: 2.5 })]);
  });

  it('is named by any beginning of its id that no other has', async () => {
    const { stdout } = await svc(['jobs', 'show', '9F', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      job: cloud.jobs[2]!.job,
      artifacts: [],
      summary: { step: 1, latest: { step: 1, value: 2.5 } },
    });
  });

  it('is not guessed among several', async () => {
    const { exitCode, stderr } = await svc(['jobs', 'show', '1a2b']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `svc: "1a2b" matches 2 IDs. Type more of the one you mean:\n  ${A}  first, completed\n  ${B}  second, completed\n`,
    );
  });

  it.each(['abc', '', '%'])('that is not there is said to be missing: %j', async id => {
    const { exitCode, stderr } = await svc(['jobs', 'show', id]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`There is no job "${id}" in this project. Run "svc jobs list" to see all jobs.`);
  });

  it('is shown with its config and its adapters', async () => {
    Object.assign(cloud.jobs[0]!.job, {
      config: { model: 'svc/tiny', datasetSource: { type: 'upload', datasetId: 'data-1' }, loraR: 16 },
      customSettings: ['loraR'],
      completedAt: '2026-03-01T10:01:05.000Z',
      artifactCount: 1,
    });
    cloud.jobs[0]!.archives.final = makeTar([]);
    const { stdout } = await svc(['jobs', 'show', A]);
    expect(stdout).toContain(`✔ completed\nName       first\nID         ${A}\n`);
    expect(stdout).toMatch(/^Duration {3}1 min 5 s$/m);
    expect(stdout).toMatch(/^\* loraR {10}16$/m);
    expect(stdout).toMatch(/^ {2}datasetSource {2}upload data-1$/m);
    expect(stdout.indexOf('loraR')).toBeLessThan(stdout.indexOf('model'));
    expect(stdout).toMatch(/^final {5}final {2}40 {4}1\.5 kB {2}a{64}$/m);
  });

  it('is cancelled, once', async () => {
    const first = await svc(['jobs', 'cancel', C]);
    expect(first).toMatchObject({ exitCode: 0, stdout: 'third (9f000000) is cancelled.\n' });
    const done = await svc(['jobs', 'cancel', A]);
    expect(done).toMatchObject({
      exitCode: 0,
      stdout: 'first (1a2b3c4d) is completed; nothing was changed.\n',
    });
  });

  it('is deleted on a terminal only by who agrees, or says so before', async () => {
    const asked = startCli(['jobs', 'delete', A], { cwd: project.cwd, env: project.env, isTTY: true });
    await asked.shown('Delete first (1a2b3c4d) and its adapters? [y/N] ');
    asked.type('\n');
    const refused = await asked.done;
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('Nothing was deleted.');
    expect(cloud.jobs).toHaveLength(3);
    const agreed = startCli(['jobs', 'delete', A], { cwd: project.cwd, env: project.env, isTTY: true });
    await agreed.shown('[y/N] ');
    agreed.type('y\n');
    expect((await agreed.done).exitCode).toBe(0);
    expect((await svc(['jobs', 'delete', B, '--yes'], { isTTY: true })).exitCode).toBe(0);
    expect(cloud.jobs).toHaveLength(1);
  });

  it('is deleted, unless an endpoint uses it', async () => {
    expect(JSON.parse((await svc(['jobs', 'delete', A, '--json'])).stdout)).toMatchObject({ job: { id: A } });
    expect(cloud.jobs).toHaveLength(2);
    cloud.deployments.push(sampleDeployment());
    const { exitCode, stderr } = await svc(['jobs', 'delete', B]);
    expect(exitCode).toBe(1);
    // The cloud says what to do, of an endpoint as of a job that runs.
    expect(stderr).toBe('svc: The endpoint demo uses an adapter of this job.\n');
  });
});

describe('svc jobs logs', () => {
  beforeEach(() => project.link());

  it('shows each event as the event log has it, with its number', async () => {
    addJob({ id: A }, [
      started(),
      log({ step: 5, loss: 2.5, evalLoss: 3 }),
      checkpoint(),
      completed(),
      ended(),
    ]);
    const { exitCode, stdout } = await svc(['jobs', 'logs', A]);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ {4}1 {2}training\.started {4}\{"type":"training\.started",/);
    expect(lines.slice(1)).toEqual([
      '    2  training.log        step=5 loss=2.5 evalLoss=3',
      '    3  checkpoint.saved    step=20',
      '    4  training.completed  1 artifact',
      '    5  end                 completed',
    ]);
  });

  it('goes on after a number', async () => {
    addJob({ id: A }, [started(), failed(), ended('failed')]);
    const { stdout } = await svc(['jobs', 'logs', A, '--after', '1']);
    expect(stdout).toBe(
      '    2  training.failed     train.jsonl, row 3: there is nothing to learn.\n' +
        '    3  end                 failed\n',
    );
    expect(await svc(['jobs', 'logs', A, '--after', '3'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'No events after 3.\n',
    });
  });

  it('is one event object a line for scripts', async () => {
    const events = [started(), log({ step: 1, loss: 2 }), ended()];
    addJob({ id: A }, events);
    const { stdout } = await svc(['jobs', 'logs', A, '--json']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(events);
  });

  it('stops at what is there, when the job goes on and nobody follows', async () => {
    addJob({ id: A, status: 'running' }, [started(), log({ step: 1 })]);
    const { exitCode, stdout } = await svc(['jobs', 'logs', A]);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    addJob({ id: B, status: 'queued' }, []);
    expect(await svc(['jobs', 'logs', B])).toMatchObject({ exitCode: 0, stderr: 'No events yet.\n' });
  });

  it('fails where the log so far is cut', async () => {
    addJob({ id: A, status: 'running' }, [started(), log({ step: 1 })]);
    cloud.cutsAfter = 1;
    expect(await svc(['jobs', 'logs', A])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the connection was lost'),
    });
  });

  it("reads a finished job's log to its end through an interruption", async () => {
    addJob({ id: A }, [started(), log({ step: 1 }), ended()]);
    cloud.cutsAfter = 1;
    const { exitCode, stdout, stderr } = await svc(['jobs', 'logs', A]);
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toMatch(/^Lost the connection to the cloud: .* Retrying\.\n$/);
  });

  it('follows to the end', async () => {
    addJob({ id: A, status: 'running' }, [started()]);
    const call = startCli(['jobs', 'logs', A, '--follow'], { cwd: project.cwd, env: project.env });
    await call.shown('training.started  ');
    cloud.emit(A, log({ step: 7 }));
    await call.shown('step=7');
    cloud.emit(A, ended());
    expect((await call.done).stdout).toContain('    3  end');
  });

  it.each([['-1'], ['x'], ['1.5']])('takes no number %s', async after => {
    expect(await svc(['jobs', 'logs', A, `--after=${after}`])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('option "--after" must be a whole number.'),
    });
  });
});

describe('svc jobs wait', () => {
  beforeEach(() => project.link());

  it('returns at the end, well only when the job completed', async () => {
    addJob({ id: A, status: 'running' }, [started()]);
    const call = startCli(['jobs', 'wait', A], { cwd: project.cwd, env: project.env });
    cloud.jobs[0]!.job.status = 'completed';
    cloud.emit(A, ended());
    expect(await call.done).toEqual({ exitCode: 0, stdout: '✔ completed  triage (1a2b3c4d)\n', stderr: '' });

    addJob({ id: C, status: 'failed', error: 'No rows.' }, [failed(), ended('failed')]);
    const failure = await svc(['jobs', 'wait', C, '--json']);
    expect(failure.exitCode).toBe(1);
    expect(JSON.parse(failure.stdout)).toMatchObject({ job: { id: C, error: 'No rows.' } });
  });

  it('shows the progress on a terminal meanwhile', async () => {
    addJob({ id: A, status: 'running' }, [started(), log({ step: 10, loss: 2 })]);
    const options = { cwd: project.cwd, env: { ...project.env, NO_COLOR: '1' }, isTTY: true, columns: 60 };
    const call = startCli(['jobs', 'wait', A], options);
    await call.shown('step 10/40  loss 2');
    cloud.emit(A, ended());
    expect((await call.done).stdout).toContain('  step 10/40  loss 2\r\u001b[2K● running  triage');
  });
});

describe('svc jobs download', () => {
  beforeEach(async () => {
    await project.link();
    addJob({ id: A, name: '../Tri age!' });
    cloud.jobs[0]!.archives = {
      final: makeTar([{ path: 'adapter_config.json', content: '{}' }, { path: 'adapter_model.safetensors' }]),
      'checkpoint-20': makeTar([{ path: 'adapter_config.json', content: '{"r":1}' }]),
    };
  });

  it('unpacks the final adapter into a folder of its own', async () => {
    const { exitCode, stdout } = await svc(['jobs', 'download', A]);
    const folder = join(project.cwd, 'tri-age-final');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `${folder}  2 files, 2 B, final adapter\n`,
    });
    expect(readFileSync(join(folder, 'adapter_config.json'), 'utf8')).toBe('{}');
  });

  it('takes a checkpoint, and a folder that is named', async () => {
    const { stdout } = await svc(['jobs', 'download', A, '--step', '20', '--out', 'here', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      artifact: expect.objectContaining({ name: 'checkpoint-20', step: 20 }),
      folder: join(project.cwd, 'here'),
      files: ['adapter_config.json'],
    });
    expect(readFileSync(join(project.cwd, 'here/adapter_config.json'), 'utf8')).toBe('{"r":1}');
  });

  it('names no folder in a way that steers the terminal', async () => {
    const { stdout } = await svc(['jobs', 'download', A, '--out', 'x\u001b[2J\u202ey']);
    expect(stdout).toBe(`${join(project.cwd, 'xy')}  2 files, 2 B, final adapter\n`);
    expect(readdirSync(project.cwd)).toContain('x\u001b[2J\u202ey');
  });

  it('writes over nothing', async () => {
    await svc(['jobs', 'download', A]);
    const { exitCode, stderr } = await svc(['jobs', 'download', A]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      '  adapter_config.json\n  adapter_model.safetensors\nMove them, or choose another folder',
    );
  });

  it('says which checkpoints there are', async () => {
    const { exitCode, stderr } = await svc(['jobs', 'download', A, '--step', '30']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'svc: The job has no checkpoint at step 30.\nAvailable checkpoints, for --step: 20.\n',
    );
  });
});
