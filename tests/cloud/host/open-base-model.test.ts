// Opening a base model from a folder: its name, its digest and its errors.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CloudError } from '../../../lib/cloud/cloud-error.js';
import { openBaseModel } from '../../../lib/cloud/host/open-base-model.js';
import { makeModelFolder } from '../../support/tiny-model.js';

let folder: string;
beforeEach(async () => {
  folder = await makeModelFolder();
});
afterEach(() => rm(folder, { recursive: true }));

const name = async (config: unknown) => {
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  return openBaseModel(folder).name;
};

it("the name is the folder's, unless the config or the caller gives one", async () => {
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(openBaseModel(folder)).toMatchObject({ folder, name: basename(folder), digest });
  expect(openBaseModel(`${folder}/`).name).toBe(basename(folder));
  expect(openBaseModel(folder, 'svc/tiny-instruct').name).toBe('svc/tiny-instruct');
  for (const given of ['HuggingFaceTB/SmolLM2-135M-Instruct', 'my-model'])
    expect(await name({ _name_or_path: given })).toBe(given);
});

it.each(['/fsx/someone/checkpoint', '../model', './model', 'a/b/c', '', 7])(
  'the name in the config is ignored if it is not a model name: %s',
  async given => {
    expect(await name({ _name_or_path: given })).toBe(basename(folder));
  },
);

it('the digest depends only on the weights, the config and the tokenizer', async () => {
  const digest = () => openBaseModel(folder).digest;
  const before = digest();
  await writeFile(join(folder, 'README.md'), 'Hello');
  expect(digest()).toBe(before);
  const weights = join(folder, 'model.safetensors');
  const bytes = await readFile(weights);
  for (const at of [9, bytes.length >> 1, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    await writeFile(weights, changed);
    expect(digest()).not.toBe(before);
  }
  await writeFile(weights, bytes);
  expect(digest()).toBe(before);
  for (const name of ['config.json', 'tokenizer.json']) {
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(join(folder, name), `${text}\n`);
    expect(digest()).not.toBe(before);
    await writeFile(join(folder, name), text);
  }
});

it.each([
  'model-00001-of-00001.safetensors',
  'model.safetensors-00001-of-00001.safetensors',
  'parts/weights.bin',
])('the digest depends on weights that an index names, whatever they are called: %s', async shard => {
  const weights = join(folder, shard);
  await mkdir(join(folder, 'parts'));
  await rename(join(folder, 'model.safetensors'), weights);
  const index = {
    weight_map: { a: shard, b: shard, c: '../outside', d: 'missing', e: 7, f: 'config.json/x', g: '\0' },
  };
  await writeFile(join(folder, 'model.safetensors.index.json'), JSON.stringify(index));
  const before = openBaseModel(folder).digest;
  const bytes = await readFile(weights);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(weights, bytes);
  expect(openBaseModel(folder).digest).not.toBe(before);
});

it('opening an incomplete folder names the missing or invalid file', async () => {
  const open = () => openBaseModel(folder);
  await rm(join(folder, 'model.safetensors'));
  expect(open).toThrow(
    new CloudError('base_model', `The base model in ${folder} is missing model.safetensors.`),
  );
  await writeFile(join(folder, 'model.safetensors.index.json'), '{}');
  expect(open).not.toThrow();
  await writeFile(join(folder, 'config.json'), '{');
  expect(open).toThrow(`The config.json in ${folder} is not valid JSON.`);
  await rm(join(folder, 'tokenizer.json'));
  expect(open).toThrow(`The base model in ${folder} is missing tokenizer.json.`);
  const absent = join(folder, 'no-such');
  expect(() => openBaseModel(absent)).toThrow(`There is no base model in ${absent}.`);
  await mkdir(join(folder, 'empty'));
  expect(() => openBaseModel(join(folder, 'empty'))).toThrow('is missing config.json');
});
