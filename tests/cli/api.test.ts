// svc api against a Studio that runs in this process, as `svc dev` would have it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { main } from '../../cli/main.js';
import { openSession } from '../../lib/sdk/index.js';
import { type RunningStudio, runStudio } from '../../lib/studio/index.js';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { JOB_ID } from '../support/samples.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { failure, misuse } from './support/project.js';
import { callCli, startCli, type TerminalOptions } from './support/terminal.js';

let project: RemoteProject;
let studio: RunningStudio;
let received: unknown;
let held: Promise<void> | undefined;
let events: string | Uint8Array<ArrayBuffer>;
const EVENTS = 'id: 1\nevent: end\ndata: {"status":"completed","é":"🙂"}\n\n';
const DEPLOYMENT = { slug: 'triage', target: { kind: 'base_model', baseModel: 'svc/tiny' } };

beforeAll(async () => {
  const refusal = { message: 'Taken.', type: 't', code: 'slug_taken', param: 'slug' };
  project = await openRemoteProject({
    createDeployment: async ({ body }) => {
      received = body;
      await held;
      return Response.json({ error: refusal }, { status: 409 });
    },
    streamJobEvents: () => new Response(events, { headers: { 'content-type': 'text/event-stream' } }),
  });
  const { cwd: folder, env } = project;
  studio = await runStudio({
    folder,
    openSession: async () => openSession({ folder, env }),
    env,
    ports: [0],
    log: () => {},
  });
});
beforeEach(() => {
  events = EVENTS;
});
afterAll(async () => {
  await studio.close();
  await project.close();
});

const api = (line: string, more: Partial<TerminalOptions> = {}) =>
  callCli(['api', ...line.split(' ')], { cwd: project.cwd, ...more });

it('svc api prints the body of the answer as it is, and ends the line where people look at it', async () => {
  expect(await api('GET /api/jobs')).toEqual({ exitCode: 0, stdout: '{"jobs":[]}', stderr: '' });
  expect(await api('get /api/deployments')).toMatchObject({ stdout: '{"deployments":[]}' });
  expect((await api('GET /api/jobs', { isTTY: true })).stdout).toBe('{"jobs":[]}\n');
});

it.each([
  ['what is given', `--data ${JSON.stringify(DEPLOYMENT)}`],
  ['a file', '--data @body.json'],
  ['what is piped in', '--data=@-'],
])('sends %s, and says at an error what the body says, with exit code 1', async (_, option) => {
  received = undefined;
  const piped = JSON.stringify(DEPLOYMENT);
  await project.write('body.json', piped);
  const { exitCode, stdout, stderr } = await api(`POST /api/deployments ${option}`, { piped });
  expect(received).toEqual(DEPLOYMENT);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'svc: Taken. (status 409)\n' });
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'slug_taken', param: 'slug' } });
});

it.each([
  ['POST /api/train --data {"name":', '"--data" is not JSON: '],
  ['POST /api/train --data=', 'option "--data" needs a value.'],
  ['POST /api/deployments --data @text.txt', '"--data" is not JSON: '],
])('sends nothing for "%s"', async (line, complaint) => {
  await project.write('text.txt', 'some words');
  expect(await api(line)).toMatchObject(misuse(`svc: ${complaint}`));
});

it('says that a file cannot be read, and that svc dev is not running here', async () => {
  expect(await api('POST /api/deployments --data=@nope.json')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/Cannot read \S+nope\.json \(ENOENT\)/),
  });
  const stopped = failure(1, '"svc dev" is not running');
  expect(await api('GET /api/jobs', { cwd: project.root })).toMatchObject({ ...stopped, stdout: '' });
});

it('svc api prints a stream as it comes', async () => {
  await project.link();
  const stdout = `retry: 3000\n\n${EVENTS}`;
  expect(await api(`GET /api/jobs/${JOB_ID}/events`)).toMatchObject({ exitCode: 0, stdout });
});

it('gives programs bytes that are no text, and shows people none of its control characters', async () => {
  await project.link();
  events = new Uint8Array([...Buffer.from('data: \u001b[2J'), 0xff, 0xc3, 0x00, 0x0a, 0x0a]);
  const line = ['api', 'GET', `/api/jobs/${JOB_ID}/events`];
  const chunks: Uint8Array[] = [];
  const output = { write: (chunk: string | Uint8Array) => void chunks.push(Buffer.from(chunk)) };
  await main(line, { stdout: output, stderr: output, env: {}, cwd: project.cwd });
  const printed = Buffer.concat(chunks);
  expect(printed.subarray(-events.length)).toEqual(Buffer.from(events));
  const { stdout } = await callCli(line, { cwd: project.cwd, isTTY: true });
  expect(stdout).toContain('data: ');
  expect(stdout).not.toContain('\u001b');
});

it('says when Studio takes long to answer, and waits on', async () => {
  let release = () => {};
  held = new Promise(resolve => {
    release = resolve;
  });
  const clock = createVirtualClock();
  const asked = startCli(['api', 'POST', '/api/deployments', '--data', JSON.stringify(DEPLOYMENT)], {
    cwd: project.cwd,
    clock,
  });
  await until(() => clock.waiting).toBe(1);
  await clock.pass(9_999);
  expect(asked.stderr).toBe('');
  await clock.pass(1);
  const note = `Studio at ${studio.url} has not answered for 10 s. Still waiting.\n`;
  expect(asked.stderr).toBe(note);
  release();
  expect(await asked.done).toMatchObject({ exitCode: 1, stderr: `${note}svc: Taken. (status 409)\n` });
  await api('GET /api/jobs', { clock });
  expect(clock.waiting).toBe(0);
});

it.each(['//evil.com/api/jobs', '/@evil.com', '/\\evil.com'])(
  'goes nowhere but to Studio: %s',
  async path => {
    const stderr = expect.stringMatching(/status 40[034]/);
    expect(await api(`GET ${path}`)).toMatchObject({ exitCode: 1, stderr });
  },
);
