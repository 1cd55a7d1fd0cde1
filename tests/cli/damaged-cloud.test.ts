// A cloud whose files were damaged while it runs: its commands find it and end it all the same, and say what is wrong.
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findRunning } from '../../cli/commands/cloud/local-cloud.js';
import { checkCloud, lookForCloud } from '../../cli/commands/doctor/cloud.js';
import type { Clock } from '../../lib/clock/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { stopOwner } from '../../lib/sdk/local-cloud/index.js';
import { isAlive } from '../../lib/sdk/processes.js';
import { findSvc } from '../../lib/system/index.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { findTestProgram } from '../support/test-program.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { localCloud } from './support/local-cloud.js';
import { failure } from './support/project.js';

const place = localCloud();
const { svc, json, path } = place;
beforeEach(() => void mkdirSync(path(), { recursive: true, mode: 0o700 }));

const clock = createVirtualClock();
/** What one sleeps is over at once. */
const hasty: Clock = { ...clock, sleep: ms => clock.pass(ms) };

/** What svc doctor finds. */
const check = async (by?: Clock) =>
  checkCloud(place.home.path, place.home.env, await lookForCloud(place.home.path, by));

async function start(nodeArgs: string[] = [], args: string[] = []) {
  const words = ['cloud', 'start', '--foreground', '--base-model', place.model, ...args];
  const child = place.spawn([...nodeArgs, ...findSvc(), ...words]);
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return { pid: child.pid!, exited };
}

describe('a cloud that runs', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('is found by every command within seconds, and stopped, whatever is in its cloud.json', async () => {
    const { pid } = await start();
    const before = await place.home.readFile();
    rmSync(path('cloud.json'));
    expect(await json('cloud status')).toMatchObject({ cloud: { pid } });
    await place.home.writeFile({ ...before, port: 1, url: 'http://localhost:1', secret: 'x' });
    const session = openSession({ folder: place.home.path, env: place.home.env });
    expect((await session.reach()).url).toBe(before.url);
    writeFileSync(path('cloud.json'), 'garbage');
    expect(await check()).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(`process ${pid}); data in ${path()}; its cloud.json`),
    });
    rmSync(path('cloud.json'));
    const stdout = `Stopped the cloud at ${before.url}.\n`;
    expect(await svc('cloud stop')).toMatchObject({ exitCode: 0, stdout });
    expect(isAlive(pid)).toBe(false);
  });

  it('ends in order where there are no signals to handle', async () => {
    const deaf = "data:text/javascript,process.on('SIGTERM', () => process.exit(9))";
    const { exited } = await start(['--import', deaf]);
    expect((await svc('cloud stop')).exitCode).toBe(0);
    expect(await exited).toEqual([0, null]);
    expect(readFileSync(path('logs', 'cloud.log'), 'utf8')).toContain('The cloud stopped.');
  });

  it('with a certificate that is not trusted is named so by every command, and can be stopped', async () => {
    const [cert, key] = ['cert', 'key'].map(name => join(place.home.path, `${name}.pem`)) as [string, string];
    const made = createCertificate('localhost');
    writeFileSync(cert, made.cert);
    writeFileSync(key, made.key);
    const { exited } = await start([], ['--tls-cert', cert, '--tls-key', key]);
    for (const name of ['status', 'start', 'gc'])
      expect(await svc(`cloud ${name}`)).toMatchObject(failure(1, 'is self-signed'));
    const message = expect.stringContaining('is self-signed');
    expect(await check()).toMatchObject({ status: 'problem', message });
    expect((await svc('cloud stop')).exitCode).toBe(0);
    expect(await exited).toEqual([0, null]);
  });
});

it('a cloud.json that was damaged is no fault where no cloud runs', async () => {
  writeFileSync(path('cloud.json'), 'garbage');
  const stdout = 'The cloud is not running.\n';
  expect(await svc('cloud stop')).toMatchObject({ exitCode: 0, stdout });
  expect(await check()).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('its cloud.json is not valid JSON'),
    hint: 'The next start rewrites it.',
  });
});

it('a process that owns the folder and does not answer is named with what to do, and can be ended', async () => {
  const source = join(import.meta.dirname, '..', 'cloud', 'host', 'hold-folder.ts');
  const program = await findTestProgram(source);
  const holder = place.spawn([...program.execArgv, program.path, path()]);
  await once(holder.stdout, 'data');
  const found = await check(hasty);
  expect(found).toMatchObject({ status: 'problem', hint: expect.any(String) });
  expect(found.message).toContain('is not responding');
  const since = clock.elapsed();
  const { cloud, owner } = await findRunning(path(), hasty);
  expect([cloud, clock.elapsed() - since]).toEqual([null, 5100]);
  if (process.platform !== 'linux') return;
  expect(found.message).toContain(`process ${holder.pid}`);
  expect(owner).toEqual({ pid: holder.pid, unreachable: null });
  expect(await stopOwner(owner!.pid!)).toBe(true);
  expect(await findRunning(path(), hasty)).toEqual({ cloud: null, owner: null });
});

describe('a data folder that cannot be used', () => {
  it.each(['start', 'stop', 'status', 'gc'])('is named by svc cloud %s: garbage in its lock', async name => {
    writeFileSync(path('lock.db'), 'garbage '.repeat(300));
    writeFileSync(path('cloud.db'), '');
    const words = name === 'start' ? `start --foreground --base-model ${place.model}` : name;
    const message = `${path('lock.db')} is damaged. It holds no data: delete it and try again.`;
    expect(await svc(`cloud ${words}`)).toEqual({ exitCode: 1, stdout: '', stderr: `svc: ${message}\n` });
    expect(await check(hasty)).toMatchObject({ status: 'problem', message });
  });

  it.each(['', ' --foreground'])(
    'is refused before anything is started: one that others read%s',
    async how => {
      const shared = temporaryFolder('svc-shared');
      writeFileSync(join(shared, 'notes.txt'), '');
      chmodSync(shared, 0o755);
      expect(await svc(`cloud start --data ${shared} --base-model ${place.model}${how}`)).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/^svc: Other users can open .* \(mode 755\)/),
      });
    },
  );
});
