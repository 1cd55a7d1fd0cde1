// svc api against a Studio that runs in this process, as `svc dev` would have it.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Io } from '../../cli/command.js';
import { main } from '../../cli/main.js';
import { openSession } from '../../lib/sdk/index.js';
import { type ServedStudio, serveStudio } from '../../lib/studio/index.js';
import { callCli } from '../support/cli.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';

let project: RemoteProject;
let studio: ServedStudio;
let received: unknown;
const JOB = '1a2b3c4d-0000-4000-8000-000000000001';
const EVENTS = 'id: 1\nevent: end\ndata: {"status":"completed","é":"🙂"}\n\n';

beforeAll(async () => {
  project = await openRemoteProject({
    createDeployment: ({ body }) => {
      received = body;
      return new Response('{"error":{"message":"Taken.","type":"t","code":"slug_taken","param":"slug"}}', {
        status: 409,
        headers: { 'content-type': 'application/json' },
      });
    },
    streamJobEvents: () => new Response(EVENTS, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const { cwd: folder, env } = project;
  studio = await serveStudio({ session: openSession({ folder, env }), env, ports: [0], log: () => {} });
});
afterAll(async () => {
  await studio.close();
  await project.close();
});

const api = (...args: string[]) => callCli(['api', ...args], { cwd: project.cwd });
const DEPLOYMENT = { slug: 'triage', target: { kind: 'base_model', baseModel: 'svc/tiny' } };

describe('svc api', () => {
  it('prints the body of the answer as it is', async () => {
    expect(await api('GET', '/api/jobs')).toEqual({ exitCode: 0, stdout: '{"jobs":[]}', stderr: '' });
    expect(await api('get', '/api/deployments')).toMatchObject({ stdout: '{"deployments":[]}' });
  });

  it('ends the line where people look at it', async () => {
    const { stdout } = await callCli(['api', 'GET', '/api/jobs'], { cwd: project.cwd, isTTY: true });
    expect(stdout).toBe('{"jobs":[]}\n');
  });

  it('sends --data, and says at an error what the body says, with exit code 1', async () => {
    const { exitCode, stdout, stderr } = await api(
      'POST',
      '/api/deployments',
      '--data',
      JSON.stringify(DEPLOYMENT),
    );
    expect(received).toEqual(DEPLOYMENT);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'svc: Taken. (status 409)\n' });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'slug_taken', param: 'slug' } });
  });

  it('reads the body from a file, or from what is piped in', async () => {
    received = undefined;
    await project.write('body.json', JSON.stringify(DEPLOYMENT));
    await api('POST', '/api/deployments', '--data', '@body.json');
    expect(received).toEqual(DEPLOYMENT);
    received = undefined;
    const nowhere = { write: () => {} };
    const io: Io = {
      stdout: nowhere,
      stderr: nowhere,
      env: {},
      cwd: project.cwd,
      stdin: Readable.from([JSON.stringify(DEPLOYMENT)]),
    };
    expect(await main(['api', 'POST', '/api/deployments', '--data=@-'], io)).toBe(1);
    expect(received).toEqual(DEPLOYMENT);
    expect(await api('POST', '/api/deployments', '--data=@nope.json')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Cannot read \S+nope\.json \(ENOENT\)/),
    });
  });

  it.each([
    [['POST', '/api/train', '--data', '{"name":'], '"--data" is not JSON: '],
    [['POST', '/api/train', '--data='], 'option "--data" needs a value.'],
    [['POST', '/api/train', '--data', ' '], '"--data" is not JSON: '],
    [['POST', '/api/deployments', '--data', '@text.txt'], '"--data" is not JSON: '],
    [['GET', '/api/jobs', '--data', '{}'], 'GET does not take "--data".'],
  ])('sends nothing for %j', async (argv, complaint) => {
    await project.write('text.txt', 'some words');
    expect(await api(...argv)).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining(`svc: ${complaint}`),
    });
  });

  it('prints a stream as it comes', async () => {
    await project.link();
    const { exitCode, stdout } = await api('GET', `/api/jobs/${JOB}/events`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `retry: 3000\n\n${EVENTS}` });
  });

  it('says when svc dev is not running here', async () => {
    expect(await callCli(['api', 'GET', '/api/jobs'], { cwd: project.root })).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringContaining('"svc dev" is not running'),
    });
  });

  it('goes nowhere but to Studio, whatever the path looks like', async () => {
    for (const path of ['//evil.com/api/jobs', '/@evil.com', '/\\evil.com']) {
      expect(await api('GET', path)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/status 40[034]/),
      });
    }
    expect(await api('GET', 'http://evil.com/')).toMatchObject({ exitCode: 2 });
    expect(await api('JUMP', '/api/jobs')).toMatchObject({ exitCode: 2 });
    expect(await api('GET')).toMatchObject({ exitCode: 2 });
  });
});
