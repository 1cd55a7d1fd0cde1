// A model with an adapter merged into it as a GGUF file, read back by the reader of GGUF files.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { modelMetadata } from '../../../lib/engine/export/gguf-metadata.js';
import { encodeGgufModel } from '../../../lib/engine/export/gguf-model.js';
import { planTensors, type Quantization } from '../../../lib/engine/export/gguf-tensors.js';
import { writeGgufModel, writeMergedModel } from '../../../lib/engine/export/index.js';
import { convertGguf, writtenFormat } from '../../../lib/engine/gguf/index.js';
import { readGgufHeader } from '../../../lib/engine/gguf/read-header.js';
import {
  attentionOf,
  openModel,
  openModelAdapter,
  parseModelConfig,
  readModelConfig,
  weightShapes,
} from '../../../lib/engine/model/index.js';
import { type FloatDtype, openWeights, type WeightTensor } from '../../../lib/engine/weights/index.js';
import { madeUpTokenizer } from '../../bench/engine/llama-file.js';
import { ggufOfModel } from '../../support/gguf-of-model.js';
import { makeGoldenBase, type Settings } from '../../support/golden-base.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { makeAdapterFolder } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let home: string;
beforeEach(() => {
  home = temporaryFolder('svc-gguf');
});

/** A reference model with changed settings. */
async function makeBase(name: string, settings: Settings = {}): Promise<string> {
  const base = join(home, 'base');
  await makeGoldenBase(base, name, settings);
  return base;
}

/** Writes it with a made-up tokenizer, and reads it into a folder. */
async function writeAndRead(base: string, adapterFolder: string, quantization?: Quantization) {
  const { config } = await openModel(base);
  const [weights, adapter] = [await openWeights(base), await openModelAdapter(adapterFolder, config)];
  const metadata = { ...modelMetadata(config, base), ...madeUpTokenizer(config.vocabulary) };
  const [file, folder] = [join(home, 'model.gguf'), join(home, 'read')];
  const seen: number[] = [];
  const onProgress = (done: number, total: number) => seen.push(done / total);
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeGgufModel({ config, weights, adapter, metadata, quantization, onProgress }))
    pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
  expect(seen.at(-1)).toBe(1);
  await convertGguf(file, folder, () => undefined);
  return { file, folder };
}

/** llama.cpp has one architecture for Granite, so a model of Granite 4 comes back with projections that are separate. */
function separate(name: string): string[] {
  const parts: Record<string, string[]> = {
    'shared_mlp.input_linear': ['mlp.gate_proj', 'mlp.up_proj'],
    'shared_mlp.output_linear': ['mlp.down_proj'],
  };
  const [fused] = Object.keys(parts).filter(path => name.includes(path));
  return fused ? parts[fused]!.map(part => name.replace(fused, part)) : [name];
}

it.each(GOLDEN_MODELS)('%s is the merged model again: its config and each of its weights', async name => {
  const base = await makeBase(name, (await openGoldenModel(name)).llamaCpp.settings);
  const adapterFolder = await makeAdapterFolder(join(home, 'adapter'), base);
  const { folder } = await writeAndRead(base, adapterFolder);
  const [theirs, ours] = [await readModelConfig(base), await readModelConfig(folder)];
  const windows = attentionOf(theirs).flatMap(({ window }) => window ?? []);
  if (theirs.llamaCpp.hasWindows || windows.length === 0) {
    // Numbers in the file are 32-bit floats.
    const rounded = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'number' ? part.toPrecision(6) : part));
    const { projections } = name === 'granite4' ? ours : theirs;
    expect(rounded(ours)).toEqual(rounded({ ...theirs, projections }));
  } else {
    expect(ours.maxPositions).toBe(Math.min(...windows));
  }
  const merged = join(home, 'merged');
  await mkdir(merged);
  await writeMergedModel(merged, { adapterFolder, modelFolder: base });
  const [wanted, found] = [await openWeights(merged), await openWeights(folder)];
  expect(found.names().sort()).toEqual(wanted.names().flatMap(separate).sort());
  for (const weight of wanted.names()) {
    const expected = await wanted.readFloat32(weight);
    const parts = await Promise.all(separate(weight).map(found.readFloat32));
    const values = parts.flatMap(part => [...part]);
    // 1 + a weight of a norm is rounded.
    const most = theirs.normsAddOne && weight.endsWith('norm.weight') ? 1e-7 : 0;
    expect([weight, values.findIndex((value, i) => Math.abs(value - expected[i]!) > most)]).toEqual([
      weight,
      -1,
    ]);
  }
});

