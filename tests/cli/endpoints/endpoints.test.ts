// svc endpoints and svc keys: the commands, against a cloud in memory.
import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatLocalTime } from '../../../lib/console/index.js';
import type { Deployment } from '../../../lib/contract/index.js';
import { JOB_ID, sampleDeployment, sampleKey } from '../../support/samples.js';
import { failure, projectOfEach } from '../support/project.js';

const OTHER_JOB = '2b2b3c4d-0000-4000-8000-000000000002';
const SINCE = '2026-03-01T10:00:00.000Z';
const CHECKPOINT = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 40 } } as const;
const BASE = { kind: 'base_model', baseModel: 'svc/tiny' } as const;

const project = projectOfEach({ isLinked: true });
const { svc, json, atTerminal, addJob, print } = project;
beforeEach(() => void addJob());

describe('a folder without a project', () => {
  const bare = projectOfEach();

  it('has no endpoints, and nobody is asked', async () => {
    expect(await bare.svc('endpoints list --json')).toMatchObject({ stdout: '{"deployments":[]}\n' });
    expect(await bare.print('endpoints list')).toContain('No endpoints yet.');
    expect(await bare.svc('keys list demo')).toMatchObject(
      failure(1, 'This folder has no project yet, so it has no endpoints.'),
    );
    expect(bare.cloud.calls).toEqual([]);
    expect(existsSync(bare.home)).toBe(false);
  });

  it('gets a project and an identity with its first endpoint', async () => {
    expect((await bare.svc('endpoints create demo --base-model svc/tiny')).exitCode).toBe(0);
    expect(bare.cloud.calls).toContain('POST /v1/auth/anonymous');
    expect(await bare.print('endpoints list')).toContain('demo.d.example.com');
  });
});

describe('an endpoint with a task', () => {
  const task = {
    name: 'triage',
    kind: 'labels' as const,
    input: { type: 'string' },
    output: { type: 'string', enum: ['bug', 'wish'] },
    labels: ['bug', 'wish'],
  };

  it('shows it, and writes a client', async () => {
    project.cloud.deployments.push(sampleDeployment({ task }));
    expect(await print('endpoints show demo')).toMatch(/^Task +triage \(labels\): bug, wish$/m);
    const source = await print('endpoints client demo');
    expect(source).toMatch(/^export type Output = "bug" \| "wish";$/m);
    expect(source).toContain('https://demo.d.example.com/v1');
    expect(await json('endpoints client demo')).toEqual({ client: source });
  });

  it('is needed for a client', async () => {
    project.cloud.deployments.push(sampleDeployment({}));
    expect(await svc('endpoints client demo')).toMatchObject(failure(1, 'The endpoint demo has no task'));
  });
});

describe('svc endpoints create', () => {
  it('publishes a final adapter, and says how to get a key', async () => {
    const stdout = await print('endpoints create demo --job 1a2b');
    expect(stdout).toMatch(/^URL +https:\/\/demo\.d\.example\.com\/v1\/chat\/completions$/m);
    expect(stdout).toMatch(/^Target +Final adapter \(job 1a2b3c4d\)$/m);
    expect(stdout).toMatch(/^Calls need a key\. To issue one, run: svc keys issue demo --label TEXT$/m);
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } };
    expect(project.cloud.deployments).toMatchObject([{ target, authMode: 'fixed_api_key' }]);
  });

  it('publishes a checkpoint without a key', async () => {
    const created = await json('endpoints create open --job 1a2b --step 40 --auth none');
    expect(created).toEqual({ deployment: project.cloud.deployments[0] });
    expect(created.deployment).toMatchObject({ target: CHECKPOINT, authMode: 'none' });
  });

  it('publishes the newest job that has completed', async () => {
    project.cloud.jobs[0]!.archives.final = new Uint8Array(1);
    addJob({ id: OTHER_JOB, name: 'other', status: 'running' });
    const serve = async (...words: string[]) =>
      (await json(['endpoints', 'create', ...words])).deployment.target;
    const final = { kind: 'final', jobId: JOB_ID };
    expect((await serve('one', '--job', 'latest')).adapter).toEqual(final);
    expect((await serve('two', '--job', 'latest', '--step', '40')).adapter).toEqual(CHECKPOINT.adapter);
    expect(await svc('endpoints create three --job latest:other')).toMatchObject(
      failure(1, 'No job named "other" of this project has completed with an adapter yet.'),
    );
  });

  it('adds operations, and web pages that may call it', async () => {
    const offer = ['--operations', 'chat, models', '--cors', 'https://App.example.com,http://localhost:5173'];
    const stdout = await print(['endpoints', 'create', 'demo', '--base-model', 'svc/tiny', ...offer]);
    expect(stdout).toMatch(/^Operations +chat, models$/m);
    expect(stdout).toMatch(/^CORS +https:\/\/app\.example\.com, http:\/\/localhost:5173$/m);
    const corsOrigins = ['https://app.example.com', 'http://localhost:5173'];
    expect(project.cloud.deployments).toMatchObject([{ operations: ['chat', 'models'], corsOrigins }]);
  });

  it('passes on what the cloud says of a taken slug, with what to do', async () => {
    project.cloud.deployments.push(sampleDeployment());
    expect(await svc('endpoints create demo --base-model svc/tiny')).toMatchObject({
      exitCode: 1,
      stderr:
        'svc: The slug demo is taken.\nThe slug of a deleted endpoint stays with its organization, which can use it again.\n',
    });
  });
});

