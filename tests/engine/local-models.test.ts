// Models in the folders of Ollama and LM Studio.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findHubModel, findLocalModel, isLocalModel, listLocalModels } from '../../lib/engine/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let home: string;
beforeEach(() => {
  home = temporaryFolder('svc-home');
});

function put(path: string, content: string | object = 'GGUF'): string {
  const whole = join(home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, typeof content === 'string' ? content : JSON.stringify(content));
  return whole;
}

const find = (name: string, env: Record<string, string> = {}) => findLocalModel(name, { env, home });
const list = (env: Record<string, string> = {}) => listLocalModels({ env, home });
const names = async (env?: Record<string, string>) => (await list(env)).map(({ name }) => name);

it('are named after their program', () => {
  for (const name of ['ollama:a', 'lmstudio:a/b']) expect(isLocalModel(name)).toBe(true);
  for (const name of ['ollama:', 'a:b', '/ollama:a', 'acme/ollama']) expect(isLocalModel(name)).toBe(false);
});

describe('Ollama', () => {
  const hex = 'ab'.repeat(32);
  const layer = (kind: string, digest = `sha256:${hex}`) => ({
    mediaType: `application/vnd.ollama.image.${kind}`,
    digest,
  });
  const manifest = (path: string, ...layers: object[]) => put(`.ollama/models/manifests/${path}`, { layers });
  const putBlob = (store = '.ollama/models') => put(`${store}/blobs/sha256-${hex}`);

  it.each([
    ['smollm2', 'registry.ollama.ai/library/smollm2/latest'],
    ['smollm2:135m', 'registry.ollama.ai/library/smollm2/135m'],
    ['me/tiny:v1', 'registry.ollama.ai/me/tiny/v1'],
    ['hf.co/acme/tiny-GGUF:Q8_0', 'hf.co/acme/tiny-GGUF/Q8_0'],
  ])('has %s', async (name, path) => {
    manifest(path, layer('template', 'sha256:0'), layer('model'));
    const blob = putBlob();
    expect(await find(`ollama:${name}`)).toBe(blob);
  });

  it('lists all by the names that it shows, with their licenses, or why one cannot be used', async () => {
    const license = 'cd'.repeat(32);
    manifest(
      'registry.ollama.ai/library/smollm2/135m',
      layer('model'),
      layer('license', `sha256:${license}`),
    );
    manifest('registry.ollama.ai/me/tiny/latest', layer('model'));
    manifest('hf.co/acme/tiny-GGUF/Q8_0', layer('model'));
    manifest('registry.ollama.ai/library/adapted/latest', layer('model'), layer('adapter'));
    put('.ollama/models/manifests/registry.ollama.ai/library/broken/latest', '{');
    put('.ollama/models/manifests/registry.ollama.ai/library/.DS_Store');
    put('.ollama/models/manifests/registry.ollama.ai/library/a b/latest');
    const path = putBlob();
    const found = await list();
    expect(found.filter(model => model.path !== null)).toEqual([
      { program: 'ollama', name: 'ollama:hf.co/acme/tiny-GGUF:Q8_0', path },
      {
        ...{ program: 'ollama', name: 'ollama:smollm2:135m', path },
        licenseFile: join(home, '.ollama', 'models', 'blobs', `sha256-${license}`),
      },
      { program: 'ollama', name: 'ollama:me/tiny:latest', path },
    ]);
    expect(found.filter(model => model.path === null)).toEqual([
      expect.objectContaining({
        name: 'ollama:adapted:latest',
        problem: expect.stringContaining('has an adapter'),
      }),
      expect.objectContaining({
        name: 'ollama:broken:latest',
        problem: expect.stringContaining('is damaged'),
      }),
    ]);
    for (const { name } of found) expect(isLocalModel(name)).toBe(true);
  });

  it('may have its models in another folder', async () => {
    put('other/manifests/registry.ollama.ai/library/a/latest', { layers: [layer('model')] });
    const blob = putBlob('other');
    expect(await find('ollama:a', { OLLAMA_MODELS: join(home, 'other') })).toBe(blob);
  });

  it.each([
    ['b', 'Ollama has no model b on this machine (looked in '],
    ['b', 'To download it, run: ollama pull b'],
    ['../../x', '"../../x" is not the name of an Ollama model.'],
    ['a/b/c/d/e', 'is not the name of an Ollama model.'],
    ['cut', "Ollama's copy of cut is incomplete. Download it again: ollama pull cut"],
    ['other', "Ollama's other has no GGUF file"],
    ['evil', "Ollama's evil has no GGUF file"],
    ['adapted', 'has an adapter on top of its model, which is not supported'],
    ['broken', 'is damaged. Download the model again: ollama pull broken'],
  ])('refuses %s: %s', async (name, reason) => {
    const path = (of: string) => `registry.ollama.ai/library/${of}/latest`;
    manifest(path('cut'), layer('model', `sha256:${'0'.repeat(64)}`));
    manifest(path('other'), layer('template'));
    manifest(path('evil'), layer('model', 'sha256:../../../etc/passwd'));
    manifest(path('adapted'), layer('model'), layer('adapter'));
    put(`.ollama/models/manifests/${path('broken')}`, '{"layers":1}');
    await expect(find(`ollama:${name}`)).rejects.toThrow(reason);
  });
});

