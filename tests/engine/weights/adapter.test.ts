import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModelConfig } from '../../../lib/engine/model/index.js';
import { toAdaptedModel } from '../../../lib/engine/model/open-model.js';
import { parseAdapterConfig, toPeftSettings, toScaling } from '../../../lib/engine/weights/adapter-config.js';
import {
  type LoraPair,
  MODULES,
  readAdapter,
  toModulePath,
  WeightsError,
  writeAdapter,
} from '../../../lib/engine/weights/index.js';
import type { AdaptedModel } from '../../../lib/engine/weights/read-adapter.js';
import { type AdapterToWrite, replaceFolder } from '../../../lib/engine/weights/write-adapter.js';
import { replaceFile } from '../../../lib/system/index.js';
import { adapterFolder, nameOf, pair, plainConfig, plainTensors } from './adapter-files.js';
import { adapterPaths, expectComplaint, golden, temporaryFolder } from './sample-files.js';

const USUAL = MODULES.slice(0, 7);
const smallModel: AdaptedModel = { layers: 2, modulesOf: () => USUAL, shapeOf: () => [4, 3] };
const q = 'self_attn.q_proj';

async function expectRejected(
  changes: Parameters<typeof adapterFolder>[0],
  complaint: string,
  model?: Partial<AdaptedModel>,
) {
  const folder = await adapterFolder(changes);
  await expectComplaint(readAdapter(folder, model && { ...smallModel, ...model }), complaint, folder);
}

async function modelOf(architecture: string): Promise<AdaptedModel> {
  return toAdaptedModel(await readModelConfig(join(golden, architecture)));
}

describe('an adapter written by PEFT', () => {
  it.each(adapterPaths)('is read: %s', async path => {
    const folder = join(golden, path);
    const model = await modelOf(path.split('/')[0]!);
    const { config, scaling, tensors } = await readAdapter(folder, model);
    const expected = { rank: 8, alpha: 16, dropout: 0, useRslora: false, layersToTransform: null };
    expect(config).toMatchObject(expected);
    expect(scaling).toBe(2);
    const layers = Array.from({ length: model.layers }, (_, layer) => layer);
    const places = layers.flatMap(layer => model.modulesOf(layer).map(module => `${layer} ${module}`));
    expect(tensors.map(({ layer, module }) => `${layer} ${module}`)).toEqual(places);
    // The tensors of a file are sorted by name.
    const file = readFileSync(join(folder, 'adapter_model.safetensors'));
    const last = tensors.toSorted((a, b) => (toModulePath(a) < toModulePath(b) ? 1 : -1))[0]!.b;
    expect(Buffer.from(last.buffer).equals(file.subarray(file.length - last.byteLength))).toBe(true);
  });
});

