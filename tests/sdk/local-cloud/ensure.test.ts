// The local cloud started on demand: real processes in temporary homes.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../lib/clock/index.js';
import { SCHEMA } from '../../../lib/cloud/store/schema.js';
import { openConnection } from '../../../lib/cloud/store/sqlite.js';
import { ensureLocalCloud, findLocalCloud, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import { openSession } from '../../../lib/sdk/session/session.js';
import { findSvc } from '../../../lib/system/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { callCli } from '../../cli/support/terminal.js';
import { tinyModel } from '../../engine/tiny-model.js';
import { createCertificate } from '../../engine/train/data/certificate.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { findTestProgram } from '../../support/test-program.js';
import { until } from '../../support/until.js';
import { untilFile } from '../../support/until-file.js';
import { untilGone } from '../../support/until-gone.js';
import { findProcesses, type Home, openHome, startIdle } from './homes.js';

const model = await tinyModel();
let home: Home;
beforeEach(async () => {
  home = await openHome();
});
afterEach(() => home.close());

const run = promisify(execFile);

type Options = Partial<Parameters<typeof ensureLocalCloud>[0]>;
const ensure = (options: Options = {}): Promise<LocalCloud> =>
  ensureLocalCloud({ home: home.path, env: home.env, args: ['--base-model', model], ...options });

/** In a process of its own. Resolves with what it prints. */
async function startElsewhere(): Promise<string> {
  const words = [...findSvc(), 'cloud', 'start', '--base-model', model];
  return (await run(process.execPath, words, { env: home.env as NodeJS.ProcessEnv })).stdout;
}

/** Runs a cloud of an older version, which is idle. */
async function startOlder() {
  await mkdir(home.folder, { recursive: true });
  const { path, execArgv } = await findTestProgram(join(import.meta.dirname, 'serve-version.ts'));
  const older = spawn(process.execPath, [...execArgv, path, home.folder, model, '0.0.9'], {
    env: home.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(older.stdout, 'data');
  const before = (await findLocalCloud(home.path))!;
  expect(before).toMatchObject({ pid: older.pid, version: '0.0.9' });
  return { older, before };
}

/** Processes that find that another one owns the folder exit on their own. */
async function expectOneProcess(pid: number): Promise<void> {
  await until(() => findProcesses(home.folder)).toEqual([pid]);
}

async function killAtOnce(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await untilGone(pid);
}

describe('the local cloud', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('says that its certificate is not trusted, and ends', async () => {
    const files = { cert: join(home.path, 'cert.pem'), key: join(home.path, 'key.pem') };
    const { cert, key } = createCertificate('localhost');
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
    const args = ['--base-model', model, '--tls-cert', files.cert, '--tls-key', files.key];
    await expect(ensure({ args })).rejects.toThrow(
      /its certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/,
    );
    await until(() => findProcesses(home.folder)).toEqual([]);
  });

  it('is left running when its public name does not lead to it, which is said soon', async () => {
    const files = { cert: join(home.path, 'cert.pem'), key: join(home.path, 'key.pem') };
    const { cert, key } = createCertificate('cloud.invalid');
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
    const clock = createHastyClock();
    /** Stands still until the cloud says that it runs. */
    const patient: Clock = {
      ...clock,
      async sleep(_, signal) {
        await untilFile(join(home.folder, 'cloud.json'));
        await clock.sleep(1000, signal);
      },
    };
    const tls = ['--domain', 'cloud.invalid', '--tls-cert', files.cert, '--tls-key', files.key];
    const starting = ensure({ args: ['--base-model', model, ...tls], clock: patient });
    starting.catch(() => {});
    const { url, pid } = JSON.parse(await untilFile(join(home.folder, 'cloud.json'))) as LocalCloud;
    await expect(starting).rejects.toThrow(
      new RegExp(
        `^The cloud is running \\(process ${pid}\\), but ${url} cannot be reached from this machine: (?:unknown host name|the host name lookup failed)\\.`,
      ),
    );
    expect(clock.elapsed()).toBeLessThan(13_000);
    // It keeps its folder, so that no other one starts.
    const again = ensure({ clock: patient });
    await expect(again).rejects.toThrow(
      `The cloud is running (process ${pid}), but ${url} cannot be reached`,
    );
    await expectOneProcess(pid);
  });

  it('starts once, in its own session, when several processes start it at the same time', async () => {
    const elsewhere = Array.from({ length: 3 }, startElsewhere);
    const [here, again] = await Promise.all([ensure(), ensure()]);
    const url = `http://localhost:${home.env.SVC_CLOUD_PORT}`;
    for (const printed of await Promise.all(elsewhere)) expect(printed).toContain(url);
    expect(again).toEqual(here);
    const { pid } = here;
    expect([here.url, pid]).toEqual([url, (await home.readFile()).pid]);
    await expectOneProcess(pid);
    const { stdout } = await run('ps', ['-o', 'sid=,pgid=', '-p', String(pid)]);
    expect(stdout.trim().split(/\s+/)).toEqual([String(pid), String(pid)]);
  });

  it('reports each start once, and restarts with the same port and secret after it was killed', async () => {
    const told: string[] = [];
    const noted = { onStart: (url: string) => void told.push(url) };
    const [first, same] = await Promise.all([ensure(noted), ensure(noted)]);
    expect(await ensure(noted)).toEqual(first);
    expect([same, told]).toEqual([first, [first.url]]);
    await killAtOnce(first.pid);
    expect(await findLocalCloud(home.path)).toBeNull();
    const second = await ensure();
    expect(second.pid).not.toBe(first.pid);
    expect({ ...second, pid: 0 }).toEqual({ ...first, pid: 0 });
    await expectOneProcess(second.pid);
  });

  it('uses another port when a foreign process has taken its own, and never sends it the secret', async () => {
    const first = await ensure();
    await killAtOnce(first.pid);
    const seen: string[] = [];
    const { version } = packageJson;
    const about = { version, baseModel: 'm', deploymentDomain: 'd', proof: '0'.repeat(64) };
    const foreign = createServer((request, response) => {
      seen.push(`${request.url} ${JSON.stringify(request.headers)}`);
      response.end(JSON.stringify(about));
    }).listen(first.port, '127.0.0.1');
    await once(foreign, 'listening');
    const second = await ensure();
    expect(second.port).not.toBe(first.port);
    expect(second.secret).toBe(first.secret);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.join()).not.toContain(first.secret);
    foreign.closeAllConnections();
    foreign.close();
  });

  it('starts despite a stale file whose pid belongs to another process', async () => {
    await mkdir(home.folder, { recursive: true });
    const port = Number(home.env.SVC_CLOUD_PORT);
    const { pid, isRunning } = await startIdle();
    await home.writeFile({ url: `http://localhost:${port}`, port, pid, version: '0.0.1', secret: 's' });
    expect(await findLocalCloud(home.path)).toBeNull();
    expect(await ensure()).toMatchObject({ port, secret: 's', version: packageJson.version });
    expect(isRunning()).toBe(true);
  });

  it('of an older version is replaced if it is idle when a command uses it', async () => {
    const { older, before } = await startOlder();
    await openSession({ folder: home.path, env: home.env }).reach();
    const after = await findLocalCloud(home.path);
    expect(after).toMatchObject({ version: packageJson.version, port: before.port, secret: before.secret });
    expect(older.exitCode ?? (await once(older, 'exit'))[0]).toBe(0);
  });

  it('of an older version keeps running if this svc cannot read its data, which `svc cloud start` says', async () => {
    const { before } = await startOlder();
    const database = openConnection(join(home.folder, 'cloud.db'), ['busy_timeout = 60000']);
    database.exec(`PRAGMA user_version = ${SCHEMA.version - 1}`);
    database.close();
    expect(await ensure()).toEqual(before);
    expect(await findLocalCloud(home.path)).toEqual(before);
    const said = await callCli(['cloud', 'start'], { env: home.env });
    expect(said).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is already running') });
    expect(said.stderr).toBe(
      `! The cloud runs svc 0.0.9, whose data svc ${packageJson.version} cannot read. Use that svc, or stop the cloud, move the data folder away and start the cloud again.\n`,
    );
  });

  it('reports why it cannot start, on each explicit request again, and leaves no process', async () => {
    const missing = join(home.path, 'no-such-model');
    const ask = (options: Options = {}) => ensure({ args: ['--base-model', missing], ...options });
    const failure = ask();
    await expect(failure).rejects.toMatchObject({ code: 'cloud_unreachable' });
    await expect(failure).rejects.toThrow(`There is no base model in ${missing}.`);
    await expect(failure).rejects.toThrow(join(home.folder, 'logs', 'cloud.log'));
    for (let i = 0; i < 3; i++)
      await expect(ask({ isAsked: true })).rejects.toThrow('There is no base model in');
    const output = await readFile(join(home.folder, 'logs', 'output.log'), 'utf8');
    expect(output.match(/There is no base model in/g)).toHaveLength(4);
    expect(await findProcesses(home.folder)).toEqual([]);
    expect((await ensure({ isAsked: true })).url).toContain('http://localhost:');
  });

  it('reports why it cannot start now, not why it could not before', async () => {
    const takers = [createServer(), createServer()].map(server => server.listen(0, '127.0.0.1'));
    await Promise.all(takers.map(server => once(server, 'listening')));
    const [one, other] = takers.map(server => (server.address() as AddressInfo).port);
    for (const port of [one, other, other, one]) {
      const args = ['--base-model', model, '--port', String(port)];
      const failure: unknown = await ensure({ args, isAsked: true }).catch(error => error);
      const named = [...String(failure).matchAll(/Port (\d+) is in use/g)].map(([, found]) => Number(found));
      expect(named).toEqual([port]);
    }
    for (const server of takers) server.close();
  });

  it('logs a crash and exits with 1', async () => {
    const crash =
      "data:text/javascript,process.once('SIGUSR2', () => { throw new Error('the roof fell in') })";
    const words = [...findSvc(), 'cloud', 'start', '--foreground', '--base-model', model];
    const child = spawn(process.execPath, ['--import', crash, ...words], {
      env: home.env as NodeJS.ProcessEnv,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await until(() => findLocalCloud(home.path)).not.toBeNull();
    child.kill('SIGUSR2');
    expect((await ended)[0]).toBe(1);
    const log = await readFile(join(home.folder, 'logs', 'cloud.log'), 'utf8');
    expect(log).toMatch(/"message":"The cloud crashed.","error":"Error: the roof fell in/);
  });
});
