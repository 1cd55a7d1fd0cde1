// A GGUF file as base model, from its path to a folder that a cloud serves.
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { chooseBaseModel } from '../../cli/commands/cloud/choose-base-model.js';
import { startModelHub } from '../engine/hub/model-hub.js';
import { ggufOfModel } from '../support/gguf-of-model.js';
import { openGoldenModel } from '../support/golden-models.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let home: string;
let file: string;
let written: string;
beforeEach(async () => {
  home = temporaryFolder('svc-gguf');
  file = join(home, 'Tiny Model.F32.gguf');
  written = '';
  writeFileSync(file, await ggufOfModel((await openGoldenModel('llama')).folder));
});

const choose = (model: string, env: Record<string, string> = {}) =>
  chooseBaseModel({ 'base-model': model }, join(home, 'cloud'), {
    env,
    stderr: {
      write(text) {
        written += text;
        return true;
      },
    },
  });

const models = () => readdirSync(join(home, 'cloud', 'models'));

describe('a GGUF file', () => {
  it('is read once, also for a copy of it, and is called after its file', async () => {
    const first = await choose(file);
    expect(first.name).toBe('Tiny-Model.F32');
    expect(written).toMatch(/^Reading .*Tiny Model\.F32\.gguf \([\d.]+ [kM]B\)\. This happens once\.\n/);
    expect(written).toMatch(/: 100%\n$/);
    written = '';
    const copy = join(home, 'copy.gguf');
    copyFileSync(file, copy);
    expect(await choose(copy)).toEqual({ ...first, name: 'copy' });
    expect(written).toBe('');
    expect(models()).toHaveLength(1);
  });

  it('is read once by two at once', async () => {
    const [one, other] = await Promise.all([choose(file), choose(file)]);
    expect(one).toEqual(other);
    expect(written.match(/This happens once/g)).toHaveLength(1);
  });

  it('is refused if it is damaged, and nothing is kept', async () => {
    writeFileSync(file, (await ggufOfModel((await openGoldenModel('llama')).folder)).subarray(0, 50_000));
    await expect(choose(file)).rejects.toThrow(`${file}: tensor`);
    expect(models()).toEqual([]);
  });

  it('may be in the store of Ollama or on the Hub, and is called as there', async () => {
    const hub = await startModelHub('acme/tiny', {
      'tiny.gguf': await ggufOfModel((await openGoldenModel('qwen3')).folder),
    });
    const env = { HF_ENDPOINT: hub.url };
    const found = await choose('acme/tiny:tiny.gguf', env);
    expect(found.name).toBe('tiny');
    expect(written).toContain('Downloading acme/tiny: tiny.gguf');
    await expect(choose('acme/tiny:other.gguf', env)).rejects.toThrow(
      'acme/tiny has no other.gguf on the Hub. It has acme/tiny:tiny.gguf.',
    );
    await hub.close();
    expect(await choose('acme/tiny:tiny.gguf', env)).toEqual(found);
    const missing = choose('ollama:x', { OLLAMA_MODELS: home });
    await expect(missing).rejects.toThrow('Ollama has no model x on this machine');
    rmSync(file);
    await expect(choose(file)).rejects.toThrow(`There is no base model in ${file}.`);
  });
});
