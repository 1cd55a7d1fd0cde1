// svc cloud: a real cloud, started, asked, cleared up and stopped by its commands.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realClock } from '../../lib/clock/index.js';
import { isAlive, openSession } from '../../lib/sdk/index.js';
import { wasCloudStopped } from '../../lib/sdk/local-cloud/find.js';
import { ensureLocalCloud } from '../../lib/sdk/local-cloud/index.js';
import { findSvc } from '../../lib/system/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { startModelHub } from '../engine/hub/model-hub.js';
import { findFreePort, findProcesses, type Home, openHome } from '../sdk/local-cloud/homes.js';
import { callCli } from '../support/cli.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';

let model: string;
let home: Home;
beforeAll(async () => {
  model = await makeModelFolder();
});
afterAll(() => rm(model, { recursive: true }));

/** One story in a home of its own: each test goes on where the last one left it. */
function describeStory(name: string, tell: () => void): void {
  describe(name, { timeout: JOURNEY_TIMEOUT_MS, shuffle: false }, () => {
    beforeAll(async () => {
      home = await openHome();
    });
    afterAll(async () => {
      for (const child of children) child.kill('SIGKILL');
      await home.close();
    });
    tell();
  });
}

const children: ChildProcess[] = [];

function spawnCli(...words: string[]) {
  const child = spawn(process.execPath, [...findSvc(), 'cloud', ...words], {
    env: home.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

const call = (...words: string[]) => callCli(['cloud', ...words], { env: home.env });

describeStory('svc cloud', () => {
  it('says that none runs, and what to do', async () => {
    const status = await call('status');
    expect(status).toMatchObject({ exitCode: 1, stderr: '' });
    expect(status.stdout).toMatch(
      /^The cloud is not running\. To start it, run: svc cloud start\n {2}data .*0 B\n$/,
    );
    expect(JSON.parse((await call('status', '--json')).stdout)).toMatchObject({
      running: false,
      cloud: null,
    });
    expect(await call('stop')).toEqual({ exitCode: 0, stdout: 'The cloud is not running.\n', stderr: '' });
    expect(await call('gc')).toEqual({ exitCode: 0, stdout: 'Nothing to delete.\n', stderr: '' });
    expect(await call('logs')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('No log yet') });
  });

  it('starts one in the background, and finds it afterwards', async () => {
    const url = `http://localhost:${home.env.SVC_CLOUD_PORT}`;
    const started = await call('start', '--base-model', model);
    expect(started).toEqual({
      exitCode: 0,
      stdout: `The cloud is running at ${url} with base model ${basename(model)}.\n`,
      stderr: '',
    });
    const again = await call('start', '--base-model', model, '--json');
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    const { cloud } = JSON.parse(again.stdout);
    const { pid, secret } = await home.readFile();
    const port = Number(home.env.SVC_CLOUD_PORT);
    expect(cloud).toMatchObject({
      url,
      pid,
      port,
      version: packageJson.version,
      baseModel: basename(model),
      folder: home.folder,
    });
    expect(again.stdout).not.toContain(secret);
    expect(await findProcesses(home.folder)).toEqual([pid]);
  });

  it.each([[[]], [['--foreground']]])('gives one that runs no other options, and says so %j', async where => {
    const before = await home.readFile();
    for (const options of [
      ['--port', '8'],
      ['--reset', '--concurrency', '2'],
    ])
      expect(await call('start', ...where, ...options, '--base-model', model)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `svc: The cloud is already running at ${before.url} with other options. To change them, stop it first: "svc cloud stop".\n`,
      });
    expect(await call('start', ...where, '--reset', '--base-model', model)).toMatchObject({ exitCode: 0 });
    expect(await home.readFile()).toEqual(before);
  });

  it('in the foreground finds it, too', async () => {
    const second = await call('start', '--foreground', '--base-model', model);
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is already running at') });
  });

  it('shows what it is and holds', async () => {
    const { exitCode, stdout } = await call('status');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`The cloud is running at http://localhost:${home.env.SVC_CLOUD_PORT}\n`);
    expect(stdout).toMatch(/^ {2}jobs {8}0 running, 0 queued$/m);
    expect(stdout).toMatch(/^ {2}data .*kB \(.*cloud\.db/m);
    const found = JSON.parse((await call('status', '--json')).stdout);
    expect(found).toMatchObject({
      running: true,
      folder: home.folder,
      cloud: { idle: true, jobs: { queued: 0, running: 0 }, baseModel: basename(model) },
      sizes: { total: expect.any(Number), entries: { 'cloud.json': expect.any(Number) } },
    });
    expect(JSON.stringify(found)).not.toContain((await home.readFile()).secret);
  });

  it('clears up, through the one that runs', async () => {
    const left = join(home.folder, 'jobs', '00000000-0000-4000-8000-000000000000');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'adapter_model.safetensors'), Buffer.alloc(2_000_000));
    expect(await call('gc', '--json')).toEqual({
      exitCode: 0,
      stdout: '{"collected":{"files":1,"bytes":2000000}}\n',
      stderr: '',
    });
  });

  it('shows its log, as text or as an object a line', async () => {
    const { stdout } = await call('logs');
    expect(stdout).toMatch(/^\d{4}-\S+Z {2}Cloud .* is running at http:\/\/localhost:\d+ /m);
    await appendFile(join(home.folder, 'logs', 'cloud.log'), 'last \x1b[31mwords\n');
    expect((await call('logs')).stdout).toContain('\nlast words\n');
    const lines = (await call('logs', '--json')).stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines[0]).toEqual({ at: expect.any(String), message: expect.any(String) });
    expect(lines.at(-1)).toEqual({ message: 'last \x1b[31mwords' });
  });

  it('stops it', async () => {
    const { pid, url } = await home.readFile();
    expect(await call('stop')).toEqual({
      exitCode: 0,
      stdout: `Stopped the cloud at ${url}.\n`,
      stderr: '',
    });
    expect(isAlive(pid)).toBe(false);
    expect((await call('status')).exitCode).toBe(1);
    expect((await call('logs')).stdout).toMatch(/The cloud stopped\.\n$/);
  });

  it('clears up where none runs', async () => {
    const left = join(home.folder, 'jobs', '00000000-0000-4000-8000-000000000000');
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'x'), 'abc');
    expect((await call('gc')).stdout).toBe('Deleted 1 file, 3 B.\n');
  });

  it('follows its log while a cloud runs in the foreground, which ends in order when it is interrupted', async () => {
    const follower = spawnCli('logs', '--follow');
    let followed = '';
    follower.stdout.on('data', chunk => {
      followed += chunk;
    });
    const cloud = spawnCli('start', '--foreground', '--json', '--base-model', model);
    const [line] = await once(cloud.stdout, 'data');
    expect(JSON.parse(String(line))).toMatchObject({ cloud: { pid: cloud.pid, folder: home.folder } });
    cloud.kill('SIGINT');
    expect(await once(cloud, 'exit')).toEqual([0, null]);
    const wanted = new RegExp(`process ${cloud.pid}\\.[^]*The cloud stopped`);
    await until(() => followed).toMatch(wanted);
    follower.kill('SIGINT');
    expect(
      (await readFile(join(home.folder, 'logs', 'cloud.log'), 'utf8')).match(/The cloud stopped/g),
    ).toHaveLength(2);
  });
});

