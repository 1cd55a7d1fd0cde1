import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { createDashboardScreen } from '../../../cli/commands/dashboard/dashboard-screen.js';
import { ensureLocalCloud } from '../../../lib/sdk/index.js';
import { fakeStudio, JOB_ID, jobSummary } from '../../dashboard/support/fake-studio.js';
import { openHome } from '../../sdk/local-cloud/homes.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';

const BY_NPX = { npm_config_user_agent: 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false' };

async function createScreen(env: Record<string, string | undefined> = {}, hasShell = false) {
  const root = await mkdtemp(join(tmpdir(), 'svc-screen-'));
  let written = '';
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {}, ref() {}, unref() {} });
  const stdout = Object.assign(new PassThrough(), { columns: 100, rows: 30, isTTY: true });
  stdout.on('data', (bytes: Buffer) => {
    written += bytes.toString();
  });
  const screen = createDashboardScreen({
    name: 'dev',
    logFolder: join(root, 'logs'),
    folder: root,
    io: {
      stdin,
      stdout,
      stderr: stdout,
      env: { SVC_HOME: root, ...env },
      cwd: root,
      onSignal: () => () => {},
    },
    terminal: { stdin, stdout },
    hasShell,
  });
  onTestFinished(async () => {
    await screen.close();
    await rm(root, { recursive: true });
  });
  const text = () => stripVTControlCharacters(written);
  return { screen, stdin, text, shows: (wanted: string) => until(text).toContain(wanted) };
}

it('names the program as it was called in the line that stays when the dashboard is left', async () => {
  const { screen, stdin, text, shows } = await createScreen(BY_NPX);
  const train = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: JOB_ID, exitCode: null };
  const studio = fakeStudio({ train, jobs: [jobSummary({ status: 'running' })] });
  screen.open({ ...studio, studioUrl: null });
  await shows('running');
  stdin.write('q');
  await shows('Quit?');
  stdin.write('y');
  await screen.left;
  expect(text()).toContain(`Follow it with "npx svc jobs logs ${JOB_ID} --follow". Log: `);
});

it('shows what it was told before it was there', async () => {
  const { screen, shows } = await createScreen(BY_NPX);
  screen.open({ ...fakeStudio(), studioUrl: null });
  screen.note('It failed. Run "svc doctor".');
  screen.cloudAnswered();
  await shows('It failed. Run "npx svc doctor".');
  await shows('cloud up');
});

it('runs commands where it has a shell', async () => {
  const { screen, stdin, shows } = await createScreen(BY_NPX, true);
  screen.open({ ...fakeStudio(), studioUrl: null });
  await shows(': command');
  stdin.write(':version\r');
  await shows('Done.');
});

it('says that the cloud goes on, when it does', async () => {
  const home = await openHome();
  const model = await makeModelFolder();
  onTestFinished(async () => {
    await home.close();
    await rm(model, { recursive: true });
  });
  const leave = async (env: Record<string, string | undefined>) => {
    const { screen, stdin, text, shows } = await createScreen({ ...BY_NPX, ...env });
    screen.open({ ...fakeStudio(), studioUrl: null });
    await shows('Overview');
    stdin.write('q');
    await screen.left;
    return text();
  };
  expect(await leave(home.env)).not.toContain('still running');
  const { url } = await ensureLocalCloud({
    home: home.path,
    env: home.env,
    args: ['--base-model', model],
  });
  expect(await leave(home.env)).toContain(
    `The cloud at ${url} is still running. To stop it, run "npx svc cloud stop".\n`,
  );
  expect(await leave({ ...home.env, SVC_CLOUD_URL: 'http://127.0.0.1:9' })).not.toContain('still running');
});