describe("Hugging Face's cache", () => {
  const cache = '.cache/huggingface/hub';
  const WHOLE = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];

  function putModel(id: string, files: readonly string[], { hub = cache, commit = 'c0' } = {}): string {
    const model = `${hub}/models--${id.replace('/', '--')}`;
    put(`${model}/refs/main`, commit);
    const blob = put(`${model}/blobs/b`);
    const snapshot = join(home, model, 'snapshots', commit);
    mkdirSync(snapshot, { recursive: true });
    for (const file of files) symlinkSync(blob, join(snapshot, file));
    return snapshot;
  }

  it('has models and GGUF files, by their names on the Hub', async () => {
    const path = putModel('acme/tiny', WHOLE);
    const files = putModel('acme/tiny--GGUF', [
      'README.md',
      'config.json',
      'tiny.Q8_0.gguf',
      'mmproj-tiny.gguf',
    ]);
    expect(await list()).toEqual([
      { program: 'hub', name: 'acme/tiny', path },
      { program: 'hub', name: 'acme/tiny--GGUF:tiny.Q8_0.gguf', path: join(files, 'tiny.Q8_0.gguf') },
    ]);
    expect(await findHubModel({ id: 'acme/tiny' }, { env: {}, home })).toBe(path);
    const file = { id: 'acme/tiny--GGUF', file: 'tiny.Q8_0.gguf' };
    expect(await findHubModel(file, { env: {}, home })).toBe(join(files, file.file));
  });

  it('is used only if all of a model is there, in the version that is the latest', async () => {
    const get = (id: string) => findHubModel({ id }, { env: {}, home });
    putModel('a/part', WHOLE.slice(0, 3));
    putModel('a/shards', [...WHOLE.slice(0, 3), 'model-00001-of-00002.safetensors']);
    expect([await get('a/part'), await get('a/shards'), await get('a/none')]).toEqual([null, null, null]);
    const whole = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'];
    expect(putModel('a/whole', [...WHOLE.slice(0, 3), ...whole])).toBe(await get('a/whole'));
    const named = 'model.safetensors-00001-of-00001.safetensors';
    expect(putModel('a/named', [...WHOLE.slice(0, 3), named])).toBe(await get('a/named'));
    putModel('a/two', WHOLE, { commit: 'c0' });
    expect(putModel('a/two', WHOLE, { commit: 'c1' })).toBe(await get('a/two'));
  });

  it.each([
    ['HF_HUB_CACHE', 'x', 'x'],
    ['HF_HOME', 'x', 'x/hub'],
    ['XDG_CACHE_HOME', 'x', 'x/huggingface/hub'],
  ])('may be where %s says', async (variable, value, hub) => {
    putModel('acme/tiny', WHOLE, { hub });
    expect(await names({ [variable]: join(home, value) })).toEqual(['acme/tiny']);
    expect(await names()).toEqual([]);
  });

  it('lists a folder and the GGUF files in it, and no folder that has nothing else', async () => {
    putModel('acme/both', [...WHOLE, 'tiny.gguf']);
    putModel('acme/gguf', ['config.json', 'tiny.gguf']);
    expect(await names()).toEqual(['acme/both', 'acme/both:tiny.gguf', 'acme/gguf:tiny.gguf']);
  });

  it('is read as far as it makes sense', async () => {
    put(`${cache}/models--acme--file`);
    put(`${cache}/models--no-owner/refs/main`, 'c0');
    put(`${cache}/datasets--acme--rows/refs/main`, 'c0');
    put(`${cache}/models--acme--gone/refs/main`, '../../../..');
    putModel('acme/diffusion', ['model_index.json']);
    expect(await names()).toEqual([]);
  });
});

