// svc cloud: a real cloud, started, asked, cleared up and stopped by its commands.
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realClock } from '../../lib/clock/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { wasCloudStopped } from '../../lib/sdk/local-cloud/find.js';
import { ensureLocalCloud } from '../../lib/sdk/local-cloud/index.js';
import { isAlive } from '../../lib/sdk/processes.js';
import { findGpu, findSvc } from '../../lib/system/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { startModelHub } from '../engine/hub/model-hub.js';
import { findFreePort } from '../support/free-port.js';
import { ggufOfModel } from '../support/gguf-of-model.js';
import { openGoldenModel } from '../support/golden-models.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { until } from '../support/until.js';
import { untilGone } from '../support/until-gone.js';
import { writeCredentials } from '../support/write-credentials.js';
import { localCloud } from './support/local-cloud.js';
import { failure, jsonLines } from './support/project.js';

const hasGpu = (await findGpu()) !== null;
const nothing = { exitCode: 0, stderr: '' };

/** A file of a job that nobody knows. */
function leaveFile({ path }: ReturnType<typeof localCloud>, bytes: number): void {
  const folder = path('jobs', '00000000-0000-4000-8000-000000000000');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'adapter_model.safetensors'), Buffer.alloc(bytes));
}

describe('where no cloud runs', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const place = localCloud();
  const { svc, json } = place;

  it('svc cloud says so, and what to do', async () => {
    const status = await svc('cloud status');
    expect(status).toMatchObject({ exitCode: 1, stderr: '' });
    expect(status.stdout).toMatch(
      /^The cloud is not running\. To start it, run: svc cloud start\n {2}data .*0 B\n$/,
    );
    expect(await json('cloud status')).toMatchObject({ running: false, cloud: null });
    expect(await svc('cloud status', { SVC_CLOUD_URL: 'https://cloud.example' })).toMatchObject({
      stdout: status.stdout,
      stderr:
        'This is the local cloud. The commands for projects use https://cloud.example, because SVC_CLOUD_URL is set.\n',
    });
    expect(await svc('cloud stop')).toEqual({ ...nothing, stdout: 'The cloud is not running.\n' });
    expect(await svc('cloud gc')).toEqual({ ...nothing, stdout: 'Nothing to delete.\n' });
    expect(await svc('cloud logs')).toMatchObject(failure(1, 'No log yet'));
  });

  it.each([
    ['--base-model /no/such/model', 'There is no base model in /no/such/model.'],
    ['--tls-cert /no/cert.pem --tls-key /no/key.pem', 'Cannot read /no/cert.pem (ENOENT).'],
  ])('svc cloud start %s cannot be, and is not kept', async (options, message) => {
    const refused = { exitCode: 1, stdout: '', stderr: `svc: ${message}\n` };
    expect(await svc(`cloud start ${options}`)).toEqual(refused);
    expect(await json('cloud status')).toMatchObject({ options: {} });
    expect(await place.processes()).toEqual([]);
  });
});

describe('options of an earlier start', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const place = localCloud();
  const { svc } = place;

  it('are named where they do not go with what is typed', async () => {
    mkdirSync(place.path(), { recursive: true });
    writeFileSync(place.path('options.json'), JSON.stringify({ device: 'gpu', concurrency: '2' }));
    const remembered =
      'The cloud remembers --device=gpu --concurrency=2 from an earlier start. To forget these options, pass --reset.';
    const { stderr } = await svc('cloud start --base-weights int8');
    expect(stderr).toContain(`--base-weights int8 cannot be combined with --device gpu. ${remembered}`);
    const alone = await svc('cloud start --base-weights int4');
    expect(alone.stderr).toContain('must be auto');
    expect(alone.stderr).not.toContain('remembers');
  });
});

