// svc models, on folders of made-up programs.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { chooseBaseModel } from '../../cli/commands/cloud/choose-base-model.js';
import type { DescribedModel } from '../../cli/commands/models/describe-found.js';
import { baseModelFolder } from '../../lib/base-model/index.js';
import { startFakeCloud } from '../support/fake-cloud.js';
import { ggufOfModel } from '../support/gguf-of-model.js';
import { openGoldenModel } from '../support/golden-models.js';
import { putInOllama } from '../support/ollama-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { callCli } from './support/terminal.js';

let home: string;
beforeEach(() => {
  home = temporaryFolder('svc-models');
});

const path = (...names: string[]) => join(home, ...names);
const cloud = () => path('svc', 'cloud');

function write(name: string, content: string | Uint8Array | object): string {
  mkdirSync(dirname(path(name)), { recursive: true });
  const isRaw = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path(name), isRaw ? content : JSON.stringify(content));
  return path(name);
}

/** The model that ships with svc, as if it had been downloaded. */
function copyModel(name: string): string {
  cpSync(baseModelFolder(), path(name), { recursive: true });
  return path(name);
}

const env = () => ({
  HOME: home,
  SVC_HOME: path('svc'),
  OLLAMA_MODELS: path('ollama'),
  HF_ENDPOINT: 'http://localhost:9',
});
const call = (...args: string[]) => callCli(['models', ...args], { cwd: home, env: env() });

async function list(): Promise<Record<string, DescribedModel>> {
  const { stdout } = await call('list', '--json');
  const { models } = JSON.parse(stdout) as { models: DescribedModel[] };
  return Object.fromEntries(models.map(model => [model.name, model]));
}

async function installInOllama(name: string): Promise<void> {
  const { folder } = await openGoldenModel('qwen3');
  putInOllama(path('ollama'), name, await ggufOfModel(folder, { metadata: { 'general.license': 'mit' } }));
}

/** Has svc read the file of a model, as for a start with it. */
const read = (model: string) =>
  chooseBaseModel({ 'base-model': model }, cloud(), { env: env(), stderr: { write: () => true } });

const start = (model: string) => write('svc/cloud/options.json', { 'base-model': model });

describe('svc models', () => {
  it('lists the model that ships with svc, on a new machine', async () => {
    expect(await list()).toEqual({
      'svc/tiny-instruct': expect.objectContaining({
        ...{ source: 'bundled', inUse: true, problem: null, architecture: 'llama', weightFormat: 'BF16' },
        ...{ license: 'MIT License', readBytes: 0, speed: null },
      }),
    });
    const { stdout } = await call();
    expect(stdout).toMatch(
      /^Name +Parameters +Weights +Size .*\nsvc\/tiny-instruct +5\.\d+ M +BF16 +11\.1 MB /,
    );
    expect(stdout).toContain('Chosen for the local cloud: svc/tiny-instruct.\n');
    expect(readdirSync(home)).toEqual([]);
  });

  it('lists what each program has, and what svc has, by the names that --base-model takes', async () => {
    await installInOllama('tiny:8b');
    write('.lmstudio/models/acme/GGUF/a.gguf', await ggufOfModel((await openGoldenModel('llama')).folder));
    copyModel('.cache/huggingface/hub/models--acme--cached/snapshots/c0');
    copyModel('svc/cloud/models/acme--pulled');
    write('svc/cloud/models/acme--gguf--files/b.gguf', 'damaged');
    write('svc/cloud/models/acme--gguf--files/c.gguf.part', 'GG');
    write(`svc/cloud/models/acme--cut.${'c'.repeat(12)}.partial/config.json`, '{}');
    write('svc/cloud/models/acme--pulled.lock', '');
    start('ollama:tiny:8b');
    const models = await list();
    const ok = { problem: null, memory: expect.anything() };
    expect(models).toEqual({
      'svc/tiny-instruct': expect.objectContaining({ inUse: false }),
      'ollama:tiny:8b': expect.objectContaining({ source: 'ollama', inUse: true, ...ok }),
      'lmstudio:acme/GGUF/a.gguf': expect.objectContaining({ source: 'lmstudio', ...ok }),
      'acme/cached': expect.objectContaining({ source: 'hub', ...ok }),
      'acme/pulled': expect.objectContaining({ source: 'svc', ...ok }),
      'acme/gguf:b.gguf': expect.objectContaining({ source: 'svc', problem: 'The file is not a GGUF file.' }),
      'acme/gguf:c.gguf': expect.objectContaining({
        problem: expect.stringContaining('svc models pull acme/gguf:c.gguf'),
      }),
      'acme/cut': expect.objectContaining({
        memory: null,
        problem: expect.stringContaining('svc models pull acme/cut'),
      }),
    });
  });

  it('counts what svc read of a file as part of it, and lists it alone once the file is gone', async () => {
    await installInOllama('tiny:8b');
    const file = write('own.gguf', await ggufOfModel((await openGoldenModel('llama')).folder));
    await read('ollama:tiny:8b');
    await read(file);
    const models = await list();
    expect(Object.keys(models)).toEqual(['svc/tiny-instruct', 'ollama:tiny:8b', file]);
    expect(models['ollama:tiny:8b']!.readBytes).toBeGreaterThan(models['ollama:tiny:8b']!.bytes / 2);
    rmSync(path('ollama'), { recursive: true });
    const left = Object.values(await list()).find(({ source }) => source === 'svc');
    expect(left).toMatchObject({ problem: null, architecture: 'qwen3', license: 'mit' });
    expect((await read(left!.name)).folder).toBe(left!.name);
  });

  it('keeps names apart in a narrow terminal', async () => {
    const gguf = await ggufOfModel((await openGoldenModel('qwen3')).folder);
    const name = 'acme/A-Model-With-A-Rather-Long-Name-GGUF';
    for (const form of ['Q4_K_M', 'Q8_0'])
      write(`svc/cloud/models/${name.replace('/', '--')}--files/a-model.${form}.gguf`, gguf);
    const { stdout } = await callCli(['models'], { cwd: home, env: env(), isTTY: true, columns: 80 });
    const lines = stripVTControlCharacters(stdout).split('\n');
    expect(lines.filter(line => /^acme\/A-Model-With.*…/.test(line))).toEqual([
      expect.stringMatching(/^acme\/A-Model-Wi.*…\S*Q4_K_M\.gguf /),
      expect.stringMatching(/^acme\/A-Model-Wi.*…\S*Q8_0\.gguf /),
    ]);
    expect(Math.max(...lines.slice(0, 4).map(line => line.length))).toBeLessThanOrEqual(80);
  });

  it("uses what Hugging Face's cache has, without a connection", async () => {
    const folder = copyModel('.cache/huggingface/hub/models--acme--cached/snapshots/c0');
    expect(await read('acme/cached')).toMatchObject({ name: 'acme/cached', folder });
    await expect(read('acme/other')).rejects.toThrow(
      'acme/other cannot be downloaded from http://localhost:9',
    );
  });
});