it.each([
  ['q8_0', 7, 0.01],
  ['q4_k_m', 15, 0.1],
] as const)('%s is close to the merged model', async (quantization, type, most) => {
  const base = await makeBase('llama');
  const adapterFolder = await makeAdapterFolder(join(home, 'adapter'), base);
  const { file, folder } = await writeAndRead(base, adapterFolder, quantization);
  const merged = join(home, 'merged');
  await mkdir(merged);
  await writeMergedModel(merged, { adapterFolder, modelFolder: base });
  const [wanted, found] = [await openWeights(merged), await openWeights(folder)];
  for (const weight of wanted.names()) {
    const [expected, values] = [await wanted.readFloat32(weight), await found.readFloat32(weight)];
    const size = (numbers: Float32Array) => Math.hypot(...numbers);
    expect(size(values.map((value, i) => value - expected[i]!)) / size(expected)).toBeLessThan(most);
  }
  const { metadata, tensors } = await readGgufHeader(file);
  expect(metadata.get('general.file_type')).toBe(type);
  expect(metadata.get('general.quantization_version')).toBe(2);
  expect(tensors.get('blk.0.attn_norm.weight')!.format.name).toBe('F32');
});

describe('the formats of q4_k_m', () => {
  const config = (settings: Settings = {}) =>
    parseModelConfig(
      {
        ...{ model_type: 'llama', hidden_size: 256, num_attention_heads: 4, num_hidden_layers: 16 },
        ...{ intermediate_size: 512, vocab_size: 10, tie_word_embeddings: false, ...settings },
      },
      'config.json',
    );
  const formatsOf = (settings?: Settings, dtype: FloatDtype = 'F32') => {
    const model = config(settings);
    const describeWeight = (name: string) =>
      ({ name, dtype, shape: weightShapes(model).get(name)! }) as unknown as WeightTensor;
    const planned = planTensors(model, describeWeight, 'q4_k_m');
    return new Map(planned.map(({ name, format }) => [name, format.name]));
  };

  it('give more bits to the output, and to some layers of values and the last projection', () => {
    const formats = formatsOf();
    expect(formats.get('output.weight')).toBe('Q6_K');
    expect(formats.get('token_embd.weight')).toBe('Q4_K');
    for (const part of ['attn_v', 'ffn_down']) {
      const layers = Array.from({ length: 16 }, (_, layer) => layer);
      const better = layers.filter(layer => formats.get(`blk.${layer}.${part}.weight`) === 'Q6_K');
      expect(better).toEqual([0, 1, 4, 7, 10, 13, 14, 15]);
    }
    for (const part of ['attn_q', 'attn_k', 'attn_output', 'ffn_gate', 'ffn_up'])
      expect(formats.get(`blk.0.${part}.weight`)).toBe('Q4_K');
    expect(formats.get('blk.0.ffn_norm.weight')).toBe('F32');
    expect(formatsOf({ tie_word_embeddings: true }).get('token_embd.weight')).toBe('Q6_K');
  });

  it('are others for rows that are not whole blocks', () => {
    const blocks = formatsOf({ hidden_size: 64 });
    expect([blocks.get('output.weight'), blocks.get('blk.2.attn_v.weight')]).toEqual(['Q8_0', 'Q5_0']);
    expect(blocks.get('blk.0.ffn_down.weight')).toBe('Q6_K');
    expect(formatsOf({ hidden_size: 40 }).get('blk.0.attn_q.weight')).toBe('F16');
  });
});

