// svc models pull and rm: downloads from a Hub on loopback, and what may be deleted.
import { createHmac } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { chooseBaseModel } from '../../cli/commands/cloud/choose-base-model.js';
import type { DescribedModel } from '../../cli/commands/models/describe-found.js';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { ownFolder } from '../../lib/cloud/disk/own-folder.js';
import { openBaseModel, roundedFolder } from '../../lib/cloud/index.js';
import { openDb } from '../../lib/cloud/store/db.js';
import { withFileLock } from '../../lib/sdk/local-cloud/index.js';
import { type ModelHub, startModelHub } from '../engine/hub/model-hub.js';
import { startFakeCloud } from '../support/fake-cloud.js';
import { ggufOfModel } from '../support/gguf-of-model.js';
import { openGoldenModel } from '../support/golden-models.js';
import { putInOllama } from '../support/ollama-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { callCli, startCli } from './support/terminal.js';

const NAME = 'acme/tiny';

let home: string;
let hub: ModelHub;
beforeEach(async () => {
  home = temporaryFolder('svc-pull');
  const files = readdirSync(baseModelFolder());
  hub = await startModelHub(NAME, {
    ...Object.fromEntries(files.map(name => [name, readFileSync(join(baseModelFolder(), name))])),
    'README.md': Buffer.from('---\nlicense: apache-2.0\n---\n'),
    'tiny.gguf': await ggufOfModel((await openGoldenModel('qwen3')).folder),
    'bad.gguf': Buffer.from('no model'),
  });
  onTestFinished(() => hub.close());
});

const models = () => join(home, 'svc', 'cloud', 'models');
const options = (isTTY = false) => ({
  ...{ cwd: home, isTTY, columns: 100 },
  env: { HOME: home, SVC_HOME: join(home, 'svc'), HF_ENDPOINT: hub.url, OLLAMA_MODELS: join(home, 'ollama') },
});
const call = (...args: string[]) => callCli(['models', ...args], options());

const bundledConfig = () => JSON.parse(readFileSync(join(baseModelFolder(), 'config.json'), 'utf8'));

function write(name: string, content: string | object): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), typeof content === 'string' ? content : JSON.stringify(content));
}

describe('svc models pull', () => {
  it('downloads a model once, and says what it is and how to use it', async () => {
    const { exitCode, stdout, stderr } = await call('pull', NAME, '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      model: { name: NAME, source: 'svc', license: 'apache-2.0', problem: null, inUse: false },
    });
    expect(stderr).toContain(`Downloading ${NAME}: 100%\n`);
    expect(stderr).toContain(`svc cloud start --base-model ${NAME}\n`);
    hub.requests.length = 0;
    expect((await call('pull', NAME)).stdout).toMatch(/^acme\/tiny is on this machine, 11\.\d MB\.\n$/);
    expect(hub.requests).toEqual([]);
    expect(readdirSync(models())).toEqual(['acme--tiny']);
  });

  it('downloads a GGUF file, and says if svc cannot run it', async () => {
    expect((await call('pull', `${NAME}:tiny.gguf`)).exitCode).toBe(0);
    const { exitCode, stderr } = await call('pull', `${NAME}:bad.gguf`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('svc cannot run it: The file is not a GGUF file.\n');
    expect((await call('pull', `${NAME}:none.gguf`)).stderr).toContain(
      `It has ${NAME}:tiny.gguf, ${NAME}:bad.gguf.`,
    );
  });

  it('asks the Hub neither for what ships with svc nor for nothing', async () => {
    hub.requests.length = 0;
    const bundled = await call('pull', 'svc/tiny-instruct');
    expect([bundled.exitCode, bundled.stderr]).toEqual([0, expect.stringContaining('ships with svc.')]);
    expect((await call('show', '')).stderr).toContain('The name of the base model is empty.');
    expect(hub.requests).toEqual([]);
  });

  it('draws a bar, and resumes after Ctrl-C', async () => {
    hub.stall = 'model.safetensors';
    const running = startCli(['models', 'pull', NAME], options(true));
    await running.shown('░');
    const hasPart = (name: string) =>
      Boolean(statSync(join(models(), name, 'model.safetensors.part'), { throwIfNoEntry: false })?.size);
    await until(() => readdirSync(models()).some(hasPart)).toBe(true);
    running.signal('SIGINT');
    const { exitCode, stderr } = await running.done;
    expect(exitCode).toBe(130);
    expect(stderr).toBe(`Stopped. To resume, run: svc models pull ${NAME}\n`);
    expect(readdirSync(models()).some(name => name.endsWith('.lock'))).toBe(false);
    expect((await call('list')).stdout).toContain(`Resume it with "svc models pull ${NAME}".`);
    const { length } = hub.requests;
    expect((await call('pull', NAME)).exitCode).toBe(0);
    expect(hub.requests.slice(length).some(line => /model\.safetensors bytes=[1-9]/.test(line))).toBe(true);
  });

  it('is done once by two at once', async () => {
    const both = await Promise.all([call('pull', NAME), call('pull', NAME)]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(
      hub.requests.filter(line => line.includes('/resolve/') && line.includes('/README.md')),
    ).toHaveLength(2);
  });

  it('leaves alone what Hugging Face has downloaded', async () => {
    const snapshot = join(home, '.cache/huggingface/hub/models--acme--tiny/snapshots/c0');
    cpSync(baseModelFolder(), snapshot, { recursive: true });
    const { stderr } = await call('pull', NAME);
    expect(stderr).toContain(`Hugging Face's cache has it already: ${snapshot}\n`);
    expect(hub.requests).toEqual([]);
  });

  it('says what the cache has, beside a download that was interrupted', async () => {
    cpSync(baseModelFolder(), join(home, '.cache/huggingface/hub/models--acme--tiny/snapshots/c0'), {
      recursive: true,
    });
    write(`svc/cloud/models/acme--tiny.${'c'.repeat(12)}.partial/config.json`, '{}');
    expect(JSON.parse((await call('pull', NAME, '--json')).stdout)).toMatchObject({
      model: { source: 'hub', problem: null },
    });
    expect((await call('rm', NAME)).exitCode).toBe(0);
    expect(readdirSync(models())).toEqual([]);
  });

  it.each(['tiny', './tiny', 'ollama:tiny', 'acme/tiny:../x.gguf'])('refuses %s', async name => {
    const { exitCode, stderr } = await call('pull', name);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`"${name}" is not a model on the Hugging Face Hub.`);
    expect(hub.requests).toEqual([]);
  });
});