describe('svc models with a remote cloud', () => {
  const listWith = async (url: string) => {
    const options = { cwd: home, env: { ...env(), SVC_CLOUD_URL: url } };
    return (await callCli(['models'], options)).stdout;
  };

  it('says which model that one has, and that the rest is on this machine', async () => {
    const remote = await startFakeCloud();
    onTestFinished(() => remote.close());
    expect(await listWith(remote.url)).toMatch(
      new RegExp(
        `^The cloud at ${remote.url} uses svc/tiny\\. The models below are on this machine, for its local cloud\\.\\n\\nName `,
      ),
    );
    expect(remote.calls).toEqual(['GET /v1/cloud']);
    expect(await listWith('http://127.0.0.1:9')).toMatch(
      /^The cloud at http:\/\/127\.0\.0\.1:9 does not respond\./,
    );
  });
});

describe('svc models show', () => {
  it('shows all facts of one, also by another name for it', async () => {
    await installInOllama('tiny:latest');
    const { stdout, exitCode } = await call('show', 'ollama:tiny');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Name +ollama:tiny:latest\nFrom +Ollama\nPath +.*\nArchitecture +qwen3\n/);
    expect(stdout).toMatch(/^Memory to train +about /m);
    const folder = copyModel('own');
    expect(JSON.parse((await call('show', './own', '--json')).stdout)).toMatchObject({
      model: { name: folder, source: 'file', problem: null },
    });
  });

  it('knows each by the name that svc cloud status shows, too', async () => {
    await installInOllama('tiny:8b');
    const file = write('Own Model.Q8_0.gguf', await ggufOfModel((await openGoldenModel('llama')).folder));
    const folder = copyModel('own');
    for (const model of ['ollama:tiny:8b', file, folder]) {
      const { name } = await read(model);
      start(model);
      if (model === file) expect(name).toBe('Own-Model.Q8_0');
      const shown = JSON.parse((await call('show', name, '--json')).stdout).model;
      expect(shown).toMatchObject({ name: model, inUse: true });
    }
  });

  it('says what a model without a chat template cannot do, and so does the list', async () => {
    await installInOllama('tiny:8b');
    expect((await call('show', 'ollama:tiny:8b')).stdout).toMatch(
      /^Chat +none: it has no chat template\n[\s\S]*^Note +This base model has no chat template, so it cannot chat/m,
    );
    expect((await call()).stdout).toContain(
      'so they neither chat nor learn from messages: ollama:tiny:8b.\n',
    );
    const { stdout } = await call('show', 'svc/tiny-instruct');
    expect(stdout).toMatch(/^Chat +temperature /m);
    expect(stdout).not.toContain('Note');
  });

  it.each(['acme/none', './none', 'ollama:none', 'lmstudio:none'])('does not know %s', async name => {
    const { exitCode, stderr } = await call('show', name);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`There is no base model ${name} on this machine.`);
  });

  it('advises commands that are about the data folder it was asked about', async () => {
    const data = join(home, 'my data');
    const { stdout } = await call('--data', data);
    expect(stdout).toContain(`run "svc models show NAME --data '${data}'".`);
    const { stderr } = await call('show', 'acme/none', '--data', data);
    expect(stderr).toContain(`run "svc models --data '${data}'".`);
  });
});