describeStory('svc cloud start', () => {
  it('downloads a base model from the Hub once, and calls it by its id', async () => {
    const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
    const contents = await Promise.all(names.map(name => readFile(join(model, name))));
    const id = 'acme/tiny-chat';
    const hub = await startModelHub(id, Object.fromEntries(names.map((name, i) => [name, contents[i]!])));
    const env = { ...home.env, HF_ENDPOINT: hub.url };
    const started = await callCli(['cloud', 'start', '--base-model', id], { env });
    hub.close();
    expect(started).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`with base model ${id}`),
    });
    expect(started.stderr).toContain(`Downloading ${id}: model.safetensors, `);
    expect((await call('stop')).exitCode).toBe(0);
    const again = await callCli(['cloud', 'start', '--base-model', id], { env });
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    await call('stop');
    const unknown = await callCli(['cloud', 'start', '--base-model', 'acme/other'], { env });
    expect(unknown).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('acme/other cannot be downloaded'),
    });
  });

  it.each([
    [['--oauth-issuer', 'https://id.test'], 'must be used together'],
    [['--oauth-audience', 'api'], 'must be used together'],
    [['--oauth-issuer', 'http://id.test', '--oauth-audience', 'api'], 'must start with https://'],
    [['--oauth-issuer', 'id.test', '--oauth-audience', 'api'], 'must start with https://'],
    [['--oauth-issuer', 'https://id.test', '--oauth-audience='], 'option "--oauth-audience" needs a value.'],
    [['--host', '0.0.0.0'], '--tls-cert'],
    [['--host', '0.0.0.0', '--behind-proxy'], '--domain'],
    [['--domain', 'c.example'], '--tls-cert'],
    [['--tls-cert', 'x.pem'], '--tls-key must be used together'],
    [['--port', '0'], 'from 1 to 65535'],
    [['--port', 'http'], 'not "http"'],
    [['--port', '4190'], '--port cannot be 4190: browsers and fetch refuse to call it.'],
    [['--concurrency', '1.5'], 'from 1 to 64'],
    [['--memory', '4'], 'must be a size such as 4GB or 512MB, not "4"'],
    [['--base-weights', 'int4'], 'must be auto, f32 or int8, not "int4"'],
    [['--anonymous', '--no-anonymous'], 'cannot be combined with --no-anonymous'],
  ])('%j is a misuse', async (options, hint) => {
    for (const where of [[], ['--foreground']]) {
      const result = await call('start', ...where, ...options);
      expect(result).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(hint) });
    }
  });

  it.each([
    [['--base-model', '/no/such/model'], 'There is no base model in /no/such/model.'],
    [['--tls-cert', '/no/cert.pem', '--tls-key', '/no/key.pem'], 'Cannot read /no/cert.pem (ENOENT).'],
  ])('%j cannot be', async (options, message) => {
    const result = await call('start', ...options);
    expect(result).toMatchObject({ exitCode: 1, stdout: '', stderr: `svc: ${message}\n` });
    expect(await findProcesses(home.folder)).toEqual([]);
  });
});