describe('svc models rm', () => {
  it('deletes what was pulled, whole or in part', async () => {
    await call('pull', NAME);
    await call('pull', `${NAME}:tiny.gguf`);
    write(`svc/cloud/models/acme--cut.${'c'.repeat(12)}.partial/config.json`, '{}');
    const { stdout } = await call('rm', NAME, '--yes');
    expect(stdout).toMatch(/^Deleted acme\/tiny, 11\.\d MB\.\n$/);
    for (const name of [`${NAME}:tiny.gguf`, 'acme/cut']) expect((await call('rm', name)).exitCode).toBe(0);
    expect(readdirSync(models())).toEqual([]);
    expect((await call('rm', NAME)).stderr).toContain(`There is no base model ${NAME} on this machine.`);
  });

  it('deletes a model whose deletion was interrupted before', async () => {
    await call('pull', NAME);
    write(`svc/cloud/models/acme--tiny.${'0'.repeat(12)}.partial/config.json`, '{}');
    expect((await call('rm', NAME)).exitCode).toBe(0);
    expect(readdirSync(models())).toEqual([]);
  });

  it('waits for a download of the same model, and does not delete what became of it', async () => {
    const partial = `svc/cloud/models/acme--tiny.${'c'.repeat(12)}.partial`;
    write(`${partial}/config.json`, '{}');
    const removing = startCli(['models', 'rm', NAME], options(true));
    await withFileLock(join(models(), 'acme--tiny.lock'), async () => {
      await removing.shown('Delete acme/tiny');
      removing.type('y\r');
      // Meanwhile, it would have deleted the folder.
      for (let i = 0; i < 5; i++) await call('list');
      renameSync(join(home, partial), join(models(), 'acme--tiny'));
    });
    const { exitCode, stderr } = await removing.done;
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('its download finished. Run "svc models".'),
    ]);
    expect(readdirSync(models())).toEqual(['acme--tiny']);
  });

  it('asks on a terminal', async () => {
    await call('pull', NAME);
    const running = startCli(['models', 'rm', NAME], options(true));
    await running.shown('Delete acme/tiny (11.');
    running.type('n\r');
    expect(await running.done).toMatchObject({ exitCode: 1 });
    expect(readdirSync(models())).toEqual(['acme--tiny']);
  });

  it('deletes a link in the folder of models, and not what it leads to', async () => {
    const own = join(home, 'own');
    cpSync(baseModelFolder(), own, { recursive: true });
    mkdirSync(models(), { recursive: true });
    symlinkSync(own, join(models(), 'acme--linked'));
    expect((await call('rm', 'acme/linked')).exitCode).toBe(0);
    expect([readdirSync(models()), existsSync(join(own, 'config.json'))]).toEqual([[], true]);
    write('own/own.gguf', 'GGUF');
    symlinkSync(own, join(models(), 'acme--linked--files'));
    expect((await call('rm', 'acme/linked:own.gguf')).exitCode).toBe(1);
    expect(existsSync(join(own, 'own.gguf'))).toBe(true);
  });

  it('deletes what svc read of a file, and leaves the file to its program', async () => {
    const blob = putInOllama(join(home, 'ollama'), 'tiny:8b', hub.files['tiny.gguf']!);
    await read('ollama:tiny:8b');
    const { stdout } = await call('rm', 'ollama:tiny:8b');
    expect(stdout).toMatch(
      /^Deleted what svc read of ollama:tiny:8b, .*To delete it, run: ollama rm tiny:8b\n$/,
    );
    expect(readdirSync(models())).toEqual([]);
    expect(existsSync(blob)).toBe(true);
    expect((await call('rm', 'ollama:tiny:8b')).exitCode).toBe(1);
  });

  it('names the command of the program that owns it', async () => {
    cpSync(baseModelFolder(), join(home, '.cache/huggingface/hub/models--a--b/snapshots/c0'), {
      recursive: true,
    });
    expect((await call('rm', 'a/b')).stderr).toContain('To delete it, run: hf cache rm model/a/b');
    expect((await call('rm', 'svc/tiny-instruct')).stderr).toContain('ships with svc and cannot be deleted.');
    expect((await call('rm', home)).stderr).toContain(`so svc does not delete it: ${home}`);
  });

  it('does not delete what the cloud uses, or what jobs were trained on', async () => {
    await call('pull', NAME);
    write('svc/cloud/options.json', { 'base-model': NAME });
    const next = await call('rm', NAME);
    expect(next.stderr).toContain(`The next start of the local cloud uses ${NAME}.`);
    const lock = ownFolder(join(home, 'svc', 'cloud'));
    const used = await call('rm', NAME, '--force');
    write('svc/cloud/options.json', {});
    const silent = await call('rm', NAME, '--force');
    lock.release();
    expect(silent.stderr).toContain(`does not respond, so svc cannot tell whether it uses ${NAME}.`);
    expect(used.stderr).toContain(`The local cloud is running with ${NAME}. Stop it first`);
    // It is a copy of the model that ships with svc, so its adapters do not need it.
    write('svc/cloud/models/acme--tiny/config.json', { ...bundledConfig(), edited: true });
    await addTrainedJob(openBaseModel(join(models(), 'acme--tiny')).digest!);
    const trained = await call('rm', NAME);
    expect(trained.stderr).toContain(`Adapters of 1 job were trained on ${NAME} and need it.`);
    expect([next.exitCode, used.exitCode, trained.exitCode]).toEqual([1, 1, 1]);
    write('svc/cloud/options.json', { 'base-model': NAME });
    expect((await call('rm', NAME, '--force')).exitCode).toBe(0);
  });
});

