// Downloads of a model from the Hub, including interruptions, wrong checksums and errors.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
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

const download = (
  onFile?: (path: string) => void,
  more: Pick<Parameters<typeof downloadModel>[0], 'onProgress' | 'signal'> = {},
) => downloadModel({ id, folder, hubUrl: hub.url, hubToken: undefined, ...(onFile && { onFile }), ...more });

const partial = () => `${folder}.${'c'.repeat(12)}.partial`;

const asked = (path: string) => hub.requests.filter(line => line.includes(`/${path}`));

async function expectWhole(): Promise<void> {
  expect((await readFile(join(folder, 'model.safetensors'))).equals(weights)).toBe(true);
}

describe('a model on the Hub', () => {
  it('downloads only the files that the engine reads, and its card, once', async () => {
    const reported: string[] = [];
    const others = `acme--tiny-chat-2.${'a'.repeat(12)}.partial`;
    // Of a commit that is not the latest anymore, and of another model.
    for (const left of [`${folder}.${'a'.repeat(12)}.partial`, join(home, 'models', others)])
      await mkdir(left, { recursive: true });
    await download(path => reported.push(path));
    const settings = ['config.json', 'generation_config.json', 'tokenizer.json', 'tokenizer_config.json'];
    expect((await readdir(folder)).sort()).toEqual([...settings, 'model.safetensors', 'README.md'].sort());
    expect(reported.at(-1)).toBe('model.safetensors');
    await expectWhole();
    expect(await readdir(join(home, 'models'))).toEqual(['acme--tiny-chat', others]);
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

  it('says how much has arrived, and keeps it if it is stopped', async () => {
    const seen: [number, number][] = [];
    const progress = (done: number, total: number) => void seen.push([done, total]);
    const stopped = new AbortController();
    hub.stall = 'model.safetensors';
    const half = weights.length / 2;
    const stopLate = (done: number, total: number) => {
      progress(done, total);
      if (done > half) stopped.abort();
    };
    await expect(download(undefined, { onProgress: stopLate, signal: stopped.signal })).rejects.toThrow();
    const total = seen[0]![1];
    expect(seen.every(([done]) => done <= total)).toBe(true);
    const kept = (await stat(join(partial(), 'model.safetensors.part'))).size;
    seen.length = 0;
    await download(undefined, { onProgress: progress });
    expect(asked('model.safetensors').at(-1)).toContain(`bytes=${kept}-`);
    expect(seen.at(-1)).toEqual([total, total]);
    await expectWhole();
  });

  it('keeps what it has if the Hub sends less or an error, and takes no more than it announced', async () => {
    hub.cut = 'model.safetensors';
    await expect(download()).rejects.toThrow();
    const part = join(partial(), 'model.safetensors.part');
    const { size } = await stat(part);
    hub.brokenRanges = 500;
    await expect(download()).rejects.toThrow('(the Hub answered 500). Try again to resume');
    hub.brokenRanges = null;
    hub.tampered['model.safetensors'] = weights.subarray(0, -1);
    await expect(download()).rejects.toThrow('the Hub closed the connection early');
    expect((await stat(part)).size).toBeGreaterThan(size);
    hub.tampered = { 'model.safetensors': Buffer.concat([weights, weights]) };
    await download();
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

  it.each(['model-00001-of-00002.safetensors', 'model.safetensors-00001-of-00001.safetensors'])(
    'is downloaded as shards, unless it also has a single weights file: %s',
    async shard => {
      const parts = ['model.safetensors.index.json', shard];
      for (const name of parts) hub.files[name] = Buffer.from('{}');
      delete hub.files['model.safetensors'];
      await download();
      expect(await readdir(folder)).toEqual(expect.arrayContaining(parts));
      await rm(folder, { recursive: true });
      hub.files['model.safetensors'] = weights;
      await download();
      expect((await readdir(folder)).filter(name => name.startsWith('model'))).toEqual(['model.safetensors']);
    },
  );

  it('is downloaded with what other programs need for a model that also sees', async () => {
    const seeing = ['preprocessor_config.json', 'processor_config.json', 'video_preprocessor_config.json'];
    for (const name of seeing) hub.files[name] = Buffer.from('{}');
    await download();
    expect(await readdir(folder)).toEqual(expect.arrayContaining(seeing));
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

  it('of GGUF files only names them', async () => {
    for (const name of Object.keys(hub.files)) delete hub.files[name];
    hub.files['tiny.gguf'] = hub.files['folder/other.gguf'] = Buffer.from('GGUF');
    await expect(download()).rejects.toThrow(`Choose one of its GGUF files: ${id}:tiny.gguf.`);
  });

  it('is not begun if the disk has no room for it', async () => {
    hub.claimed['model.safetensors'] = 1e18;
    await expect(download()).rejects.toThrow(
      /needs 1000000000\.0 GB in .*models, and the disk has .* GB left/,
    );
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

  it('says that its conditions have to be accepted', async () => {
    hub.isGated = true;
    await expect(download()).rejects.toThrow(
      `The owner of ${id} asks for its conditions to be accepted. Accept them at ${hub.url}/${id}, then set HF_TOKEN to a token of that account.`,
    );
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
