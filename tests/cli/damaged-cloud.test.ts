// A cloud whose files were damaged while it runs: its commands find it and end it all the same, and say what is wrong.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findRunning } from '../../cli/commands/cloud/find-running.js';
import { checkCloud, lookForCloud } from '../../cli/commands/doctor/cloud.js';
import type { Clock } from '../../lib/clock/index.js';
import { isAlive, openSession } from '../../lib/sdk/index.js';
import { stopOwner } from '../../lib/sdk/local-cloud/index.js';
import { findSvc } from '../../lib/system/index.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { type Home, openHome } from '../sdk/local-cloud/homes.js';
import { callCli } from '../support/cli.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { createVirtualClock } from '../support/virtual-clock.js';

let model: string;
beforeAll(async () => {
  model = await makeModelFolder();
});
afterAll(() => rm(model, { recursive: true }));

let home: Home;
const children: ChildProcess[] = [];
beforeEach(async () => {
  home = await openHome();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await home.close();
});

const clock = createVirtualClock();
/** What one sleeps is over at once. */
const hasty: Clock = { ...clock, sleep: ms => clock.pass(ms) };

const call = (...words: string[]) => callCli(words, { env: home.env });

async function start(nodeArgs: string[] = [], args: string[] = []): Promise<ChildProcess> {
  const words = [...findSvc(), 'cloud', 'start', '--foreground', '--base-model', model, ...args];
  const child = spawn(process.execPath, [...nodeArgs, ...words], {
    env: home.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout!, 'data');
  return child;
}

describe('a cloud whose cloud.json was damaged', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('is found by every command within seconds, and stopped', async () => {
    const cloud = await start();
    const path = join(home.folder, 'cloud.json');
    const before = await home.readFile();
    await rm(path);
    const { exitCode, stdout } = await call('cloud', 'status', '--json');
    expect([exitCode, JSON.parse(stdout).cloud.pid]).toEqual([0, cloud.pid]);
    await home.writeFile({ ...before, port: 1, url: 'http://localhost:1', secret: 'x' });
    const reached = await openSession({ folder: home.path, env: home.env }).reach();
    expect(reached.url).toBe(before.url);
    await writeFile(path, 'garbage');
    expect(await checkCloud(home.path, home.env, await lookForCloud(home.path))).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(`process ${cloud.pid}); data in ${home.folder}; its cloud.json`),
    });
    await rm(path);
    expect(await call('cloud', 'stop')).toMatchObject({
      exitCode: 0,
      stdout: `Stopped the cloud at ${before.url}.\n`,
    });
    expect(isAlive(cloud.pid!)).toBe(false);
  });

  it('that does not run is no fault', async () => {
    await mkdir(home.folder, { recursive: true });
    await writeFile(join(home.folder, 'cloud.json'), 'garbage');
    expect(await call('cloud', 'stop')).toMatchObject({ exitCode: 0, stdout: 'The cloud is not running.\n' });
    expect(await checkCloud(home.path, home.env, await lookForCloud(home.path))).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('its cloud.json is not valid JSON'),
      hint: 'The next start rewrites it.',
    });
  });
});

describe('svc cloud stop', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('ends a cloud in order where there are no signals to handle', async () => {
    const deaf = "data:text/javascript,process.on('SIGTERM', () => process.exit(9))";
    const cloud = await start(['--import', deaf]);
    const exited = once(cloud, 'exit');
    expect((await call('cloud', 'stop')).exitCode).toBe(0);
    expect(await exited).toEqual([0, null]);
    expect(await readFile(join(home.folder, 'logs', 'cloud.log'), 'utf8')).toContain('The cloud stopped.');
  });
});

describe('a running cloud whose certificate is not trusted', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('is named so by every command that looks for it, and can be stopped', async () => {
    const files = { cert: join(home.path, 'cert.pem'), key: join(home.path, 'key.pem') };
    const { cert, key } = createCertificate('localhost');
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
    const cloud = await start([], ['--tls-cert', files.cert, '--tls-key', files.key]);
    const exited = once(cloud, 'exit');
    for (const name of ['status', 'start', 'gc']) {
      const { exitCode, stderr } = await call('cloud', name);
      expect([name, exitCode, stderr]).toEqual([name, 1, expect.stringContaining('is self-signed')]);
    }
    const check = await checkCloud(home.path, home.env, await lookForCloud(home.path));
    expect(check).toMatchObject({ status: 'problem', message: expect.stringContaining('is self-signed') });
    expect((await call('cloud', 'stop')).exitCode).toBe(0);
    expect(await exited).toEqual([0, null]);
  });
});

describe('a process that owns the folder and does not answer', () => {
  it('is named with what to do, and can be ended', async () => {
    await mkdir(home.folder, { recursive: true, mode: 0o700 });
    const program = join(import.meta.dirname, '..', 'cloud', 'serve', 'hold-folder.ts');
    const holder = spawn(process.execPath, ['--import', 'tsx', program, home.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(holder);
    await once(holder.stdout, 'data');
    const check = await checkCloud(home.path, home.env, await lookForCloud(home.path, hasty));
    expect(check).toMatchObject({
      status: 'problem',
      message: expect.stringContaining('is not responding'),
      hint: expect.any(String),
    });
    const since = clock.elapsed();
    const { cloud, owner } = await findRunning(home.folder, hasty);
    expect([cloud, clock.elapsed() - since]).toEqual([null, 5100]);
    if (process.platform !== 'linux') return;
    expect(check.message).toContain(`process ${holder.pid}`);
    expect(owner).toEqual({ pid: holder.pid });
    expect(await stopOwner(owner!.pid!)).toBe(true);
    expect(await findRunning(home.folder, hasty)).toEqual({ cloud: null, owner: null });
  });
});

describe('a data folder that cannot be used', () => {
  it.each(['start', 'stop', 'status', 'gc'])('is named by svc cloud %s: garbage in its lock', async name => {
    await mkdir(home.folder, { recursive: true, mode: 0o700 });
    const lock = join(home.folder, 'lock.db');
    await writeFile(lock, 'garbage '.repeat(300));
    await writeFile(join(home.folder, 'cloud.db'), '');
    const words = name === 'start' ? ['start', '--foreground', '--base-model', model] : [name];
    expect(await call('cloud', ...words)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `svc: ${lock} is damaged. It holds no data: delete it and try again.\n`,
    });
    expect(await checkCloud(home.path, home.env, await lookForCloud(home.path, hasty))).toMatchObject({
      status: 'problem',
      message: `${lock} is damaged. It holds no data: delete it and try again.`,
    });
  });

  it.each([[[]], [['--foreground']]])(
    'is refused before anything is started: one that others read %j',
    async how => {
      const shared = await mkdtemp(join(tmpdir(), 'svc-shared-'));
      await writeFile(join(shared, 'notes.txt'), '');
      await chmod(shared, 0o755);
      const words = ['cloud', 'start', '--data', shared, '--base-model', model];
      expect(await call(...words, ...how)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/^svc: Other users can open .* \(mode 755\)/),
      });
      await rm(shared, { recursive: true });
    },
  );
});
