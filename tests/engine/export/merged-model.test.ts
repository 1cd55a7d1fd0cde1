// A base model with an adapter merged into it computes what the two compute together.
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { writeMergedModel } from '../../../lib/engine/export/index.js';
import { addLora } from '../../../lib/engine/export/merged-rows.js';
import { writeMerged } from '../../../lib/engine/export/write-merged.js';
import { loadAdapter } from '../../../lib/engine/generate/adapters.js';
import { openModel, openModelAdapter } from '../../../lib/engine/model/index.js';
import {
  type FloatDtype,
  openWeights,
  readAdapter,
  toModulePath,
  writeSafetensors,
} from '../../../lib/engine/weights/index.js';
import type { TensorToWrite } from '../../../lib/engine/weights/write-safetensors.js';
import { makeGoldenBase } from '../../support/golden-base.js';
import { GOLDEN_MODELS, type GoldenModel, openGoldenModel } from '../../support/golden-models.js';
import { createRandom } from '../../support/random.js';
import { type AdapterSample, makeAdapterFolder } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { makeVisionBase } from '../../support/vision-base.js';
import { openGenerator, readAll, varied } from '../generate/golden-generator.js';
import { bytesOf } from '../weights/sample-files.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('svc-merge');
});

const adapterOf = (modelFolder: string, sample: AdapterSample = {}) =>
  makeAdapterFolder(join(folder, 'adapter'), modelFolder, sample);

async function merge(modelFolder: string, adapterFolder: string): Promise<{ path: string; files: string[] }> {
  const path = join(folder, 'merged');
  await mkdir(path);
  return { path, files: await writeMergedModel(path, { adapterFolder, modelFolder }) };
}

async function generate(model: GoldenModel, adapterFolder: string | null) {
  const generator = openGenerator(model);
  onTestFinished(generator.close);
  const adapter = adapterFolder === null ? null : await loadAdapter(adapterFolder, model.config);
  const request = { promptIds: [5, 17, 80, 3, 44], maxTokens: 24, ...varied, logprobs: 0, adapter };
  const { tokenIds, pieces } = await readAll(generator.generate(request));
  const chosen = pieces.flatMap(piece => ('logprobs' in piece ? (piece.logprobs ?? []) : []));
  return { tokenIds, logprobs: chosen.map(({ logprob }) => logprob) };
}

it.each(GOLDEN_MODELS)('%s answers merged as with the adapter, and not as without it', async name => {
  const golden = await openGoldenModel(name);
  const adapterFolder = await adapterOf(golden.folder);
  const { path } = await merge(golden.folder, adapterFolder);
  const merged = { ...golden, ...(await openModel(path)), folder: path };
  const together = await generate(golden, adapterFolder);
  const alone = await generate(merged, null);
  expect(alone.tokenIds).toEqual(together.tokenIds);
  expect(alone.tokenIds).not.toEqual((await generate(golden, null)).tokenIds);
  expect(together.logprobs).toHaveLength(24);
  for (const [i, logprob] of together.logprobs.entries()) expect(alone.logprobs[i]).toBeCloseTo(logprob, 4);
});

/** The golden Llama in another type, in two files. */
async function makeSharded(dtype: FloatDtype): Promise<string> {
  const golden = await openGoldenModel('llama');
  const path = join(folder, 'base');
  await mkdir(path);
  await copyFile(join(golden.folder, 'config.json'), join(path, 'config.json'));
  const weights = await openWeights(golden.folder);
  const shards: TensorToWrite[][] = [[], []];
  const index: Record<string, string> = {};
  for (const [i, name] of weights.names().entries()) {
    const { shape } = weights.describe(name);
    shards[i % 2]!.push({ name, dtype, shape, data: await weights.readFloat32(name) });
    index[name] = `part-${i % 2}.safetensors`;
  }
  for (const [i, tensors] of shards.entries())
    await writeSafetensors(join(path, `part-${i}.safetensors`), tensors, { format: 'pt' });
  await writeFile(join(path, 'model.safetensors.index.json'), JSON.stringify({ weight_map: index }));
  return path;
}