describeStory('the options of svc cloud start', () => {
  const optionsFile = () => join(home.folder, 'options.json');
  const status = async () =>
    JSON.parse((await call('status', '--json')).stdout) as {
      options: Record<string, unknown>;
      cloud: { baseModel: string } | null;
    };
  const session = () => openSession({ folder: home.path, env: home.env });

  it('hold until others are given: also when the cloud is started because it is needed', async () => {
    const given = ['--no-anonymous', '--oauth-issuer', 'http://127.0.0.1:9', '--oauth-audience', 'api'];
    expect((await call('start', '--reset', '--base-model', model, ...given)).exitCode).toBe(0);
    const options = {
      'base-model': model,
      'no-anonymous': true,
      'oauth-issuer': 'http://127.0.0.1:9',
      'oauth-audience': 'api',
    };
    expect((await status()).options).toEqual(options);
    expect((await call('status')).stdout).toMatch(/^ {2}options {5}.*--no-anonymous.*$/m);
    expect((await stat(optionsFile())).mode & 0o777).toBe(0o600);
    await call('stop');
    expect((await status()).options).toEqual(options);

    const { url } = await session().reach();
    const info = (await (await fetch(`${url}/v1/cloud`)).json()) as object;
    expect(info).toMatchObject({
      baseModel: basename(model),
      oauth: { issuer: 'http://127.0.0.1:9', audience: 'api', clientId: 'svc' },
    });
    await expect(session().ensureIdentity()).rejects.toMatchObject({ code: 'anonymous_disabled' });

    const same = await call('start', '--no-anonymous');
    expect(same).toMatchObject({ exitCode: 0, stderr: '' });
    const other = await call('start', '--anonymous');
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('svc cloud stop') });
    expect((await status()).options).toEqual(options);
    await call('stop');
  });

  it('are changed one by one, or all forgotten', async () => {
    expect((await call('start', '--anonymous', '--concurrency', '3')).exitCode).toBe(0);
    expect((await status()).options).toEqual({
      anonymous: true,
      concurrency: '3',
      'base-model': model,
      'oauth-issuer': 'http://127.0.0.1:9',
      'oauth-audience': 'api',
    });
    expect(await session().ensureIdentity()).toMatchObject({ baseModel: basename(model) });
    await call('stop');
    const other = await makeModelFolder();
    expect((await call('start', '--reset', '--base-model', other)).exitCode).toBe(0);
    expect((await status()).options).toEqual({ 'base-model': other });
    // Who was known before knows the cloud as it is now.
    expect(await session().credentials()).toMatchObject({ baseModel: basename(other) });
    await call('stop');
    await rm(other, { recursive: true });
  });

  it('have a port that stays until all is forgotten, which the environment is told', async () => {
    const usual = Number(home.env.SVC_CLOUD_PORT);
    const other = await findFreePort();
    const port = async () => (await home.readFile()).port;
    expect((await call('start', '--port', String(other), '--base-model', model)).stderr).toBe('');
    await call('stop');
    for (const options of [{ 'base-model': model, port: String(other) }, { 'base-model': model }]) {
      await writeFile(optionsFile(), JSON.stringify(options));
      const { stderr } = await call('start');
      expect(stderr).toContain(`SVC_CLOUD_PORT (${usual}) applies only to a cloud's first start`);
      expect(stderr).toContain(`This cloud uses port ${other}.`);
      expect(await port()).toBe(other);
      await call('stop');
    }
    expect(await call('start', '--reset', '--base-model', model)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await port()).toBe(usual);
    await call('stop');
  });

  it('that do not work are not kept', async () => {
    const before = await readFile(optionsFile(), 'utf8');
    expect((await call('start', '--base-model', '/no/such/model')).exitCode).toBe(1);
    expect(await readFile(optionsFile(), 'utf8')).toBe(before);
  });

  it('that cannot be read are not passed over: nobody is let in who was kept out', async () => {
    await writeFile(optionsFile(), '{"no-anonymous":');
    for (const words of [['start'], ['start', '--foreground'], ['start', '--anonymous'], ['status']])
      expect(await call(...words)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/options\.json does not contain valid options.*--reset/),
      });
    await expect(session().reach()).rejects.toThrow('does not contain valid options');
    expect(await readFile(optionsFile(), 'utf8')).toBe('{"no-anonymous":');
    expect(await findProcesses(home.folder)).toEqual([]);
  });
});

describeStory('a cloud that is stopped and started', () => {
  it('is not taken for one that does not stay, however often; one that is killed is', async () => {
    expect((await call('start', '--reset', '--base-model', model)).exitCode).toBe(0);
    const at = realClock.elapsed();
    const clock = { ...realClock, elapsed: () => at };
    // Because it is needed, which is when ends are counted; all in the same moment.
    const need = () => ensureLocalCloud({ home: home.path, env: home.env, clock });
    for (let i = 0; i < 2; i++) {
      expect((await call('stop')).exitCode).toBe(0);
      expect(wasCloudStopped(home.folder)).toBe(true);
      await need();
      expect(wasCloudStopped(home.folder)).toBe(false);
    }
    await kill();
    await need();
    await kill();
    await expect(need()).rejects.toThrow('keeps exiting soon after it starts');
  });

  async function kill(): Promise<void> {
    const { pid } = await home.readFile();
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
  }
});
