// svc endpoints and svc keys: the commands, against a cloud in memory.
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { sampleDeployment, sampleJob, sampleKey } from '../../support/samples.js';
import { callCli, startCli, type TerminalOptions } from '../support/terminal.js';

const JOB = '1a2b3c4d-0000-4000-8000-000000000001';
const OTHER_JOB = '2b2b3c4d-0000-4000-8000-000000000002';

let cloud: FakeCloud;
let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
  ({ cloud } = project);
  cloud.jobs.push({ job: sampleJob({ id: JOB, status: 'completed' }), events: [], archives: {} });
});
afterEach(() => project.close());

const svc = (argv: string[], options: Partial<TerminalOptions> = {}) =>
  callCli(argv, { cwd: project.cwd, ...options, env: { ...project.env, ...options.env } });

it('an endpoint that cannot serve is still enabled or disabled; it has a second mark in the list, and says why when it is shown', async () => {
  await svc(['endpoints', 'create', 'demo', '--base-model', 'svc/tiny']);
  cloud.deployments[0] = { ...cloud.deployments[0]!, problem: 'The files of this adapter are damaged.' };
  expect((await svc(['endpoints', 'list'])).stdout).toContain('enabled, cannot serve');
  expect((await svc(['endpoints', 'show', 'demo'])).stdout).toMatch(
    /State +enabled\nProblem +The files of this adapter are damaged\./,
  );
});