describe('an adapter', () => {
  it('may name its targets by the end of their path, a regular expression, or all-linear', async () => {
    const all = ['model.layers.0.self_attn.q_proj', 'layers.1.self_attn.q_proj'];
    for (const target_modules of [[q], ['q_proj', q], all, '.*q_proj', 'all-linear']) {
      const folder = await adapterFolder({ config: { target_modules } });
      const { tensors, config } = await readAdapter(folder, smallModel);
      expect(tensors).toHaveLength(2);
      expect(config.targetModules).toEqual(target_modules);
    }
  });

  it('may adapt only some layers', async () => {
    for (const layers_to_transform of [1, [1]]) {
      const changes = { config: { layers_to_transform }, tensors: pair(1, q) };
      const { tensors } = await readAdapter(await adapterFolder(changes), smallModel);
      expect(tensors.map(({ layer }) => layer)).toEqual([1]);
    }
  });

  it('may name targets that the model does not have, and leave out some of those that it has', async () => {
    const exclude = (exclude_modules: unknown, ...target_modules: string[]) => ({
      exclude_modules,
      target_modules: ['q_proj', ...target_modules],
    });
    for (const config of [
      { target_modules: ['q_proj', 'query_key_value', 'model.decoder.q_proj'] },
      exclude(['lm_head', 'vision_tower'], 'lm_head'),
      exclude(
        ['k_proj', 'model.language_model.layers.1.self_attn.v_proj', '0.self_attn.v_proj'],
        'k_proj',
        'v_proj',
      ),
      exclude('.*(vision_tower|k_proj).*', 'k_proj'),
      { layers_to_transform: [0, 1], target_modules: ['q_proj', 'lm_head'] },
    ]) {
      const { tensors } = await readAdapter(await adapterFolder({ config }), smallModel);
      expect(tensors).toHaveLength(2);
    }
  });

  it('may be stored as bf16', async () => {
    const tensors = plainTensors.map(tensor => ({ ...tensor, dtype: 'BF16' as const }));
    const { tensors: read } = await readAdapter(await adapterFolder({ tensors }));
    expect(read[1]?.a).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  });

  it('may have the names of a base model that also sees', async () => {
    const tensors = plainTensors.map(tensor => ({
      ...tensor,
      name: tensor.name.replace('model.layers', 'model.language_model.layers'),
    }));
    const config = { target_modules: ['q_proj', 'model.language_model.layers.0.self_attn.q_proj'] };
    const { tensors: read } = await readAdapter(await adapterFolder({ config, tensors }), smallModel);
    expect(read).toEqual((await readAdapter(await adapterFolder())).tensors);
  });

  it('is rejected if a file is missing or broken', async () => {
    const folder = await adapterFolder();
    rmSync(join(folder, 'adapter_model.safetensors'));
    await expect(readAdapter(folder)).rejects.toThrow('adapter_model.safetensors: does not exist');
    rmSync(join(folder, 'adapter_config.json'));
    await expect(readAdapter(folder)).rejects.toThrow('adapter_config.json: does not exist');
    await expectRejected({ config: '{"r": 2' }, 'adapter_config.json: content is not valid JSON');
    await expectRejected({ config: '[]' }, 'adapter_config.json: content is not a JSON object');
  });

  it.each([
    nameOf(0, 'mlp.q_proj', 'A'),
    nameOf(0, 'mlp.qkv_proj', 'A'),
    nameOf(0, 'self_attn.toString', 'A'),
    nameOf(0, q, 'A').replace('.0.', '.00.'),
    nameOf(0, q, 'A').replace('lora_A', 'lora_magnitude_vector'),
    'base_model.model.lm_head.lora_A.weight',
  ])('is rejected if it has %s', async name => {
    const tensors = [...plainTensors, { ...plainTensors[0]!, name }];
    await expectRejected({ tensors }, `tensor "${name}" does not belong to a module that can be adapted`);
  });

  const [first, second] = [nameOf(0, q, 'A'), nameOf(1, q, 'A')];
  const flat = plainTensors.map(tensor => ({ ...tensor, shape: [tensor.data.length] }));
  const half = plainTensors.filter(({ name }) => name !== second);
  const more = [...plainTensors, ...pair(1, 'mlp.up_proj')];
  const targets = (...target_modules: string[]) => ({ config: { target_modules } });
  const width = (...shape: [number, number]) => ({ shapeOf: () => shape });

  it.each<[complaint: string, Parameters<typeof adapterFolder>[0], Partial<AdaptedModel>?]>([
    [`tensor "${nameOf(1, q, 'B')}" has no counterpart ${second}`, { tensors: half }],
    [`"${second}" has the shape [3,3], expected [2,3]`, { tensors: [...pair(0, q), ...pair(1, q, 3)] }],
    ['has the shape [2,3], expected [2,5]', {}, width(4, 5)],
    ['has the shape [4,2], expected [5,2]', {}, width(5, 3)],
    ['has the shape [6], expected [2,0]', { tensors: flat }],
    [`tensor "${second}" is beyond the model's 1 layers`, {}, { layers: 1 }],
    [`"${nameOf(2, q, 'A')}" is missing, although target_modules has "q_proj"`, {}, { layers: 3 }],
    [`tensor "${first}" is missing`, { tensors: pair(1, q) }, {}],
    ['although target_modules has "v_proj"', targets('v_proj', 'q_proj'), {}],
    ['has "lm_head", which is not one of q_proj, k_proj', targets('q_proj', 'lm_head'), {}],
    ['has "embed_tokens", which is not one of q_proj', targets('q_proj', 'embed_tokens'), {}],
    ['does not match target_modules', targets('query_key_value'), {}],
    ['does not match target_modules', { config: { exclude_modules: ['q_proj'] } }, {}],
    [
      'although target_modules has "v_proj"',
      { config: { target_modules: ['q_proj', 'v_proj'], exclude_modules: ['k_proj'] } },
      {},
    ],
    ['does not match target_modules and layers_to_transform', { tensors: more }],
    [`tensor "${second}" does not match`, { config: { layers_to_transform: [0] } }],
    ['adapter_model.safetensors: has no tensors', { tensors: [] }],
  ])('is rejected if its tensors do not match its settings or the model: %s', (complaint, changes, model) =>
    expectRejected(changes, complaint, model),
  );
});