it.each<FloatDtype>(['F32', 'BF16', 'F16'])(
  'a model of several files in %s keeps all but its name and what is adapted, which is rounded once',
  async dtype => {
    const base = await makeSharded(dtype);
    const settings = JSON.parse(await readFile(join(base, 'config.json'), 'utf8')) as object;
    await writeFile(join(base, 'config.json'), JSON.stringify({ ...settings, _name_or_path: 'acme/base' }));
    await writeFile(join(base, 'tokenizer.json'), '{"any":1}');
    await writeFile(join(base, 'pytorch_model.bin'), 'other weights');
    const adapterFolder = await adapterOf(base, { modules: ['self_attn.v_proj', 'mlp.up_proj'] });
    const { path, files } = await merge(base, adapterFolder);
    const weights = ['model.safetensors.index.json', 'part-0.safetensors', 'part-1.safetensors'];
    expect(files.sort()).toEqual(['config.json', ...weights, 'tokenizer.json']);
    expect(existsSync(join(path, 'pytorch_model.bin'))).toBe(false);
    expect(JSON.parse(await readFile(join(path, 'config.json'), 'utf8'))).toEqual(settings);
    const [before, after] = [await openWeights(base), await openWeights(path)];
    expect(after.names()).toEqual(before.names());
    const { tensors, scaling, config } = await readAdapter(adapterFolder);
    const pairs = new Map(tensors.map(pair => [`${toModulePath(pair)}.weight`, pair]));
    for (const name of before.names()) {
      const { file: _, ...described } = after.describe(name);
      expect(before.describe(name)).toMatchObject(described);
      const pair = pairs.get(name);
      if (!pair) {
        expect(bytesOf(after, name).equals(bytesOf(before, name))).toBe(true);
        continue;
      }
      const wanted = await before.readFloat32(name);
      const [outputs, inputs] = before.describe(name).shape as [number, number];
      const found = await after.readFloat32(name);
      for (let out = 0; out < outputs; out++)
        for (let into = 0; into < inputs; into++) {
          let sum = wanted[out * inputs + into]!;
          for (let k = 0; k < config.rank; k++)
            sum += scaling * pair.b[out * config.rank + k]! * pair.a[k * inputs + into]!;
          const step = { F32: 2 ** -23, BF16: 2 ** -7, F16: 2 ** -10 }[dtype];
          const off = Math.abs(found[out * inputs + into]! - sum);
          if (off > Math.abs(sum) * step * 0.51 + 1e-7)
            expect([name, out, into, found[out * inputs + into]]).toBe(sum);
        }
    }
  },
);

it.each([1, 2])('a model that also sees, in %i files, keeps its names and what sees', async shards => {
  const [golden, base] = [await openGoldenModel('qwen3_5'), join(folder, 'base')];
  await makeVisionBase(base, shards);
  const seeing = ['preprocessor_config.json', 'processor_config.json', 'video_preprocessor_config.json'];
  for (const name of seeing) await writeFile(join(base, name), `{"of":"${name}"}`);
  const adapterFolder = await adapterOf(base);
  const { path, files } = await merge(base, adapterFolder);
  expect(files).toEqual(expect.arrayContaining(seeing));
  for (const name of files.filter(file => file.endsWith('.json')))
    expect(await readFile(join(path, name), 'utf8')).toBe(await readFile(join(base, name), 'utf8'));
  const stored = await openWeights(path);
  expect(stored.describe('model.norm.weight').name).toBe('model.language_model.norm.weight');
  expect(await stored.readFloat32('model.visual.norm.weight')).toEqual(Float32Array.of(3, 4));
  const texts = join(folder, 'texts');
  await mkdir(texts);
  await writeMergedModel(texts, { adapterFolder, modelFolder: golden.folder });
  const expected = await openWeights(texts);
  for (const name of expected.names())
    expect(bytesOf(stored, name).equals(bytesOf(expected, name)), name).toBe(true);
});

it.each(GOLDEN_MODELS)('%s has the name of its class in transformers, merged', async name => {
  const [golden, base] = [await openGoldenModel(name), join(folder, 'base')];
  await makeGoldenBase(base, name, { architectures: undefined });
  const { path } = await merge(base, await adapterOf(base));
  const [wanted, written] = await Promise.all(
    [golden.folder, path].map(async at => JSON.parse(await readFile(join(at, 'config.json'), 'utf8'))),
  );
  expect(written).toEqual(wanted);
});