describe('a Python that cannot train', () => {
  const { svc, json } = localCloud();

  it.each<[string, Record<string, string>]>([
    ['--torch no/python', {}],
    ['', { SVC_TORCH: 'no/python' }],
  ])('keeps a cloud from starting, and is not kept: %s %j', async (option, env) => {
    const { exitCode, stderr } = await svc(`cloud start ${option}`.trim(), env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^svc: Jobs cannot train with \/.*\/no\/python: There is no such program\. Install /,
    );
    expect(await json('cloud status')).toMatchObject({ running: false, options: {} });
  });
});

describe('a cloud that was started in the background', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const place = localCloud({ of: 'all' });
  const { svc, json } = place;
  let url: string;
  beforeAll(async () => {
    url = `http://localhost:${place.home.env.SVC_CLOUD_PORT}`;
    const stdout = `The cloud is running at ${url} with base model ${basename(place.model)}.\n`;
    expect(await svc(`cloud start --base-model ${place.model}`)).toEqual({ ...nothing, stdout });
  });

  it('is found by the next start, in the foreground, too', async () => {
    const again = await svc(`cloud start --base-model ${place.model} --json`);
    expect(again).toMatchObject(nothing);
    const { pid, port, secret } = await place.home.readFile();
    expect(JSON.parse(again.stdout).cloud).toMatchObject({
      ...{ url, pid, port, version: packageJson.version },
      baseModel: basename(place.model),
      folder: place.home.folder,
    });
    expect(again.stdout).not.toContain(secret);
    const second = await svc(`cloud start --foreground --base-model ${place.model}`);
    expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('is already running at') });
    expect(await place.processes()).toEqual([pid]);
  });

  it('refuses a GGUF file beside it without reading more than its header, and says so of one that it cannot run', async () => {
    const file = join(place.home.folder, 'other.gguf');
    await writeFile(file, await ggufOfModel((await openGoldenModel('qwen3')).folder));
    const start = () => svc(`cloud start --base-model ${file}`);
    expect(await start()).toMatchObject({
      exitCode: 1,
      stderr: `svc: The cloud is already running at ${url} with other options. To change them, stop it first: "svc cloud stop".\n`,
    });
    expect(existsSync(join(place.home.folder, 'models'))).toBe(false);
    await writeFile(file, 'no model');
    expect((await start()).stderr).toBe(`svc: svc cannot run ${file}: The file is not a GGUF file.\n`);
    await rm(file);
  });

  it.each(['cloud start', 'cloud start --foreground'])('gets no other options from svc %s', async start => {
    const before = await place.home.readFile();
    for (const options of ['--port 8', '--reset --concurrency 2'])
      expect(await svc(`${start} ${options} --base-model ${place.model}`)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `svc: The cloud is already running at ${url} with other options. To change them, stop it first: "svc cloud stop".\n`,
      });
    const elsewhere = { SVC_HOME: join(place.home.path, 'none') };
    expect((await svc(`${start} --port 8 --data ${place.home.folder}`, elsewhere)).stderr).toContain(
      `stop it first: "svc cloud stop --data ${place.home.folder}".`,
    );
    expect((await svc(`${start} --reset --base-model ${place.model}`)).exitCode).toBe(0);
    expect(await place.home.readFile()).toEqual(before);
  });

  it('shows what it is and holds', async () => {
    const { exitCode, stdout } = await svc('cloud status');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`The cloud is running at ${url}\n`);
    expect(stdout).toMatch(/^ {2}jobs {8}0 running, 0 queued$/m);
    expect(stdout).toMatch(/^ {2}device {6}(?:CPU|GPU|auto)\b/m);
    expect(stdout).toMatch(/^ {2}data .*kB \(.*cloud\.db/m);
    const found = await json('cloud status');
    expect(found).toMatchObject({
      running: true,
      folder: place.home.folder,
      cloud: { idle: true, jobs: { queued: 0, running: 0 }, baseModel: basename(place.model) },
      sizes: { total: expect.any(Number), entries: { 'cloud.json': expect.any(Number) } },
    });
    expect(JSON.stringify(found)).not.toContain((await place.home.readFile()).secret);
  });

  it('clears up', async () => {
    leaveFile(place, 2_000_000);
    expect(await json('cloud gc')).toEqual({ collected: { files: 1, bytes: 2_000_000 } });
  });

  it('shows its log, as text or as an object a line', async () => {
    expect((await svc('cloud logs')).stdout).toMatch(
      /^\d{4}-\S+Z {2}Cloud .* is running at http:\/\/localhost:\d+ /m,
    );
    appendFileSync(place.path('logs', 'cloud.log'), 'last \x1b[31mwords\n');
    expect((await svc('cloud logs')).stdout).toContain('\nlast words\n');
    const lines = jsonLines((await svc('cloud logs --json')).stdout);
    expect(lines[0]).toEqual({ at: expect.any(String), message: expect.any(String) });
    expect(lines.at(-1)).toEqual({ message: 'last \x1b[31mwords' });
  });
});