it.each(['F32', 'F16', 'BF16'] as const)('weights in %s stay so, and norms are F32', dtype => {
  const model = parseModelConfig(
    {
      model_type: 'llama',
      hidden_size: 8,
      num_attention_heads: 2,
      num_hidden_layers: 1,
      intermediate_size: 8,
      vocab_size: 4,
    },
    'config.json',
  );
  const describeWeight = (name: string) => ({ name, dtype }) as unknown as WeightTensor;
  const types = planTensors(model, describeWeight, undefined).map(({ name, type }) => [name, type]);
  expect(Object.fromEntries(types)).toMatchObject({
    'blk.0.attn_q.weight': writtenFormat(dtype).type,
    'output_norm.weight': 0,
  });
});

describe('is refused by name', () => {
  it.each<[string, Settings, string]>([
    ['gemma3', {}, 'this scale of scores (query_pre_attn_scalar)'],
    [
      'gemma3',
      {
        query_pre_attn_scalar: 24,
        layer_types: ['full_attention', 'sliding_attention', 'full_attention'],
      },
      'layers with windows in these places',
    ],
    ['smollm3', {}, 'layers without positions in these places'],
    ['qwen3', { attention_bias: true }, 'a bias in q_proj for this architecture'],
    [
      'qwen2',
      {
        rope_parameters: {
          rope_theta: 1e4,
          rope_type: 'llama3',
          factor: 8,
          low_freq_factor: 1,
          high_freq_factor: 4,
          original_max_position_embeddings: 64,
        },
      },
      'rope scaling "llama3" for this architecture',
    ],
    [
      'llama',
      {
        rope_parameters: {
          rope_theta: 1e4,
          rope_type: 'yarn',
          factor: 8,
          attention_factor: 2,
          original_max_position_embeddings: 64,
        },
      },
      'rope scaling "yarn" with attention_factor',
    ],
  ])('%s with %j', async (name, settings, what) => {
    const base = await makeBase(name, settings);
    const config = await readModelConfig(base);
    expect(() => modelMetadata(config, base)).toThrow(
      `${base}: cannot be written as GGUF: llama.cpp does not support ${what}`,
    );
  });
});

it("Llama 3's scaling of positions is a list of factors", async () => {
  const rope = {
    rope_theta: 500_000,
    rope_type: 'llama3',
    factor: 32,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  };
  const base = await makeBase('llama', { rope_parameters: rope });
  const { folder } = await writeAndRead(base, await makeAdapterFolder(join(home, 'adapter'), base));
  const [theirs, ours] = [await readModelConfig(base), await readModelConfig(folder)];
  const [expected, found] = [attentionOf(theirs)[0]!.rope!, attentionOf(ours)[0]!.rope!];
  expect(found).toEqual({ ...expected, scaling: { ...expected.scaling, factor: expect.closeTo(32, 4) } });
});

it("a model from a GGUF file keeps that file's metadata, but not how it was stored", async () => {
  const golden = await openGoldenModel('llama');
  const metadata = {
    'general.author': 'someone',
    'general.name': 'before',
    'general.file_type': { uint32: 3 },
    'general.quantization_version': { uint32: 2 },
    'quantize.imatrix.file': 'some.dat',
    'some.list': { int32s: Array.from({ length: 2000 }, (_, i) => i) },
  };
  writeFileSync(join(home, 'base.gguf'), await ggufOfModel(golden.folder, { metadata }));
  const base = join(home, 'base');
  await convertGguf(join(home, 'base.gguf'), base, () => undefined);
  const adapterFolder = await makeAdapterFolder(join(home, 'adapter'), base);
  const out = join(home, 'out');
  await mkdir(out);
  const { files, stops } = await writeGgufModel(out, {
    ...{ adapterFolder, modelFolder: base, name: 'triage-final', quantization: undefined },
  });
  expect(files).toEqual(['triage-final-f32.gguf', 'Modelfile']);
  expect(readdirSync(out).sort()).toEqual(['Modelfile', 'triage-final-f32.gguf']);
  expect([stops, readFileSync(join(out, 'Modelfile'), 'utf8')]).toEqual([
    [],
    'FROM ./triage-final-f32.gguf\n',
  ]);
  const [before, after] = [
    await readGgufHeader(join(home, 'base.gguf')),
    await readGgufHeader(join(out, files[0])),
  ];
  const changed = { 'general.name': 'triage-final', 'general.file_type': 0 };
  const kept = [...before.metadata].filter(([key]) => !/^quantize\.|quantization_version/.test(key));
  expect(Object.fromEntries(after.metadata)).toEqual({ ...Object.fromEntries(kept), ...changed });
  expect(after.entries.get('some.list')!.length).toBe(before.entries.get('some.list')!.length);
  expect([...after.tensors.keys()].sort()).toEqual([...before.tensors.keys()].sort());
});