const files = ['adapter_config.json', 'adapter_model.safetensors'];
const loraPair = (layer: number, fields: Partial<LoraPair> = {}): LoraPair => ({
  layer,
  module: 'self_attn.q_proj',
  a: Float32Array.of(1, 2, 3, 4, 5, 6),
  b: Float32Array.of(7, 8),
  ...fields,
});
const small: AdapterToWrite = { config: { rank: 2, alpha: 4 }, tensors: [loraPair(1), loraPair(0)] };

describe('a written adapter', () => {
  it.each(adapterPaths)("has the same bytes as PEFT's tensors, and all of its settings: %s", async path => {
    const folder = join(temporaryFolder(), 'new', 'adapter');
    await writeAdapter(folder, await readAdapter(join(golden, path)));
    const [written, reference] = [folder, join(golden, path)].map(from => ({
      config: Object.entries(JSON.parse(readFileSync(join(from, 'adapter_config.json'), 'utf8'))),
      tensors: readFileSync(join(from, 'adapter_model.safetensors')),
    }));
    expect(written!.config).toEqual(reference!.config);
    expect(written!.tensors.equals(reference!.tensors)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(files);
  });

  it('replaces an existing one, and lists the modules that it adapts and the given settings', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'adapter');
    await writeAdapter(folder, small);
    const given = { dropout: 0.1, useRslora: true, baseModel: 'm' };
    const tensors = [loraPair(0, { module: 'mlp.up_proj' }), loraPair(0)];
    await writeAdapter(folder, { config: { rank: 2, alpha: 3, ...given }, tensors });
    const { config, scaling, tensors: read } = await readAdapter(folder);
    expect(config).toMatchObject({ targetModules: ['q_proj', 'up_proj'], ...given });
    expect(scaling).toBe(3 / Math.sqrt(2));
    expect(read).toEqual(tensors.toReversed());
    expect(readdirSync(parent)).toEqual(['adapter']);
    expect(readdirSync(folder).sort()).toEqual(files);
  });
});

describe('what cannot be written', () => {
  it('is an adapter over a folder with other files, which stay', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'adapter');
    mkdirSync(folder);
    writeFileSync(join(folder, 'thesis.txt'), 'all of it');
    const complaint = `${folder}: is not replaced: it has thesis.txt, which would be lost`;
    await expectComplaint(writeAdapter(folder, small), complaint);
    await expectComplaint(writeAdapter(join(folder, 'thesis.txt'), small), 'is a file');
    expect(readFileSync(join(folder, 'thesis.txt'), 'utf8')).toBe('all of it');
    expect(readdirSync(parent)).toEqual(['adapter']);
  });

  it.each<[string, AdapterToWrite, string]>([
    ['no tensor', { ...small, tensors: [] }, 'target_modules is []'],
    ['no rank', { ...small, config: { rank: 0, alpha: 1 } }, 'r is 0'],
    ['NaN as alpha', { ...small, config: { rank: 2, alpha: Number.NaN } }, 'lora_alpha is'],
    ['a repeated pair', { ...small, tensors: [loraPair(0), loraPair(0)] }, 'its name is already used'],
    ['a wrong length', { ...small, tensors: [loraPair(0, { a: new Float32Array(5) })] }, 'needs 4 numbers'],
  ])('is an adapter with %s, and the old one stays', async (_, adapter, complaint) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'adapter');
    await writeAdapter(folder, small);
    await expectComplaint(writeAdapter(folder, adapter), complaint);
    expect((await readAdapter(folder)).tensors).toEqual([loraPair(0), loraPair(1)]);
    expect(readdirSync(parent)).toEqual(['adapter']);
  });
});