describe('a folder without a project', () => {
  it('has no endpoints, and nobody is asked', async () => {
    expect((await svc(['endpoints', 'list', '--json'])).stdout).toBe('{"deployments":[]}\n');
    expect((await svc(['endpoints', 'list'])).stdout).toContain('No endpoints yet.');
    expect(await svc(['keys', 'list', 'demo'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('This folder has no project yet, so it has no endpoints.'),
    });
    expect(cloud.calls).toEqual([]);
    expect(existsSync(project.home)).toBe(false);
  });

  it('gets a project and an identity with its first endpoint', async () => {
    const { exitCode } = await svc(['endpoints', 'create', 'demo', '--base-model', 'svc/tiny']);
    expect(exitCode).toBe(0);
    expect(cloud.calls).toContain('POST /v1/auth/anonymous');
    expect((await svc(['endpoints', 'list'])).stdout).toContain('demo.d.example.com');
  });
});

describe('svc endpoints create', () => {
  beforeEach(() => project.link());

  it('publishes a final adapter, and says how to get a key', async () => {
    const { stdout } = await svc(['endpoints', 'create', 'demo', '--job', '1a2b']);
    expect(stdout).toMatch(/^URL {6}https:\/\/demo\.d\.example\.com\/v1\/chat\/completions$/m);
    expect(stdout).toMatch(/^Target {3}Final adapter \(job 1a2b3c4d\)$/m);
    expect(stdout).toMatch(/^Calls need a key\. To issue one, run: svc keys issue demo --label TEXT$/m);
    expect(cloud.deployments[0]).toMatchObject({
      target: { kind: 'adapter', adapter: { kind: 'final', jobId: JOB } },
      authMode: 'fixed_api_key',
    });
  });

  it('publishes a checkpoint without a key', async () => {
    const argv = ['endpoints', 'create', 'open', '--job', JOB, '--step', '20', '--auth', 'none', '--json'];
    expect(JSON.parse((await svc(argv)).stdout)).toEqual({ deployment: cloud.deployments[0] });
    expect(cloud.deployments[0]).toMatchObject({
      target: { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB, step: 20 } },
      authMode: 'none',
    });
  });

  it('adds operations, and web pages that may call it', async () => {
    const argv = ['endpoints', 'create', 'demo', '--base-model', 'svc/tiny'];
    const offer = ['--operations', 'chat, models', '--cors', 'https://App.example.com,http://localhost:5173'];
    const { stdout } = await svc([...argv, ...offer]);
    expect(stdout).toMatch(/^Operations {2}chat, models$/m);
    expect(stdout).toMatch(/^CORS {8}https:\/\/app\.example\.com, http:\/\/localhost:5173$/m);
    expect(cloud.deployments[0]).toMatchObject({
      operations: ['chat', 'models'],
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    });
  });

  it('passes on what the cloud says of a taken slug, with what to do', async () => {
    cloud.deployments.push(sampleDeployment());
    const { exitCode, stderr } = await svc(['endpoints', 'create', 'demo', '--base-model', 'svc/tiny']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'svc: The slug demo is taken.\nThe slug of a deleted endpoint stays reserved for its organization.\n',
    );
  });

  it.each([
    [[], 'specify what to publish: "--job ID", "--base-model NAME" or "--follow WHAT".'],
    [['--job', JOB, '--base-model', 'b'], 'specify what to publish'],
    [['--base-model', 'b', '--step', '3'], 'option "--step" requires "--job".'],
    [['--job', JOB, '--step', 'x'], 'option "--step" must be a whole number.'],
    [['--job', `${JOB}:latest`], 'option "--job" must be ID, ID:final or ID:checkpoint:N'],
    [['--job', `${JOB}:checkpoint:`], 'option "--job" must be ID, ID:final or ID:checkpoint:N'],
    [['--job', `${JOB}:checkpoint:4`, '--step', '4'], 'only ID can be combined with "--step".'],
    [['--job', JOB, '--auth', 'keys'], 'option "--auth" must be fixed_api_key or none, not "keys".'],
  ])('refuses %j', async (options, complaint) => {
    const { exitCode, stderr } = await svc(['endpoints', 'create', 'demo', ...options]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(complaint);
    expect(cloud.deployments).toEqual([]);
  });
});

describe('an endpoint', () => {
  const ID = '2a2b3c4d-0000-4000-8000-000000000002';
  beforeEach(async () => {
    await project.link();
    cloud.deployments.push(
      sampleDeployment(),
      sampleDeployment({ id: '77000000-0000-4000-8000-000000000007', slug: '2a', enabled: false }),
    );
  });

  it.each([['demo'], [ID], ['2a2b']])('is named by slug or id: %s', async name => {
    expect(JSON.parse((await svc(['endpoints', 'show', name, '--json'])).stdout).deployment.id).toBe(ID);
  });

  it('is named by its slug before the beginning of an id', async () => {
    expect(JSON.parse((await svc(['endpoints', 'show', '2a', '--json'])).stdout).deployment.slug).toBe('2a');
  });

  it('is shown with how to call it', async () => {
    const { stdout } = await svc(['endpoints', 'show', 'demo']);
    expect(stdout).toMatch(/^State {4}enabled$/m);
    // Of runs, which nothing keeps yet: it is not how long the endpoint stays.
    expect(stdout).not.toContain('Retention');
    expect(stdout).toContain('curl https://demo.d.example.com/v1/chat/completions \\\n');
  });

  it('is listed, also where there is little room', async () => {
    const { stdout } = await svc(['endpoints', 'list']);
    expect(stdout).toMatch(
      /^demo\.d\.example\.com {2}enabled {3}fixed_api_key {2}Final adapter \(job 1a2b3c4d\)/m,
    );
    const narrow = await svc(['endpoints', 'list'], { isTTY: true, columns: 40, env: { NO_COLOR: '1' } });
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect(narrow.stdout).toMatch(/^demo +enabled {3}fixed_api_key$/m);
  });

  it('is disabled and enabled', async () => {
    await svc(['endpoints', 'disable', 'demo']);
    expect(cloud.deployments[0]!.enabled).toBe(false);
    const { stdout } = await svc(['endpoints', 'enable', 'demo', '--json']);
    expect(JSON.parse(stdout)).toEqual({ deployment: cloud.deployments[0] });
    expect(cloud.deployments[0]!.enabled).toBe(true);
  });

  it('changes its auth mode to a known one', async () => {
    expect((await svc(['endpoints', 'auth', 'demo', 'none'])).stdout).toMatch(/^Auth {5}none$/m);
    expect(cloud.deployments[0]!.authMode).toBe('none');
  });

  it('changes what it offers, and to which web pages', async () => {
    const shown = (await svc(['endpoints', 'show', 'demo'])).stdout;
    expect(shown).not.toMatch(/Operations|CORS/);
    const page = 'https://app.example.com';
    const set = await svc(['endpoints', 'update', 'demo', '--operations', 'chat,responses', '--cors', page]);
    expect(set.stdout).toMatch(/^Operations {2}chat, responses$/m);
    const both = { operations: ['chat', 'responses'], corsOrigins: [page] };
    expect(JSON.parse((await svc(['endpoints', 'show', 'demo', '--json'])).stdout).deployment).toMatchObject(
      both,
    );
    await svc(['endpoints', 'update', 'demo', '--operations', 'chat']);
    expect(cloud.deployments[0]).toMatchObject({ operations: ['chat'], corsOrigins: [page] });
    expect((await svc(['endpoints', 'show', 'demo'])).stdout).toMatch(
      /^CORS {5}https:\/\/app\.example\.com$/m,
    );
  });

  it('goes back to chat, for no web page, with none', async () => {
    Object.assign(cloud.deployments[0]!, {
      operations: ['chat', 'models'],
      corsOrigins: ['https://a.example'],
    });
    await svc(['endpoints', 'update', 'demo', '--operations', 'none', '--cors', 'none']);
    expect(cloud.calls).toContainEqual(expect.stringMatching(/^PATCH/));
    expect(cloud.deployments[0]).toMatchObject({ operations: [], corsOrigins: [] });
  });

  it.each([
    [
      [],
      'specify what to change: "--operations LIST", "--cors ORIGINS", "--keep-requests" or "--keep-for DAYS".',
    ],
    [['--operations', 'chats'], 'the operation "chats" must be one of `chat`, '],
    [['--cors', 'https://ok.example,http://app.example.com/x'], 'not `http://app.example.com/x`.'],
    [
      ['--cors', Array(21).fill('https://a.example').join(',')],
      'option "--cors" must have at most 20 entries.',
    ],
  ])('is not changed by %j', async (words, complaint) => {
    const { exitCode, stderr } = await svc(['endpoints', 'update', 'demo', ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(complaint)]);
    expect(cloud.calls.filter(call => call.startsWith('PATCH'))).toEqual([]);
  });

  it('is pointed at another adapter', async () => {
    await svc(['endpoints', 'retarget', 'demo', '--job', '1a2b', '--step', '40']);
    expect(cloud.deployments[0]!.target).toEqual({
      kind: 'adapter',
      adapter: { kind: 'checkpoint', jobId: JOB, step: 40 },
    });
  });

  it.each([
    ['1a2b:final', { kind: 'final', jobId: JOB }],
    ['1a2b:checkpoint:40', { kind: 'checkpoint', jobId: JOB, step: 40 }],
  ])('is pointed at another adapter in the short notation: %s', async (short, adapter) => {
    cloud.deployments[0]!.target = { kind: 'base_model', baseModel: 'svc/tiny' };
    await svc(['endpoints', 'retarget', 'demo', '--job', short]);
    expect(cloud.deployments[0]!.target).toEqual({ kind: 'adapter', adapter });
  });

  it.each([
    ['final', { kind: 'final', jobId: JOB }],
    ['checkpoint:40', { kind: 'checkpoint', jobId: JOB, step: 40 }],
    [`2b:checkpoint:7`, { kind: 'checkpoint', jobId: OTHER_JOB, step: 7 }],
  ])('is re-targeted to %s, which is printed in full', async (notation, adapter) => {
    cloud.jobs.push({ job: sampleJob({ id: OTHER_JOB, status: 'completed' }), events: [], archives: {} });
    const { stdout } = await svc(['endpoints', 'retarget', 'demo', notation]);
    expect(cloud.deployments[0]!.target).toEqual({ kind: 'adapter', adapter });
    expect(stdout).toMatch(new RegExp(`^Adapter {2}${adapter.jobId}:${notation.replace(/^2b:/, '')}$`, 'm'));
  });

  it.each([
    [['latest'], 'TARGET must be final, checkpoint:N, JOB_ID:final or JOB_ID:checkpoint:N, not "latest".'],
    [['final', '--job', JOB], 'specify what to serve: TARGET, "--job ID" or "--follow WHAT".'],
    [['--follow', 'newest'], '"--follow" must be best:JOB_ID or latest:TRAINER, not "newest".'],
    [['--follow', 'best:'], '"--follow" must be best:JOB_ID or latest:TRAINER, not "best:".'],
  ])('is not re-targeted to %j', async (words, complaint) => {
    const before = cloud.deployments[0]!.target;
    const { exitCode, stderr } = await svc(['endpoints', 'retarget', 'demo', ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(complaint);
    expect(cloud.deployments[0]!.target).toEqual(before);
  });

  it.each([
    ['best:1a2b', { kind: 'best', jobId: JOB }, 'best of job 1a2b3c4d'],
    ['latest:triage', { kind: 'latest', trainer: 'triage' }, 'latest of triage'],
  ])('follows %s', async (typed, follow, shown) => {
    const { stdout } = await svc(['endpoints', 'retarget', 'demo', '--follow', typed]);
    expect(cloud.deployments[0]!.follows).toEqual(follow);
    expect(stdout).toMatch(new RegExp(`^Follows {2}${shown}$`, 'm'));
  });

  it('goes back to what it served before', async () => {
    const none = await svc(['endpoints', 'rollback', 'demo']);
    expect([none.exitCode, none.stderr]).toEqual([1, 'svc: demo has served nothing else before.\n']);
    const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB, step: 40 } } as const;
    cloud.deployments[0]!.earlierTargets = [{ target, since: '2026-03-01T10:00:00.000Z' }];
    expect((await svc(['endpoints', 'rollback', 'demo'])).exitCode).toBe(0);
    expect(cloud.deployments[0]).toMatchObject({ target, follows: null });
  });

  it('that serves a base model needs a job to be named', async () => {
    cloud.deployments[0]!.target = { kind: 'base_model', baseModel: 'svc/tiny' };
    const { exitCode, stderr } = await svc(['endpoints', 'retarget', 'demo', 'final']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('must name a job, as in `JOB_ID:final`: demo serves a base model');
    expect((await svc(['endpoints', 'show', 'demo'])).stdout).not.toContain('Adapter');
  });

  it('is deleted on a terminal only by who agrees, or says so before', async () => {
    const place = { cwd: project.cwd, env: project.env, isTTY: true };
    const asked = startCli(['endpoints', 'delete', 'demo'], place);
    await asked.shown('Delete demo? Its URL stops working, and its keys are gone. [y/N] ');
    asked.type('n\n');
    const refused = await asked.done;
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('Nothing was deleted.');
    expect(cloud.deployments).toHaveLength(2);
    expect((await callCli(['endpoints', 'delete', 'demo', '--yes'], place)).exitCode).toBe(0);
    expect(cloud.deployments.map(({ slug }) => slug)).toEqual(['2a']);
  });

  it('is deleted', async () => {
    expect(await svc(['endpoints', 'delete', 'demo'])).toMatchObject({
      exitCode: 0,
      stdout: 'Deleted demo. Its slug stays reserved for you.\n',
    });
    expect(cloud.deployments.map(({ slug }) => slug)).toEqual(['2a']);
  });
});

describe('the keys of an endpoint', () => {
  const KEY = sampleKey({ label: 'ci', lastUsedAt: '2026-03-02T10:00:00.000Z' });
  beforeEach(async () => {
    await project.link();
    cloud.deployments.push(sampleDeployment());
  });

  it('are listed, the revoked ones said to be', async () => {
    expect((await svc(['keys', 'list', 'demo'])).stdout).toContain(
      'No keys yet. To issue one, run "svc keys issue demo --label',
    );
    cloud.keys.push(KEY, sampleKey({ id: 'other', label: 'old', enabled: false }));
    const { stdout } = await svc(['keys', 'list', 'demo']);
    expect(stdout).toMatch(/^ci +svc_live_abc {2}enabled {2}2026-03-02T10:00:00\.000Z/m);
    expect(stdout).toMatch(/^old +svc_live_abc {2}revoked {2}– /m);
  });

  it('are issued with nothing but the plaintext on stdout', async () => {
    const issued = await svc(['keys', 'issue', 'demo', '--label', 'ci']);
    expect([issued.exitCode, issued.stdout]).toEqual([0, 'svc_live_plain\n']);
    expect(issued.stderr).toContain('Issued key "ci" for demo. Copy it now: it will not be shown again.\n');
    expect(issued.stderr).toContain(
      '/v1/chat/completions \\\n  -H "Authorization: Bearer svc_live_plain" \\\n',
    );
    const { stdout, stderr } = await svc(['keys', 'issue', 'demo', '--label', 'ci', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ key: { label: 'ci', plaintext: 'svc_live_plain' } });
    expect(stderr).toBe('');
    expect((await svc(['keys', 'issue', 'demo'])).exitCode).toBe(2);
  });

  it('are revoked by the beginning of their id', async () => {
    cloud.keys.push({ ...KEY });
    expect((await svc(['keys', 'revoke', 'demo', '3a2b'])).stdout).toBe(
      'Revoked "ci" (svc_live_abc…). It stays listed.\n',
    );
    expect(cloud.keys[0]!.enabled).toBe(false);
    expect((await svc(['keys', 'revoke', 'demo', 'x'])).stderr).toContain(
      'There is no key "x" in this project. Run "svc keys list demo" to see all keys.',
    );
  });

  it('are revoked on a terminal only by who agrees, or says so before', async () => {
    cloud.keys.push({ ...KEY });
    const place = { cwd: project.cwd, env: project.env, isTTY: true };
    const asked = startCli(['keys', 'revoke', 'demo', '3a2b'], place);
    await asked.shown('Revoke "ci" (svc_live_abc…)? Programs that use it are refused. [y/N] ');
    asked.type('n\n');
    const refused = await asked.done;
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('Nothing was revoked.')]);
    expect(cloud.keys[0]!.enabled).toBe(true);
    expect((await callCli(['keys', 'revoke', 'demo', '3a2b', '--yes'], place)).exitCode).toBe(0);
    expect(cloud.keys[0]!.enabled).toBe(false);
  });

  it('of the project are listed, issued and revoked with --project in place of an endpoint', async () => {
    expect((await svc(['keys', 'list', '--project'])).stdout).toBe(
      'No keys yet. To issue one, run "svc keys issue --project --label TEXT".\n',
    );
    const { stdout, stderr } = await svc(['keys', 'issue', '--project', '--label', 'ci']);
    expect(stdout).toBe('svc_live_plain\n');
    expect(stderr).toMatch(
      /^Issued key "ci" for this project\. Copy it now: it will not be shown again\.\nBase URL for OpenAI's clients: http.*\/openai\/v1\n$/,
    );
    expect([cloud.keys, cloud.projectKeys.map(({ label }) => label)]).toEqual([[], ['ci']]);
    expect((await svc(['keys', 'list', '--project'])).stdout).toMatch(/^ci +svc_live_abc {2}enabled/m);
    const id = cloud.projectKeys[0]!.id;
    expect((await svc(['keys', 'revoke', '--project', id])).stdout).toContain('Revoked "ci"');
    expect(cloud.projectKeys[0]!.enabled).toBe(false);
  });

  it.each([
    [['list'], 'name an endpoint, or use "--project"'],
    [['list', 'demo', '--project'], '"--project" stands in place of an endpoint.'],
    [['issue', '--label', 'x'], 'name an endpoint, or use "--project"'],
    [['issue', 'demo', '--project', '--label', 'x'], '"--project" stands in place of an endpoint.'],
    [['revoke', 'demo'], 'specify one key by its ID.'],
    [['revoke', 'demo', 'id', '--project'], 'specify one key by its ID.'],
  ])('are misused with %j', async (argv, problem) => {
    const { exitCode, stderr } = await svc(['keys', ...argv]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)]);
    expect(cloud.projectKeys).toEqual([]);
  });
});
