// Downloads of a model from the Hub, including interruptions, wrong checksums and errors.
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ModelDownloadError } from '../../../lib/engine/hub/download-model.js';
import { downloadModel, isModelId } from '../../../lib/engine/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type ModelHub, startModelHub } from './model-hub.js';

const id = 'acme/tiny-chat';
const weights = randomBytes(3 * 1024 ** 2);

let home: string;
let folder: string;
let hub: ModelHub;
beforeEach(async () => {
  home = temporaryFolder('svc-model');
  folder = join(home, 'models', 'acme--tiny-chat');
  hub = await startModelHub(id, {
    'config.json': Buffer.from('{"a":1}'),
    'tokenizer.json': Buffer.from('{}'),
    'tokenizer_config.json': Buffer.from('{"chat_template":""}'),
    'generation_config.json': Buffer.from('{"b":2}'),
    'model.safetensors': weights,
    'README.md': Buffer.from('read me'),
    'pytorch_model.bin': Buffer.from('pickle'),
    'training_args.safetensors': Buffer.from('x'),
  });
  onTestFinished(() => hub.close());
});

const download = (onFile?: (path: string) => void) =>
  downloadModel({ id, folder, hubUrl: hub.url, hubToken: undefined, ...(onFile && { onFile }) });

const partial = () => `${folder}.${'c'.repeat(12)}.partial`;

const asked = (path: string) => hub.requests.filter(line => line.includes(`/${path}`));

async function expectWhole(): Promise<void> {
  expect((await readFile(join(folder, 'model.safetensors'))).equals(weights)).toBe(true);
}

describe('a model on the Hub', () => {
  it('downloads only the files that the engine reads, once', async () => {
    const reported: string[] = [];
    await download(path => reported.push(path));
    const settings = ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json'];
    expect((await readdir(folder)).sort()).toEqual([...settings, 'model.safetensors'].sort());
    expect(reported.at(-1)).toBe('model.safetensors');
    await expectWhole();
    expect(await readdir(join(home, 'models'))).toEqual(['acme--tiny-chat']);
    hub.requests.length = 0;
    await download();
    expect(hub.requests).toEqual([]);
  });

  it('resumes an interrupted download', async () => {
    hub.cut = 'model.safetensors';
    await expect(download()).rejects.toThrow(ModelDownloadError);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
    const { size } = await stat(join(partial(), 'model.safetensors.part'));
    expect(size).toBeGreaterThan(0);
    hub.requests.length = 0;
    await download();
    expect(asked('config.json').length + asked('tokenizer.json').length).toBe(0);
    expect(asked('model.safetensors').at(-1)).toContain(`bytes=${size}-`);
    await expectWhole();
  });

  it('is rejected if a checksum does not match, and downloaded again the next time', async () => {
    hub.tampered['model.safetensors'] = randomBytes(weights.length);
    await expect(download()).rejects.toThrow("model.safetensors does not match the Hub's checksum");
    await expect(stat(folder)).rejects.toThrow('ENOENT');
    hub.tampered = { 'config.json': Buffer.from('{"a":2}') };
    await rm(join(partial(), 'config.json'));
    await expect(download()).rejects.toThrow('config.json does not match');
    hub.tampered = {};
    await download();
    await expectWhole();
  });

  it('is downloaded as shards, unless it also has a single weights file', async () => {
    const parts = ['model.safetensors.index.json', 'model-00001-of-00002.safetensors'];
    for (const name of parts) hub.files[name] = Buffer.from('{}');
    delete hub.files['model.safetensors'];
    await download();
    expect(await readdir(folder)).toEqual(expect.arrayContaining(parts));
    await rm(folder, { recursive: true });
    hub.files['model.safetensors'] = weights;
    await download();
    expect((await readdir(folder)).filter(name => name.startsWith('model'))).toEqual(['model.safetensors']);
  });

  it.each([
    ['config.json', 'has no config.json on the Hub'],
    ['tokenizer.json', 'has no tokenizer.json on the Hub'],
    ['model.safetensors', 'has no safetensors weights'],
  ])('without %s is rejected before anything is downloaded', async (path, message) => {
    delete hub.files[path];
    await expect(download()).rejects.toThrow(message);
    expect(hub.requests.filter(line => line.includes('/resolve/'))).toEqual([]);
  });

  it.each([
    [401, 'no public model acme/tiny-chat on the Hub'],
    [404, 'no public model acme/tiny-chat on the Hub'],
    [403, 'accept its conditions'],
    [503, 'answered 503'],
  ])('reports what to do when the Hub answers %i', async (status, message) => {
    hub.status = status;
    await expect(download()).rejects.toThrow(message);
  });

  it('reports that the Hub cannot be reached', async () => {
    hub.close();
    await expect(download()).rejects.toThrow(`cannot be downloaded from ${hub.url} (ECONNREFUSED)`);
  });
});

it('a model ID is an owner and a name', () => {
  expect(['a/b', 'HuggingFaceTB/SmolLM2-135M', 'a/b.c'].every(isModelId)).toBe(true);
  expect(['a', './a', '../a', '/a/b', 'a/b/c', 'a/..', '~/a', 'a/.b', ''].some(isModelId)).toBe(false);
});
