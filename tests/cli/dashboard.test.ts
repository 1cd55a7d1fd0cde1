// The dashboard of svc dev and svc watch, from the outside: where it is, what it prints, its log, and its end.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDashboardFace, openLogFile } from '../../cli/commands/studio/dashboard-face.js';
import { findTerminal } from '../../cli/commands/studio/face.js';
import { ensureLocalCloud } from '../../lib/sdk/local-cloud/index.js';
import { fakeStudio, JOB_ID, jobSummary } from '../dashboard/support/fake-studio.js';
import { openHome } from '../sdk/local-cloud/homes.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { sampleDeployment } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { until } from '../support/until.js';
import { projectOfEach } from './support/project.js';
import { callCli } from './support/terminal.js';

const BY_NPX = { npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false' };

function openScreen(
  parts: Parameters<typeof fakeStudio>[0] = {},
  env: Record<string, string | undefined> = {},
  more: Partial<Parameters<typeof createDashboardFace>[0]> = {},
) {
  const root = temporaryFolder('svc-screen');
  let written = '';
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} });
  const stdout = Object.assign(new PassThrough(), { columns: 100, rows: 30, isTTY: true });
  stdout.on('data', (bytes: Buffer) => {
    written += bytes.toString();
  });
  const screen = createDashboardFace({
    name: 'dev',
    logFolder: join(root, 'logs'),
    folder: root,
    io: {
      ...{ stdin, stdout, stderr: stdout, cwd: root, onSignal: () => () => {} },
      env: { SVC_HOME: root, ...BY_NPX, ...env },
    },
    terminal: { stdin, stdout },
    rings: false,
    hasMouse: true,
    hasShell: false,
    ...more,
  });
  onTestFinished(() => screen.close());
  screen.show({ ...fakeStudio(parts), url: null });
  const text = () => stripVTControlCharacters(written);
  return { screen, stdin, text, shows: (wanted: string) => until(text).toContain(wanted) };
}

it('names the program as it was called in the line that stays when the dashboard is left', async () => {
  const train = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };
  const { screen, stdin, text, shows } = openScreen({ train, jobs: [jobSummary({ status: 'running' })] });
  await shows('running');
  stdin.write('q');
  await shows('Quit?');
  stdin.write('y');
  await screen.left;
  expect(text()).toContain(`Follow it with "npx svc jobs logs ${JOB_ID} --follow". Log: `);
});

it('shows what it was told before it was there', async () => {
  const { screen, shows } = openScreen();
  screen.note('It failed. Run "svc doctor".');
  screen.cloudAnswered();
  await shows('It failed. Run "npx svc doctor".');
  await shows('cloud up');
});

describe('the command line', () => {
  const project = projectOfEach({ isLinked: true });

  it('deletes nothing unasked, unless it says --yes', { timeout: JOURNEY_TIMEOUT_MS }, async () => {
    const { cwd: folder, env, cloud } = project;
    cloud.deployments.push(sampleDeployment({ slug: 'demo' }));
    const { stdin, shows } = openScreen({}, env, { folder, hasShell: true });
    await shows('Overview');
    stdin.write(':');
    await shows(':svc');
    stdin.write('endpoints delete demo\r');
    await shows('Delete demo? Its URL stops working, and its keys are gone.');
    await shows('Exited with code 1.');
    expect(cloud.deployments).toHaveLength(1);
  });
});

it('says that the cloud goes on, when it does', async () => {
  const [home, model] = [await openHome(), await makeModelFolder()];
  onTestFinished(async () => {
    await home.close();
    await rm(model, { recursive: true });
  });
  const leave = async (more = {}) => {
    const { screen, stdin, text, shows } = openScreen({}, { ...home.env, ...more });
    await shows('Overview');
    stdin.write('q');
    await screen.left;
    return text();
  };
  expect(await leave()).not.toContain('still running');
  const args = ['--base-model', model];
  const { url } = await ensureLocalCloud({ home: home.path, env: home.env, args });
  expect(await leave()).toContain(
    `The cloud at ${url} is still running. To stop it, run "npx svc cloud stop".\n`,
  );
  expect(await leave({ SVC_CLOUD_URL: 'http://127.0.0.1:9' })).not.toContain('still running');
});

it.each<[string, { stdin?: boolean; stdout?: boolean; env?: Record<string, string> }, boolean]>([
  ['at a terminal', {}, true],
  ['where nobody types', { stdin: false }, false],
  ['where nobody looks', { stdout: false }, false],
  ['on a CI machine', { env: { CI: 'true' } }, false],
  ['at a terminal that cannot be drawn on', { env: { TERM: 'dumb' } }, false],
])('is there %s: %j', (_, { stdin = true, stdout = true, env = {} }, isThere) => {
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  const io = { stdin: stream(stdin), stdout: stream(stdout), stderr: stream(true), env, cwd: '/' };
  expect(findTerminal(io) !== null).toBe(isThere);
});

it('svc watch says what to do without a terminal', async () => {
  expect(await callCli(['watch', '1a2b'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('svc jobs logs ID --follow'),
  });
});

it('the log tells of this launch and those before, and puts a long one aside', () => {
  const folder = join(temporaryFolder('svc-log'), 'logs');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  for (const line of ['first', 'second']) openLogFile(folder, 'dev').append(line);
  const lines = read('dev.log').trim().split('\n');
  const start = 'svc dev started (process N).';
  expect(lines.map(line => line.replace(/^\S+ /, '').replace(/\d+/, 'N'))).toEqual([
    start,
    'first',
    start,
    'second',
  ]);
  writeFileSync(join(folder, 'dev.log'), 'x'.repeat(1024 ** 2 + 1));
  openLogFile(folder, 'dev').append('third');
  expect(read('dev.log')).toContain('third');
  expect(read('dev.1.log')).toMatch(/^x+$/);
});

it('the log is made again where it was deleted, but not the project; lines that cannot be written are dropped', () => {
  const project = join(temporaryFolder('svc-log'), 'project');
  const state = join(project, '.svc');
  const folder = join(state, 'logs');
  const { append, path } = openLogFile(folder, 'dev');
  rmSync(state, { recursive: true });
  append('after a cleanup');
  expect(readFileSync(path, 'utf8')).toMatch(/^\S+ after a cleanup\n$/);
  rmSync(path);
  mkdirSync(path);
  append('where a folder is in the way');
  renameSync(project, `${project}-moved`);
  append('after a move');
  expect(existsSync(project)).toBe(false);
});