describe('svc cloud start', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  const place = localCloud();
  const { svc, json, path } = place;
  const withModel = (options = '') => svc(`cloud start --base-model ${place.model}${options}`);
  const optionsOf = async () => (await json('cloud status')).options;
  const session = () => openSession({ folder: place.home.path, env: place.home.env });

  it('starts a cloud that svc cloud stop stops, after which svc cloud gc still clears up', async () => {
    await withModel();
    const { pid, url } = await place.home.readFile();
    expect(await svc('cloud stop')).toEqual({ ...nothing, stdout: `Stopped the cloud at ${url}.\n` });
    expect(isAlive(pid)).toBe(false);
    expect((await svc('cloud status')).exitCode).toBe(1);
    expect((await svc('cloud logs')).stdout).toMatch(/The cloud stopped\.\n$/);
    leaveFile(place, 3);
    expect((await svc('cloud gc')).stdout).toBe('Deleted 1 file, 3 B.\n');
  });

  it('in the foreground ends in order when it is interrupted, which is seen in the log that is followed', async () => {
    const follower = place.spawn([...findSvc(), 'cloud', 'logs', '--follow']);
    let followed = '';
    follower.stdout.on('data', chunk => {
      followed += chunk;
    });
    const cloud = place.spawn([
      ...findSvc(),
      ...`cloud start --foreground --json --base-model ${place.model}`.split(' '),
    ]);
    const [line] = await once(cloud.stdout, 'data');
    const answer = { cloud: { pid: cloud.pid, folder: place.home.folder } };
    expect(JSON.parse(String(line))).toMatchObject(answer);
    cloud.kill('SIGINT');
    expect(await once(cloud, 'exit')).toEqual([0, null]);
    await until(() => followed).toMatch(new RegExp(`process ${cloud.pid}\\.[\\s\\S]*The cloud stopped`));
    follower.kill('SIGINT');
    expect(readFileSync(path('logs', 'cloud.log'), 'utf8').match(/The cloud stopped/g)).toHaveLength(1);
  });

  it('downloads a base model from the Hub once, and calls it by its id', async () => {
    const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
    const files = await Promise.all(
      names.map(async name => [name, await readFile(join(place.model, name))] as const),
    );
    const id = 'acme/tiny-chat';
    const hub = await startModelHub(id, Object.fromEntries(files));
    const start = (model: string) => svc(`cloud start --base-model ${model}`, { HF_ENDPOINT: hub.url });
    const started = await start(id);
    hub.close();
    expect(started).toMatchObject(failure(0, `Downloading ${id}: model.safetensors, `));
    expect(started.stdout).toContain(`with base model ${id}`);
    expect((await svc('cloud stop')).exitCode).toBe(0);
    expect(await start(id)).toMatchObject(nothing);
    await svc('cloud stop');
    expect(await start('acme/other')).toMatchObject(failure(1, 'acme/other cannot be downloaded'));
  });

  it.skipIf(hasGpu)('fails with the reason if a GPU is asked for and there is none', async () => {
    for (const where of ['', ' --foreground']) {
      const { exitCode, stderr } = await svc(`cloud start --device gpu${where}`);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('The GPU cannot be used: ')]);
      expect(stderr).toContain('Start with --device auto or cpu.');
    }
    expect((await svc('cloud status')).stdout).toContain('The cloud is not running.');
    expect((await svc('cloud start', { SVC_DEVICE: 'gpu' })).exitCode).toBe(1);
  });

  describe('with options', () => {
    const provider = { 'oauth-issuer': 'http://127.0.0.1:9', 'oauth-audience': 'api' };
    const WITH_PROVIDER = '--oauth-issuer http://127.0.0.1:9 --oauth-audience api';
    const keep = (options: object) => writeFileSync(path('options.json'), JSON.stringify(options));
    beforeEach(() => void mkdirSync(path(), { recursive: true, mode: 0o700 }));

    it('holds to them until others are given, also when it is started because it is needed', async () => {
      keep({ concurrency: '3' });
      expect((await withModel(` --reset --no-anonymous ${WITH_PROVIDER}`)).exitCode).toBe(0);
      const options = { 'base-model': place.model, 'no-anonymous': true, ...provider };
      expect(await optionsOf()).toEqual(options);
      expect((await svc('cloud status')).stdout).toMatch(/^ {2}options {5}.*--no-anonymous.*$/m);
      expect(statSync(path('options.json')).mode & 0o777).toBe(0o600);
      await svc('cloud stop');
      expect(await optionsOf()).toEqual(options);

      await session().reach();
      expect(await json('cloud status')).toMatchObject({ cloud: { baseModel: basename(place.model) } });
      expect(await svc('cloud start --no-anonymous')).toMatchObject(nothing);
      expect(await svc('cloud start --anonymous')).toMatchObject(failure(1, 'svc cloud stop'));
      expect(await optionsOf()).toEqual(options);
    });

    it('changes them one by one, or forgets them all', async () => {
      keep({ 'base-model': place.model, 'no-anonymous': true, ...provider });
      expect((await svc('cloud start --anonymous --concurrency 3')).exitCode).toBe(0);
      const changed = { anonymous: true, concurrency: '3', 'base-model': place.model, ...provider };
      expect(await optionsOf()).toEqual(changed);
      expect(await session().ensureIdentity()).toMatchObject({ baseModel: basename(place.model) });
      await svc('cloud stop');
      const other = await makeModelFolder();
      expect((await svc(`cloud start --reset --base-model ${other}`)).exitCode).toBe(0);
      expect(await optionsOf()).toEqual({ 'base-model': other });
      // Who was known before knows the cloud as it is now.
      const known = (await session().credentials())!;
      expect(known).toMatchObject({ baseModel: basename(other) });
      // One that runs in the foreground tells nobody.
      await writeCredentials(place.home.path, { local: { ...known, baseModel: 'before' } });
      expect(await session().baseModel()).toBe(basename(other));
      await rm(other, { recursive: true });
    });

    it('has a port that stays until all is forgotten, which the environment is told', async () => {
      const usual = Number(place.home.env.SVC_CLOUD_PORT);
      const other = await findFreePort();
      const port = async () => (await place.home.readFile()).port;
      expect((await withModel(` --port ${other}`)).stderr).toBe('');
      await svc('cloud stop');
      for (const options of [
        { 'base-model': place.model, port: String(other) },
        { 'base-model': place.model },
      ]) {
        keep(options);
        const { stderr } = await svc('cloud start');
        expect(stderr).toContain(`SVC_CLOUD_PORT (${usual}) applies only to a cloud's first start`);
        expect(stderr).toContain(`This cloud uses port ${other}.`);
        expect(await port()).toBe(other);
        await svc('cloud stop');
      }
      expect(await withModel(' --reset')).toMatchObject(nothing);
      expect(await port()).toBe(usual);
    });

    it('that cannot be read does not pass them over: nobody is let in who was kept out', async () => {
      writeFileSync(path('options.json'), '{"no-anonymous":');
      for (const words of ['start', 'start --foreground', 'start --anonymous', 'status'])
        expect(await svc(`cloud ${words}`)).toMatchObject({
          exitCode: 1,
          stderr: expect.stringMatching(/options\.json does not contain valid options.*--reset/),
        });
      await expect(session().reach()).rejects.toThrow('does not contain valid options');
      expect(readFileSync(path('options.json'), 'utf8')).toBe('{"no-anonymous":');
      expect(await place.processes()).toEqual([]);
    });
  });

  it('is not taken for one that does not stay, however often it is stopped; one that is killed is', async () => {
    expect((await withModel()).exitCode).toBe(0);
    const at = realClock.elapsed();
    const { path: home, env } = place.home;
    // Because it is needed, which is when ends are counted; all in the same moment.
    const need = () => ensureLocalCloud({ home, env, clock: { ...realClock, elapsed: () => at } });
    const kill = async () => {
      const { pid } = await place.home.readFile();
      process.kill(pid, 'SIGKILL');
      await untilGone(pid);
    };
    for (let i = 0; i < 2; i++) {
      expect((await svc('cloud stop')).exitCode).toBe(0);
      expect(wasCloudStopped(place.home.folder)).toBe(true);
      await need();
      expect(wasCloudStopped(place.home.folder)).toBe(false);
    }
    await kill();
    await need();
    await kill();
    await expect(need()).rejects.toThrow('keeps exiting soon after it starts');
  });

  describe('with a base model that the engine cannot run', () => {
    const GEMMA = '{"model_type":"gemma"}';
    const refusal = 'model_type "gemma" is not supported; llama, qwen2';

    it('refuses it before anything is started, and before anything is to be stopped', async () => {
      const gemma = await makeModelFolder();
      writeFileSync(join(gemma, 'config.json'), GEMMA);
      const stderr = expect.stringContaining(`svc: ${join(gemma, 'config.json')}: ${refusal}`);
      const start = (where = '') => svc(`cloud start --base-model ${gemma}${where}`);
      for (const where of ['', ' --foreground'])
        expect(await start(where)).toEqual({ exitCode: 1, stdout: '', stderr });
      expect(await place.processes()).toEqual([]);
      expect((await withModel()).exitCode).toBe(0);
      expect(await start()).toEqual({ exitCode: 1, stdout: '', stderr });
      await svc('cloud stop');
      for (const name of ['tokenizer.json', 'model.safetensors']) await rm(join(gemma, name));
      // Which files are missing makes no difference then.
      expect(await start()).toEqual({ exitCode: 1, stdout: '', stderr });
      await rm(join(gemma, 'config.json'));
      expect((await start()).stderr).toContain('is missing config.json, tokenizer.json, model.safetensors.');
      await rm(gemma, { recursive: true });
    });

    it('refuses it on the Hub as soon as its config is known', async () => {
      const others = ['tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
      const files = [...others.map(name => [name, '{}']), ['config.json', GEMMA]] as [string, string][];
      const hub = await startModelHub(
        'acme/gemma',
        Object.fromEntries(files.map(([name, content]) => [name, Buffer.from(content)])),
      );
      const end = await svc('cloud start --base-model acme/gemma', { HF_ENDPOINT: hub.url });
      hub.close();
      expect(end).toMatchObject(failure(1, `acme/gemma cannot be used: config.json: ${refusal}`));
      expect(hub.requests.filter(line => /\/resolve\/(?!.*config\.json)/.test(line))).toEqual([]);
      expect(await place.processes()).toEqual([]);
    });
  });
});