it('are listed up to a limit, and folders that cannot be read are left out', async () => {
  put('.ollama/models/manifests', 'a file');
  put('.lmstudio/models/acme/file');
  for (let i = 0; i < 1001; i++) put(`.lmstudio/models/acme/many/${i}.gguf`);
  put('.lmstudio/models/acme/next/last.gguf');
  symlinkSync(join(home, '.lmstudio', 'models'), join(home, '.lmstudio', 'models', 'acme', 'loop'));
  expect(await names()).toHaveLength(1000);
  await expect(find('lmstudio:acme/next')).rejects.toThrow('LM Studio has no GGUF model acme/next');
});

describe('LM Studio', () => {
  const folder = '.lmstudio/models/acme/Tiny-GGUF';

  it.each(['acme/Tiny-GGUF', 'tiny-gguf', 'tiny-q8_0', 'Tiny-Q8_0.gguf', 'acme/Tiny-GGUF/Tiny-Q8_0.gguf'])(
    'finds a model by %s',
    async name => {
      const path = put(`${folder}/Tiny-Q8_0.gguf`);
      put(`${folder}/mmproj-Tiny.gguf`);
      expect(await find(`lmstudio:${name}`)).toBe(path);
    },
  );

  it('lists its files', async () => {
    const path = put(`${folder}/Tiny-Q8_0.gguf`);
    put(`${folder}/config.json`);
    expect(await list()).toEqual([
      { program: 'lmstudio', name: 'lmstudio:acme/Tiny-GGUF/Tiny-Q8_0.gguf', path },
    ]);
  });

  it('may have moved, or be old', async () => {
    put('.lmstudio-home-pointer', `${join(home, 'moved')}\n`);
    const paths = [put('moved/models/a/b/one.gguf'), put('.cache/lm-studio/models/a/b/two.gguf')];
    expect([await find('lmstudio:one'), await find('lmstudio:two')]).toEqual(paths);
  });

  it('lists what it has where a name is unknown, or is that of several', async () => {
    await expect(find('lmstudio:tiny')).rejects.toThrow('has no GGUF model tiny on this machine (looked in ');
    put(`${folder}/a.gguf`);
    put(`${folder}/b.gguf`);
    const both = '\n  lmstudio:acme/Tiny-GGUF/a.gguf\n  lmstudio:acme/Tiny-GGUF/b.gguf';
    await expect(find('lmstudio:other')).rejects.toThrow(`It has:${both}`);
    const reason = `LM Studio has 2 files of Tiny-GGUF. Choose one:${both}`;
    await expect(find('lmstudio:Tiny-GGUF')).rejects.toThrow(reason);
  });
});