/** Reads a GGUF file into a folder, and writes a model from there. */
async function readAndWrite(file: Buffer, change = (_: string) => {}) {
  const [path, base, out] = [join(home, 'base.gguf'), join(home, 'base'), join(home, 'out')];
  writeFileSync(path, file);
  await convertGguf(path, base, () => undefined);
  change(base);
  const adapterFolder = await makeAdapterFolder(join(home, 'adapter'), base);
  await mkdir(out);
  const { files } = await writeGgufModel(out, {
    ...{ adapterFolder, modelFolder: base, name: 'triage', quantization: undefined },
  });
  return join(out, files[0]);
}

it('a model that could predict further tokens is written as one that cannot', async () => {
  const golden = await openGoldenModel('qwen2');
  const { layers, hidden } = golden.config;
  const norm = { type: 0, shape: [hidden], data: new Uint8Array(4 * hidden) };
  const all = Array.from({ length: layers + 1 }, () => golden.config.kvHeads);
  const flags = [9, 7, layers + 1, 0].flatMap(part => [part, 0, 0, 0]);
  const metadata = {
    'qwen2.block_count': { uint32: layers + 1 },
    'qwen2.nextn_predict_layers': { uint32: 1 },
    'qwen2.attention.head_count_kv': { int32s: all },
    'qwen2.attention.some_flags': { raw: Buffer.from([...flags, ...all.map(() => 1)]) },
    'qwen2.rope.dimension_sections': { int32s: all },
  };
  const more = [{ ...norm, name: `blk.${layers}.nextn.hnorm.weight` }];
  const path = await readAndWrite(await ggufOfModel(golden.folder, { metadata, more }));
  const written = await readGgufHeader(path);
  expect(written.metadata.get('qwen2.block_count')).toBe(layers);
  expect(written.metadata.has('qwen2.nextn_predict_layers')).toBe(false);
  expect(written.metadata.get('qwen2.attention.head_count_kv')).toEqual(all.slice(1));
  expect(written.metadata.get('qwen2.attention.some_flags')).toEqual(all.slice(1).map(() => true));
  expect(written.metadata.get('qwen2.rope.dimension_sections')).toEqual(all);
  await convertGguf(path, join(home, 'again'), () => undefined);
});

describe('the chat templates of a model from a GGUF file', () => {
  const [template, tools] = ['tokenizer.chat_template', 'tokenizer.chat_template.tool_use'];
  const mine = '{{ messages[0].content }}';
  const more = { 'tokenizer.chat_templates': ['tool_use', 'rag'], 'tokenizer.chat_template.rag': 'RAG' };
  const both = { [template]: 'ONE', [tools]: 'TWO {{ tools }}', ...more };
  const write = (folder: string) => writeFileSync(join(folder, 'chat_template.jinja'), mine);

  it.each([
    ['are kept', both, () => {}, both],
    ['are those that were added', {}, write, { [template]: mine }],
    ['are those that were added in place of others', both, write, { [template]: mine }],
    [
      'are without one for tools that is of no use',
      { ...both, [template]: mine },
      write,
      { [template]: mine },
    ],
  ])('%s', async (_, metadata, change, expected) => {
    const { folder } = await openGoldenModel('llama');
    const path = await readAndWrite(await ggufOfModel(folder, { metadata }), change);
    const written = [...(await readGgufHeader(path)).metadata];
    expect(Object.fromEntries(written.filter(([key]) => key.includes('chat_template')))).toEqual(expected);
  });
});