describe('an endpoint', () => {
  const ID = '2a2b3c4d-0000-4000-8000-000000000002';
  let demo: Deployment;
  beforeEach(() => {
    const other = { id: '77000000-0000-4000-8000-000000000007', slug: '2a', enabled: false };
    project.cloud.deployments.push(sampleDeployment(), sampleDeployment(other));
    demo = project.cloud.deployments[0]!;
  });

  it.each([
    ['its slug', 'demo', ID],
    ['its id', ID, ID],
    ['the beginning of its id', '2a2b', ID],
    ['its slug before the beginning of an id', '2a', '77000000-0000-4000-8000-000000000007'],
  ])('is named by %s', async (_, name, id) => {
    expect(await json(`endpoints show ${name}`)).toMatchObject({ deployment: { id } });
  });

  it('is shown with how to call it', async () => {
    const stdout = await print('endpoints show demo');
    expect(stdout).toMatch(/^Base URL +https:\/\/demo\.d\.example\.com\/v1$/m);
    expect(stdout).toMatch(/^State +enabled$/m);
    // Of runs, which nothing keeps yet: it is not how long the endpoint stays.
    expect(stdout).not.toContain('Retention');
    expect(stdout).toContain('curl https://demo.d.example.com/v1/chat/completions \\\n');
  });

  it('shows all times in one format: ISO 8601 for programs, local time on a terminal', async () => {
    demo.earlierTargets = [{ target: BASE, since: SINCE }];
    const stdout = await print('endpoints show demo');
    expect(stdout).toMatch(/Before +Base model: svc\/tiny since 2026-03-01T10:00:00\.000Z\n/);
    const { stdout: shown } = await svc('endpoints show demo', { isTTY: true });
    expect(shown).toMatch(new RegExp(`Before .* since ${formatLocalTime(SINCE)}\\n`));
    expect(shown).not.toContain(SINCE);
  });

  it('with a canary is listed with its share and what it is', async () => {
    expect(await print('endpoints list')).not.toContain('Canary');
    demo.canary = { target: BASE, share: 0.1, since: SINCE };
    expect(await print('endpoints list')).toMatch(/Canary.*\n.*10% to Base model: svc\/tiny/);
  });

  it('says what it needs to move by itself, if the cloud does', async () => {
    expect(await print('endpoints show demo')).not.toContain('Gate');
    demo.requireGate = true;
    expect(await print('endpoints show demo')).toMatch(
      /^Gate +required\. .*only to what has passed svc ship\.$/m,
    );
  });

  it('that cannot serve is still enabled, is marked in the list, and says why when it is shown', async () => {
    demo.problem = 'The files of this adapter are damaged.';
    expect(await print('endpoints list')).toContain('enabled, cannot serve');
    expect(await print('endpoints show demo')).toMatch(
      /State +enabled\nProblem +The files of this adapter are damaged\./,
    );
  });

  it('is listed, also where there is little room', async () => {
    expect(await print('endpoints list')).toMatch(
      /^demo\.d\.example\.com {2}enabled {3}fixed_api_key {2}Final adapter \(job 1a2b3c4d\)/m,
    );
    const narrow = await svc('endpoints list', { isTTY: true, columns: 40 });
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect(narrow.stdout).toMatch(/^demo +enabled {3}fixed_api_key$/m);
  });

  it('is disabled and enabled, and changes its auth mode', async () => {
    const howTo = '\nA disabled endpoint answers 404. To bring it back, run: svc endpoints enable demo\n';
    expect(await print('endpoints disable demo')).toContain(howTo);
    expect(demo.enabled).toBe(false);
    const shown = await print('endpoints show demo');
    expect([shown.includes(howTo), shown.includes('curl')]).toEqual([true, false]);
    expect((await svc('endpoints list')).stderr).toContain('run: svc endpoints enable SLUG');
    expect(await json('endpoints enable demo')).toEqual({ deployment: demo });
    expect(demo.enabled).toBe(true);
    expect(await print('endpoints show demo')).toContain('curl');
    expect(await print('endpoints auth demo none')).toMatch(/^Auth +none$/m);
    expect(demo.authMode).toBe('none');
  });

  it('changes what it offers and to which web pages, each by itself, and goes back to chat with none', async () => {
    expect(await print('endpoints show demo')).not.toMatch(/Operations|CORS/);
    const page = 'https://app.example.com';
    const set = await svc(`endpoints update demo --operations chat,responses --cors ${page}`);
    expect(set.stdout).toMatch(/^Operations +chat, responses$/m);
    expect(demo).toMatchObject({ operations: ['chat', 'responses'], corsOrigins: [page] });
    await svc('endpoints update demo --operations chat');
    expect(demo).toMatchObject({ operations: ['chat'], corsOrigins: [page] });
    expect(await print('endpoints show demo')).toMatch(/^CORS +https:\/\/app\.example\.com$/m);
    await svc('endpoints update demo --operations none --cors none');
    expect(demo).toMatchObject({ operations: [], corsOrigins: [] });
  });

  it.each([
    ['--job 1a2b --step 40', CHECKPOINT.adapter],
    ['--job 1a2b:final', { kind: 'final', jobId: JOB_ID }],
    ['--job 1a2b:checkpoint:40', CHECKPOINT.adapter],
    ['final', { kind: 'final', jobId: JOB_ID }],
    ['checkpoint:40', CHECKPOINT.adapter],
    ['2b:checkpoint:7', { kind: 'checkpoint', jobId: OTHER_JOB, step: 7 }],
  ])('is pointed at another adapter with %s, which is printed in full', async (words, adapter) => {
    addJob({ id: OTHER_JOB });
    demo.target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: JOB_ID, step: 1 } };
    const stdout = await print(`endpoints retarget demo ${words}`);
    expect(demo.target).toEqual({ kind: 'adapter', adapter });
    const which = 'step' in adapter ? `checkpoint:${adapter.step}` : 'final';
    expect(stdout).toMatch(new RegExp(`^Adapter +${adapter.jobId}:${which}$`, 'm'));
  });

  it.each([
    ['best:1a2b', { kind: 'best', jobId: JOB_ID }, 'best of job 1a2b3c4d'],
    ['latest:triage', { kind: 'latest', trainer: 'triage' }, 'latest of triage'],
  ])('follows %s', async (typed, follow, shown) => {
    const stdout = await print(`endpoints retarget demo --follow ${typed}`);
    expect(demo.follows).toEqual(follow);
    expect(stdout).toMatch(new RegExp(`^Follows +${shown}$`, 'm'));
  });

  it('goes back to what it served before', async () => {
    const stderr = 'svc: demo has served nothing else before.\n';
    expect(await svc('endpoints rollback demo')).toMatchObject({ exitCode: 1, stderr });
    demo.earlierTargets = [{ target: CHECKPOINT, since: SINCE }];
    expect((await svc('endpoints rollback demo')).exitCode).toBe(0);
    expect(demo).toMatchObject({ target: CHECKPOINT, follows: null });
  });

  it('stops following where it is if it has not moved yet', async () => {
    demo.follows = { kind: 'latest', trainer: 'triage' };
    const { target } = demo;
    const stderr = 'demo has served nothing else before: it keeps its target, and follows nothing now.\n';
    expect(await svc('endpoints rollback demo')).toMatchObject({ exitCode: 0, stderr });
    expect(demo).toMatchObject({ target, follows: null });
  });

  it('lets a canary answer a share of the requests, until it is promoted or ends', async () => {
    addJob({ id: OTHER_JOB });
    const before = demo.target;
    const stdout = await print('endpoints canary demo --job 2b --step 7 --share 25%');
    const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: OTHER_JOB, step: 7 } };
    expect(demo).toMatchObject({ target: before, canary: { target, share: 0.25 } });
    expect(stdout).toMatch(/^Stable +75% of requests · Final adapter/m);
    expect(stdout).toMatch(/^Canary +25% of requests · Checkpoint step 7 /m);
    expect(stdout).toMatch(new RegExp(`^Its adapter +${OTHER_JOB}:checkpoint:7$`, 'm'));
    await svc('endpoints canary demo --share 0.5');
    expect(demo.canary).toMatchObject({ target, share: 0.5 });
    expect(await print('endpoints list')).toContain('50% to Checkpoint step 7');
    await svc('endpoints rollback demo');
    expect(demo).toMatchObject({ target: before, canary: null });
    await svc('endpoints canary demo checkpoint:40');
    expect(demo.canary).toMatchObject({ target: CHECKPOINT, share: 0.1 });
    await svc('endpoints canary demo --off');
    expect(demo.canary).toBeNull();
    await svc('endpoints canary demo checkpoint:40');
    demo.canary!.problem = 'Damaged.';
    expect(await print('endpoints show demo')).toMatch(/^Its problem +The canary cannot serve.*Damaged\.$/m);
    expect(await print('endpoints promote demo')).toMatch(/^Target +Checkpoint step 40/m);
    expect(demo).toMatchObject({ target: CHECKPOINT, canary: null });
  });

  it.each([
    ['canary demo', 2, 'specify what to serve: TARGET or "--job ID"; or end it with "--off".'],
    ['canary demo --share 20%', 1, 'demo has no canary. Name its target: "--job ID".'],
    ['canary demo final --share 120%', 2, 'option "--share" must be more than 0% and less than 100%'],
    ['canary demo final --off', 2, '"--off" takes no target and no share.'],
    ['canary demo newest', 2, 'TARGET must be final, checkpoint:N'],
    ['promote demo', 1, 'demo has no canary.'],
  ])('has no canary after %s, which says why', async (words, code, wanted) => {
    expect(await svc(`endpoints ${words}`)).toMatchObject(failure(code, wanted));
    expect(demo.canary ?? null).toBeNull();
  });

  it('that serves a base model needs a job to be named', async () => {
    demo.target = BASE;
    const wanted = 'TARGET must be final, checkpoint:N, JOB_ID:final or JOB_ID:checkpoint:N, not "latest".';
    expect(await svc('endpoints retarget demo latest')).toMatchObject(failure(2, wanted));
    const complaint = 'must name a job, as in `JOB_ID:final`: demo serves a base model';
    expect(await svc('endpoints retarget demo final')).toMatchObject(failure(1, complaint));
    expect(await print('endpoints show demo')).not.toContain('Adapter');
    await svc('endpoints retarget demo --job 1a2b:checkpoint:40');
    expect(demo.target).toEqual(CHECKPOINT);
  });

  it('is deleted on a terminal only by who agrees, or says so before', async () => {
    const asked = atTerminal('endpoints delete demo');
    await asked.shown('Delete demo? Its URL stops working, and its keys are gone. [y/N] ');
    asked.type('n\n');
    expect(await asked.done).toMatchObject(failure(1, 'Nothing was deleted.'));
    expect(project.cloud.deployments).toHaveLength(2);
    expect((await svc('endpoints delete demo --yes', { isTTY: true })).exitCode).toBe(0);
    const typed = await svc('endpoints delete 2a', { env: { SVC_SHELL: '1' } });
    const stderr =
      'svc: Delete 2a? Its URL stops working, and its keys are gone. To agree, add "--yes": no question can be answered here.\n';
    expect(typed).toEqual({ exitCode: 1, stdout: '', stderr });
    expect(project.cloud.deployments).toHaveLength(1);
    const stdout = 'Deleted 2a. Its slug stays yours: you can create another endpoint with it.\n';
    expect(await svc('endpoints delete 2a')).toMatchObject({ exitCode: 0, stdout });
    expect(project.cloud.deployments).toEqual([]);
  });
});

