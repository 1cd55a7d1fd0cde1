// Models in the folders of Ollama and LM Studio.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findLocalModel, isLocalModel } from '../../lib/engine/index.js';
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
    ['adapted', 'has an adapter beside its model, which is not supported'],
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