describe('svc models rm, of rounded weights', () => {
  const roundedOf = (folder: string) =>
    roundedFolder(join(home, 'svc', 'cloud'), openBaseModel(folder).digest!);
  const round = (folder: string) => {
    write(join(relative(home, roundedOf(folder)), '1.forward.int8'), '1'.repeat(2_000_000));
    return roundedOf(folder);
  };
  const find = async (name: string) => {
    const { models } = JSON.parse((await call('list', '--json')).stdout) as { models: DescribedModel[] };
    return models.find(model => model.name === name)!;
  };

  it('counts them as part of a model, and deletes them with it', async () => {
    await call('pull', NAME);
    const { bytes, roundedBytes } = await find(NAME);
    expect(roundedBytes).toBe(0);
    const rounded = round(join(models(), 'acme--tiny'));
    expect((await find(NAME)).roundedBytes).toBe(2_000_000);
    expect((await call('show', NAME)).stdout).toMatch(/Rounded weights +2 MB/);
    const { stdout } = await call('rm', NAME, '--json');
    expect(JSON.parse(stdout).removed.paths).toEqual([join(models(), 'acme--tiny'), rounded]);
    expect([existsSync(rounded), bytes > 2_000_000]).toEqual([false, true]);
  });

  it('deletes them alone if the model is of another program, or ships with svc', async () => {
    const rounded = round(baseModelFolder());
    const { stdout } = await call('rm', 'svc/tiny-instruct');
    expect(stdout).toBe(
      'Deleted the rounded weights of svc/tiny-instruct, 2 MB. The model itself ships with svc and cannot be deleted.\n',
    );
    expect(existsSync(rounded)).toBe(false);
  });

  it('leaves those that a running cloud uses, whatever the model is called', async () => {
    await call('pull', NAME);
    const rounded = round(join(models(), 'acme--tiny'));
    write('svc/cloud/options.json', { 'base-model': 'acme/other' });
    await runCloud(baseModelFolder());
    expect((await call('rm', 'svc/tiny-instruct', '--force')).stderr).toContain(
      'with the rounded weights of',
    );
    const { stdout } = await call('rm', NAME, '--json');
    expect(JSON.parse(stdout).removed.paths).toEqual([join(models(), 'acme--tiny')]);
    expect(existsSync(rounded)).toBe(true);
  });
});