it('a file and a folder stay unchanged if writing fails', async () => {
  function* failing(): Iterable<Uint8Array> {
    yield Buffer.from('half of it');
    throw new Error('the disk is full');
  }
  const parent = temporaryFolder();
  const [folder, file] = [join(parent, 'folder'), join(parent, 'file')];
  const old = ['o', 'ld'].map(part => Buffer.from(part));
  await replaceFile(file, old);
  await expect(replaceFile(file, failing())).rejects.toThrow('the disk is full');
  await replaceFolder(folder, { a: old, b: old });
  const broken = { a: [Buffer.from('new')], b: failing() };
  await expect(replaceFolder(folder, broken)).rejects.toThrow('the disk is full');
  const paths = [file, join(folder, 'a'), join(folder, 'b')];
  expect(paths.map(path => readFileSync(path, 'utf8'))).toEqual(['old', 'old', 'old']);
  expect(readdirSync(parent).sort()).toEqual(['file', 'folder']);
});

const parse = (changes: object) => parseAdapterConfig({ ...plainConfig, ...changes }, 'c.json');

describe('the settings of an adapter', () => {
  it('are read', () => {
    const changes = { lora_dropout: 0.05, use_rslora: true, base_model_name_or_path: 'a/b', lora_alpha: 3.5 };
    const numbers = { rank: 2, alpha: 3.5, dropout: 0.05, useRslora: true };
    const targets = { targetModules: ['q_proj'], excludeModules: null, layersToTransform: null };
    expect(parse(changes)).toEqual({ ...numbers, ...targets, baseModel: 'a/b' });
  });

  it('may be incomplete, as in older versions of PEFT', () => {
    const settings = { peft_type: 'LORA', r: 4, lora_alpha: 8, target_modules: 'all-linear' };
    const expected = { rank: 4, dropout: 0, useRslora: false, baseModel: null };
    expect(parseAdapterConfig(settings, 'c.json')).toMatchObject(expected);
  });

  it('scale by the rank, or by its square root', () => {
    expect(toScaling({ alpha: 16, rank: 4, useRslora: false })).toBe(4);
    expect(toScaling({ alpha: 16, rank: 4, useRslora: true })).toBe(8);
  });

  it('are written as they were read', () => {
    const modules = { layers_to_transform: [1], exclude_modules: ['lm_head'] };
    const settings = { use_rslora: true, ...modules, base_model_name_or_path: 'a/b' };
    expect(toPeftSettings(parse(settings))).toEqual({ ...plainConfig, ...settings });
  });

  it('are rejected with what they must be, which may also be to be given', () => {
    expect(() => parse({ r: 0 })).toThrow('c.json: r is 0; it must be a positive whole number');
    expect(() => parse({ target_modules: null })).toThrow('target_modules is undefined');
  });

  it.each([
    { r: 2.5 },
    { r: undefined },
    { lora_alpha: '16' },
    { lora_dropout: 1 },
    { use_rslora: 1 },
    { target_modules: [] },
    { target_modules: ['q_proj', 1] },
    { layers_to_transform: [-1] },
    { layers_to_transform: [[1]] },
    { base_model_name_or_path: 5 },
    { peft_type: 'IA3' },
    { peft_type: undefined },
    { task_type: 'SEQ_CLS' },
    { bias: 'all' },
    { init_lora_weights: 'pissa' },
    { use_dora: true },
    { lora_bias: true },
    { fan_in_fan_out: true },
    { modules_to_save: ['lm_head'] },
    { rank_pattern: { q_proj: 4 } },
    { alpha_pattern: { q_proj: 4 } },
    { exclude_modules: [1] },
    { layer_replication: [[0, 1]] },
    { trainable_token_indices: [5] },
    { target_parameters: ['experts.up'] },
    { use_something_of_the_future: true },
    { future_config: { on: true } },
  ])('are rejected by name if they are invalid or not plain LoRA: %j', changes => {
    const [[name, value]] = Object.entries(changes) as [[string, unknown]];
    expect(() => parse(changes)).toThrow(WeightsError);
    expect(() => parse(changes)).toThrow(`c.json: ${name} is ${JSON.stringify(value) ?? 'undefined'}`);
  });

  it.each([
    { task_type: null },
    { init_lora_weights: 'gaussian' },
    { modules_to_save: [] },
    { inference_mode: false },
    { revision: 'main' },
    { peft_version: '0.99.0' },
    { future_size: 16 },
    { use_something_of_the_future: false },
  ])('are accepted if they have no effect: %j', changes => {
    expect(parse(changes)).toEqual(parse({}));
  });
});