describe('the keys of an endpoint', () => {
  const KEY = sampleKey({ lastUsedAt: '2026-03-02T10:00:00.000Z' });
  beforeEach(() => {
    project.cloud.deployments.push(sampleDeployment());
  });

  it('are listed, the revoked ones said to be', async () => {
    expect(await print('keys list demo')).toContain(
      'No keys yet. To issue one, run "svc keys issue demo --label',
    );
    project.cloud.keys.push(KEY, sampleKey({ id: 'other', label: 'old', enabled: false }));
    const stdout = await print('keys list demo');
    expect(stdout).toMatch(/^ci +svc_live_abc {2}enabled {2}2026-03-02T10:00:00\.000Z/m);
    expect(stdout).toMatch(/^old +svc_live_abc {2}revoked {2}– /m);
  });

  it('are issued with nothing but the plaintext on stdout', async () => {
    const issued = await svc('keys issue demo --label ci');
    expect(issued).toMatchObject({ exitCode: 0, stdout: 'svc_live_plain\n' });
    expect(issued.stderr).toContain('Issued key "ci" for demo. Copy it now: it will not be shown again.\n');
    expect(issued.stderr).toContain("\nBase URL for OpenAI's clients: https://demo.d.example.com/v1\n");
    expect(issued.stderr).toContain('completions \\\n  -H "Authorization: Bearer svc_live_plain" \\\n');
    const { stdout, stderr } = await svc('keys issue demo --label ci --json');
    expect(JSON.parse(stdout)).toMatchObject({ key: { label: 'ci', plaintext: 'svc_live_plain' } });
    expect(stderr).toBe('');
  });

  it('are revoked by the beginning of their id, on a terminal only by who agrees or says so before', async () => {
    project.cloud.keys.push({ ...KEY }, { ...KEY, id: 'other' });
    const asked = atTerminal('keys revoke demo 3a2b');
    await asked.shown('Revoke "ci" (svc_live_abc…)? Programs that use it are refused. [y/N] ');
    asked.type('n\n');
    expect(await asked.done).toMatchObject(failure(1, 'Nothing was revoked.'));
    expect(project.cloud.keys[0]!.enabled).toBe(true);
    const stdout = 'Revoked "ci" (svc_live_abc…). It stays listed.\n';
    expect(await svc('keys revoke demo 3a2b')).toMatchObject({ stdout });
    expect((await svc('keys revoke demo other --yes', { isTTY: true })).exitCode).toBe(0);
    expect(project.cloud.keys.map(({ enabled }) => enabled)).toEqual([false, false]);
    // Before anything is asked of the cloud.
    expect(await svc('keys revoke nowhere')).toMatchObject(failure(2, 'specify one key by its ID.'));
    expect((await svc('keys revoke demo x')).stderr).toContain(
      'There is no key "x" in this project. Run "svc keys list demo" to see all keys.',
    );
  });

  it('of the project are listed, issued and revoked with --project in place of an endpoint', async () => {
    const { cloud } = project;
    expect(await print('keys list --project')).toBe(
      'No keys yet. To issue one, run "svc keys issue --project --label TEXT".\n',
    );
    const { stdout, stderr } = await svc('keys issue --project --label ci');
    expect(stdout).toBe('svc_live_plain\n');
    expect(stderr).toMatch(
      /^Issued key "ci" for this project\. Copy it now: it will not be shown again\.\nBase URL for OpenAI's clients: http.*\/openai\/v1\n$/,
    );
    expect([cloud.keys, cloud.projectKeys.map(({ label }) => label)]).toEqual([[], ['ci']]);
    expect(await print('keys list --project')).toMatch(/^ci +svc_live_abc {2}enabled/m);
    const revoked = await svc(`keys revoke --project ${cloud.projectKeys[0]!.id}`);
    expect(revoked.stdout).toContain('Revoked "ci"');
    expect(cloud.projectKeys[0]!.enabled).toBe(false);
  });
});