describe('svc models rm, of a model by other names', () => {
  it('deletes what was read of a file that is still there: the next start reads it again', async () => {
    for (const name of ['tiny:8b', 'same:8b'])
      putInOllama(join(home, 'ollama'), name, hub.files['tiny.gguf']!);
    const { digest } = (await read('ollama:tiny:8b'))!;
    await addTrainedJob(digest!);
    write('svc/cloud/options.json', { 'base-model': 'ollama:tiny:8b' });
    expect((await call('list')).stdout).toContain(
      'Chosen for the local cloud: ollama:same:8b, ollama:tiny:8b.',
    );
    expect((await call('rm', 'ollama:same:8b')).stdout).toContain('Deleted what svc read of ollama:same:8b');
    expect((await read('ollama:tiny:8b')).digest).toBe(digest);
  });

  it('deletes what jobs were trained on if it is here under another name', async () => {
    await call('pull', NAME);
    await addTrainedJob(openBaseModel(join(models(), 'acme--tiny')).digest!);
    expect((await call('rm', NAME)).exitCode).toBe(0);
  });

  it('does not delete what a running cloud uses, even with --force', async () => {
    const [first, second] = ['first', 'second'].map(name => join(home, `${name}.gguf`)) as [string, string];
    for (const file of [first, second]) writeFileSync(file, hub.files['tiny.gguf']!);
    const { folder } = await read(first);
    write('svc/cloud/options.json', { 'base-model': first });
    await runCloud(folder);
    expect((await read(second)).folder).toBe(folder);
    for (const name of [second, folder]) {
      const { stderr } = await call('rm', name, '--force');
      expect(stderr).toContain(`The local cloud is running with ${name}.`);
      rmSync(second, { force: true });
    }
    expect(readdirSync(models())).toEqual([basename(folder)]);
  });
});

/** Has svc read the file of a model, as for a start with it. */
const read = (model: string) =>
  chooseBaseModel({ 'base-model': model }, join(home, 'svc', 'cloud'), {
    env: options().env,
    stderr: { write: () => true },
  });

/** A cloud that says so of itself in cloud.json. */
async function runCloud(modelFolder: string): Promise<void> {
  const secret = 'secret';
  const prove = (nonce: string) => createHmac('sha256', secret).update(nonce).digest('hex');
  const about = { version: '9.9.9', baseModel: 'tiny', deploymentDomain: 'localhost' };
  const cloud = await startFakeCloud({
    getCloud: ({ query }: { query: { nonce: string } }) => ({ ...about, proof: prove(query.nonce) }),
  });
  onTestFinished(() => cloud.close());
  const { url } = cloud;
  const file = { url, port: Number(new URL(url).port), pid: process.pid, version: '9.9.9', secret };
  write('svc/cloud/cloud.json', { ...file, modelFolder });
}

/** A finished job whose adapter belongs to this base model. */
async function addTrainedJob(base_digest: string): Promise<void> {
  const db = await openDb(join(home, 'svc', 'cloud', 'cloud.db'));
  const about = { slug: 'a', name: 'a', created_at: '2026-11-27T00:00:00.000Z' };
  await db
    .insertInto('orgs')
    .values({ id: 'o', ...about })
    .execute();
  await db
    .insertInto('projects')
    .values({ id: 'p', org_id: 'o', ...about })
    .execute();
  const none = { error: null, step: null, total_steps: null, trainer: 'triage', tags: '[]' };
  const owner = { org_id: 'o', project_id: 'p', name: 'a', created_at: about.created_at };
  const job = { id: 'j', number: 1, status: 'completed', config: '{}', attempt: 1, last_seq: 0 } as const;
  await db
    .insertInto('jobs')
    .values({ ...none, ...owner, ...job, artifact_count: 1, base_digest })
    .execute();
  const adapter = { job_id: 'j', name: 'final', kind: 'final', step: 1, bytes: 1, sha256: 'x' } as const;
  await db.insertInto('artifacts').values(adapter).execute();
  await db.destroy();
}