it.each([
  [{ use_sliding_window: false }, true],
  [{ sliding_window: null, layer_types: null }, true],
  [{ use_sliding_window: false, layer_types: ['full_attention'] }, true],
  [{ sliding_window: 9 }, false],
])('EXAONE 4 with %j says that it has no windows: %j', async (settings, isSaid) => {
  const base = join(folder, 'base');
  await makeGoldenBase(base, 'exaone4', { num_hidden_layers: 1 });
  const path = join(base, 'config.json');
  const { layer_types: _, sliding_window: __, ...given } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...given, ...settings }));
  const { path: merged } = await merge(base, await adapterOf(base));
  const none = { sliding_window: null, layer_types: ['full_attention'] };
  const written = JSON.parse(await readFile(join(merged, 'config.json'), 'utf8'));
  expect(written).toEqual({ ...given, ...settings, ...(isSaid && none) });
});

it('says which weight of an adapter the files of a model do not have', async () => {
  const golden = await openGoldenModel('llama');
  const adapter = await openModelAdapter(await adapterOf(golden.folder), golden.config);
  const sites = [...adapter.sites, { layer: 9, module: 'mlp.up_proj' as const }];
  await expect(writeMerged(folder, golden.folder, { ...adapter, sites })).rejects.toThrow(
    `${golden.folder}: tensor "model.layers.9.mlp.up_proj.weight" is missing`,
  );
});

it('adds an adapter to some rows as to all of them', () => {
  const random = createRandom(3);
  const [rank, inputs, outputs] = [3, 7, 10];
  const pair = { a: random.normal(rank * inputs), b: random.normal(outputs * rank) };
  const whole = random.normal(outputs * inputs);
  const pieces = whole.slice();
  addLora(whole, 0, pair, { rank, scaling: 0.5 });
  const firsts = [0, 4, 5];
  for (const [i, first] of firsts.entries()) {
    const some = pieces.subarray(first * inputs, (firsts[i + 1] ?? outputs) * inputs);
    addLora(some, first, pair, { rank, scaling: 0.5 });
  }
  expect(pieces).toEqual(whole);
});

it.each([
  ['a text', 'T', (text: string) => text],
  [
    'one of several',
    [{ name: 'default', template: 'T' }],
    (text: string) => [{ name: 'default', template: text }],
  ],
])(
  'sets what its job says in a chat template that is %s, and changes nothing else',
  async (_, given, written) => {
    const variables = { enable_thinking: false, other: 1 };
    const merged = async (chat_template: unknown) => {
      const base = await makeModelFolder({ 'tokenizer_config.json': { model_max_length: 9, chat_template } });
      onTestFinished(() => rm(base, { recursive: true }));
      const path = join(temporaryFolder('svc-merge'), 'merged');
      await mkdir(path);
      await writeMergedModel(path, { adapterFolder: await adapterOf(base), modelFolder: base, variables });
      return [base, path].map(folder => readFileSync(join(folder, 'tokenizer_config.json'), 'utf8')) as [
        string,
        string,
      ];
    };
    const source = '{{ enable_thinking }}';
    const named = JSON.parse(JSON.stringify(given).replace('T', source));
    const [, config] = await merged(named);
    const preset = `{%- set enable_thinking = false %}${source}`;
    expect(JSON.parse(config)).toEqual({ model_max_length: 9, chat_template: written(preset) });
    const [before, after] = await merged(given);
    expect(after).toBe(before);
  },
);

it('refuses a merged number that the type cannot hold, and stops when told to', async () => {
  const base = await makeSharded('F16');
  const adapterFolder = await adapterOf(base, { alpha: 1e9 });
  await expect(merge(base, adapterFolder)).rejects.toThrow('is too large for F16 with the adapter added');
  const stopped = join(folder, 'stopped');
  await mkdir(stopped);
  const signal = AbortSignal.abort();
  const writing = writeMergedModel(stopped, { adapterFolder, modelFolder: base, signal });
  await expect(writing).rejects.toThrow('abort');
});
