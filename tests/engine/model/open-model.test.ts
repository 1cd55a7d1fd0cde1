import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBaseModel } from '../../../lib/cloud/index.js';
import { TARGET_DEFAULTS } from '../../../lib/contract/index.js';
import {
  ARCHITECTURES,
  attentionOf,
  longestText,
  openModel,
  parseModelConfig,
  readModelSettings,
  targetNames,
} from '../../../lib/engine/model/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import { openWeights } from '../../../lib/engine/weights/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { logitsOf } from './logits-of.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('svc-model');
});

describe('a model folder', () => {
  it("may link to weights in another folder, as the Hub's cache does", async () => {
    const golden = await openGoldenModel('llama');
    const [blobs, snapshot] = [join(folder, 'blobs'), join(folder, 'snapshots', 'main')];
    await mkdir(blobs);
    await mkdir(snapshot, { recursive: true });
    await copyFile(join(golden.folder, 'model.safetensors'), join(blobs, 'abc'));
    await copyFile(join(golden.folder, 'config.json'), join(snapshot, 'config.json'));
    await symlink('../../blobs/abc', join(snapshot, 'model.safetensors'));
    const logits = await logitsOf(await openModel(snapshot), [0, 0, 0, 0]);
    expect(logits.every(Number.isFinite)).toBe(true);
  });

  it('is rejected with the file and the tensor if a weight is missing', async () => {
    const [qwen3, llama] = [await openGoldenModel('qwen3'), await openGoldenModel('llama')];
    await copyFile(join(qwen3.folder, 'config.json'), join(folder, 'config.json'));
    await copyFile(join(llama.folder, 'model.safetensors'), join(folder, 'model.safetensors'));
    await expect(openModel(folder)).rejects.toThrow(/model\.safetensors.*q_(norm|proj)/);
  });

  it('is rejected if its config is missing or not JSON', async () => {
    await expect(openModel(folder)).rejects.toThrow('config.json cannot be read (ENOENT)');
    await writeFile(join(folder, 'config.json'), '{');
    await expect(openModel(folder)).rejects.toThrow('config.json is not valid JSON');
  });
});

it.each(['config.json', 'tokenizer.json', 'chat_template.jinja', 'model.safetensors'])(
  'a pipe in place of %s is rejected before it is opened',
  async name => {
    for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
      await writeFile(join(folder, file), '{}');
    await writeFile(join(folder, 'model.safetensors'), '');
    await rm(join(folder, name), { force: true });
    execFileSync('mkfifo', [join(folder, name)]);
    expect(() => openBaseModel(folder)).toThrow(`${name} of the base model in ${folder} is not a file.`);
    if (name === 'config.json') await expect(openModel(folder)).rejects.toThrow('config.json is not a file');
    else if (name === 'model.safetensors')
      await expect(openWeights(folder)).rejects.toThrow('model.safetensors: is not a file');
    else await expect(openText(folder)).rejects.toThrow(`${name} cannot be read: it is not a file`);
  },
);

it("a text is at most as long as its model's positions, and as tables of 128 MB are", () => {
  expect(longestText({ headDim: 64, maxPositions: 8192 })).toBe(8192);
  for (const maxPositions of [10_000_000, 1e15])
    expect(longestText({ headDim: 64, maxPositions })).toBe(524_288);
});

it('every architecture has a reference model', async () => {
  const settings = await Promise.all(
    GOLDEN_MODELS.map(async name => readModelSettings((await openGoldenModel(name)).folder)),
  );
  const types = new Set(settings.map(({ model_type: type }) => type));
  expect([...types].sort()).toEqual(Object.keys(ARCHITECTURES).sort());
});

describe('a config', () => {
  const heads = { num_attention_heads: 4, num_key_value_heads: 2 };
  const sizes = { hidden_size: 64, num_hidden_layers: 2, intermediate_size: 176, vocab_size: 320 };
  const llama = { model_type: 'llama', ...heads, ...sizes };
  const gemma = { model_type: 'gemma3_text' };
  const granite4 = { model_type: 'granitemoehybrid' };
  const positions = { max_position_embeddings: 131_072, original_max_position_embeddings: 4096 };
  const phi3 = { model_type: 'phi3', ...positions };
  const longrope = { type: 'su', short_factor: Array(8).fill(1), long_factor: Array(8).fill(2) };

  it.each([
    [
      { model_type: 'mamba' },
      `model_type "mamba" is not supported; ${new Intl.ListFormat('en-GB').format(Object.keys(ARCHITECTURES))} are.`,
    ],
    [
      { model_type: 'gemma2', attn_logit_softcapping: 50, final_logit_softcapping: 30 },
      'model_type "gemma2" is not supported (it needs attn_logit_softcapping 50 and final_logit_softcapping 30); llama',
    ],
    [
      { model_type: 'qwen3_next', num_experts: 512, layer_types: ['linear_attention', 'mamba'] },
      'model_type "qwen3_next" is not supported (it needs a mixture of experts and layers of type "mamba"); llama',
    ],
    [{ hidden_act: 'gelu' }, 'hidden_act "gelu" is not supported.'],
    [
      { rope_scaling: { rope_type: 'yarn', truncate: false } },
      'rope scaling "yarn" with truncate is not supported.',
    ],
    [{ rope_scaling: { rope_type: 'dynamic' } }, 'rope scaling "dynamic" is not supported.'],
    [{ use_sliding_window: true }, 'sliding-window attention is not supported.'],
    [{ layer_types: ['full_attention', 'sliding_attention'] }, 'sliding-window attention is not supported.'],
    [
      { layer_types: ['full_attention', 'linear_attention'] },
      'layers of type "linear_attention" are not supported.',
    ],
    [{ ...gemma, hidden_activation: 'gelu' }, 'hidden_activation "gelu" is not supported.'],
    [{ ...gemma, use_bidirectional_attention: true }, 'use_bidirectional_attention true is not supported.'],
    [{ ...gemma, sliding_window: null }, 'sliding_window must be a positive number, not undefined.'],
    [
      { ...gemma, rope_parameters: { full_attention: { partial_rotary_factor: 0.5 } } },
      'partial_rotary_factor 0.5 is not supported.',
    ],
    [{ partial_rotary_factor: 0.5 }, 'partial_rotary_factor 0.5 is not supported.'],
    [{ rope_parameters: { partial_rotary_factor: 0.5 } }, 'partial_rotary_factor 0.5 is not supported.'],
    [granite4, 'a mixture of experts is not supported.'],
    [{ ...granite4, num_local_experts: 0 }, 'layers of type "mamba" are not supported.'],
    [
      { ...granite4, num_local_experts: 0, layer_types: ['attention', 'mamba'] },
      'layers of type "mamba" are not supported.',
    ],
    [
      { ...phi3, rope_scaling: { ...longrope, long_factor: [1, 2] } },
      'short_factor and long_factor must have 8 numbers.',
    ],
    [
      { ...phi3, rope_scaling: { ...longrope, short_factor: [1, '2'] } },
      'short_factor must be a list of positive numbers.',
    ],
    [
      { ...phi3, rope_scaling: longrope, original_max_position_embeddings: undefined },
      'original_max_position_embeddings must be a positive number, not undefined.',
    ],
    [{ no_rope_layers: [1, 0] }, 'no_rope_layers [1,0] is not supported.'],
    [{ residual_multiplier: 0.22 }, 'residual_multiplier 0.22 is not supported.'],
    [{ final_logit_softcapping: 30 }, 'final_logit_softcapping 30 is not supported.'],
    [{ quantization_config: {} }, 'quantized weights are not supported.'],
    [{ hidden_size: '64' }, 'hidden_size must be a positive number, not "64".'],
    [{ num_hidden_layers: 1.5 }, 'num_hidden_layers must be a whole number, not 1.5.'],
    [{ num_hidden_layers: 1e9 }, 'num_hidden_layers must be at most 1000, not 1000000000.'],
    [{ num_key_value_heads: 3 }, '4 attention heads cannot share 3 key-value heads evenly.'],
  ])('with %j is rejected by name', (change, reason) => {
    expect(() => parseModelConfig({ ...llama, ...change }, 'config.json')).toThrow(`config.json: ${reason}`);
  });

  it('may have settings that say what is computed anyway', () => {
    const settings = { use_sliding_window: false, layer_types: ['full_attention'], partial_rotary_factor: 1 };
    const all = { ...settings, attn_logit_softcapping: null, quantization_config: null };
    expect(parseModelConfig({ ...llama, ...all }, 'c')).toEqual(parseModelConfig(llama, 'c'));
  });

  it('may have the older rope settings, and Llama 3 scaling', () => {
    const factors = { factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
    const scaling = { rope_type: 'llama3', ...factors, original_max_position_embeddings: 8192 };
    const parse = (settings: object) => parseModelConfig({ ...llama, ...settings }, 'c');
    const scaled = parse({ rope_theta: 500000, rope_scaling: scaling });
    const rope = { theta: 500000, scaling: { kind: 'llama3', factor: 8, originalPositions: 8192 } };
    expect(scaled.mixers[0]).toMatchObject({ rope, window: null });
    const plain = parse({ rope_parameters: { rope_theta: 7, rope_type: 'default' } });
    expect(plain).toMatchObject({ mixers: [{ rope: { theta: 7, scaling: null } }, {}], headDim: 16 });
  });

  it('of Granite 4 says whether its layers turn queries and keys, and how wide they are', () => {
    const dense = { ...llama, ...granite4, num_local_experts: 0, layer_types: ['attention', 'attention'] };
    const parse = (settings: object) => parseModelConfig({ ...dense, ...settings }, 'c');
    const { mixers, intermediate } = parse({ position_embedding_type: 'rope', shared_intermediate_size: 24 });
    expect(mixers).toMatchObject([{ rope: { theta: 10_000 } }, { rope: { theta: 10_000 } }]);
    expect(intermediate).toBe(24);
    for (const type of ['nope', null])
      expect(parse({ position_embedding_type: type }).mixers).toMatchObject([{ rope: null }, { rope: null }]);
  });

  it('of Phi may have the older settings of long texts, and a window that no text reaches', () => {
    const parse = (settings: object) => parseModelConfig({ ...llama, ...phi3, ...settings }, 'c');
    const { mixers } = parse({ rope_scaling: longrope, sliding_window: 262_144 });
    const magnitude = Math.sqrt(1 + Math.log(32) / Math.log(4096));
    const { short_factor: short, long_factor: long } = longrope;
    const scaling = { kind: 'longrope', short, long, originalPositions: 4096, magnitude };
    expect(mixers[1]).toMatchObject({ window: null, rope: { share: 1, scaling } });
    expect(parse({ sliding_window: 2047 }).mixers[0]).toMatchObject({
      window: 2047,
      rope: { scaling: null },
    });
    expect(parse({ partial_rotary_factor: 0.75 }).mixers[0]).toMatchObject({ rope: { share: 0.75 } });
  });

  it('of SmolLM3 may leave out which layers turn queries and keys', () => {
    const plain = parseModelConfig({ ...sizes, ...heads, model_type: 'smollm3', num_hidden_layers: 8 }, 'c');
    const turned = attentionOf(plain).map(({ rope }) => rope !== null);
    expect(turned).toEqual([true, true, true, false, true, true, true, false]);
    expect(plain.tied).toBe(true);
    expect(plain.mixers[0]).toMatchObject({ rope: { theta: 2_000_000 }, window: null });
  });

  it('of EXAONE 4 turns the layers with a window, or all if there are none', () => {
    const turnedOf = (settings: object) => {
      const given = { ...sizes, ...heads, ...settings, model_type: 'exaone4', num_hidden_layers: 4 };
      return attentionOf(parseModelConfig(given, 'c')).map(({ window, rope }) => [window, rope !== null]);
    };
    const [near, far, all] = [
      [4096, true],
      [null, false],
      [null, true],
    ];
    expect(turnedOf({})).toEqual([near, near, near, far]);
    expect(turnedOf({ layer_types: ['full_attention', 'sliding_attention'] })).toEqual([far, near, far, far]);
    for (const settings of [{ sliding_window: null }, { use_sliding_window: false }])
      expect(turnedOf(settings)).toEqual([all, all, all, all]);
  });

  it('of LFM2 may have the older names, and a width that follows from another', () => {
    const lfm2 = { ...sizes, ...heads, model_type: 'lfm2', num_hidden_layers: 3 };
    const config = parseModelConfig({ ...lfm2, full_attn_idxs: [2], block_ff_dim: 1000, norm_eps: 0.5 }, 'c');
    expect(config).toMatchObject({ intermediate: 768, epsilon: 0.5, tied: true });
    expect(config.mixers).toEqual([
      { kind: 'convolution', length: 3, path: 'conv.conv' },
      { kind: 'convolution', length: 3, path: 'conv.conv' },
      { kind: 'attention', window: null, rope: { theta: 1_000_000, share: 1, scaling: null } },
    ]);
    const widthOf = (settings: object) => parseModelConfig({ ...lfm2, ...settings }, 'c').intermediate;
    expect([
      widthOf({ intermediate_size: 700, block_auto_adjust_ff_dim: false }),
      widthOf({ intermediate_size: 600, block_ffn_dim_multiplier: 1.5, block_multiple_of: 7 }),
      widthOf({ intermediate_size: 100, block_ffn_dim_multiplier: null }),
    ]).toEqual([700, 602, 66]);
    expect(() => widthOf({ intermediate_size: 'wide' })).toThrow(
      'intermediate_size must be a positive number',
    );
    expect(() => widthOf({ conv_bias: true })).toThrow('conv_bias true is not supported');
    expect(() => widthOf({ layer_types: ['conv', 'conv', 'linear_attention'] })).toThrow('layers of type');
    expect(targetNames(config)).toEqual(TARGET_DEFAULTS[1]);
  });

  it.each(GOLDEN_MODELS)('of %s has the modules that a run adapts by default', async name => {
    const { config } = await openGoldenModel(name);
    expect(TARGET_DEFAULTS).toContainEqual(targetNames(config));
  });

  it('of Qwen3.5 has a delta rule in three of four layers, alone and inside a model of images', () => {
    const qwen = { ...sizes, ...heads, model_type: 'qwen3_5_text', num_hidden_layers: 5, head_dim: 32 };
    const config = parseModelConfig(qwen, 'c');
    const delta = {
      ...{ kind: 'delta', heads: 32, keyHeads: 16, keyDim: 128, valueDim: 128 },
      ...{ length: 4, path: 'linear_attn.conv1d' },
    };
    const attention = {
      kind: 'attention',
      window: null,
      rope: { theta: 10_000, share: 0.25, scaling: null },
    };
    expect(config.mixers).toEqual([delta, delta, delta, attention, delta]);
    const inside = { model_type: 'qwen3_5', text_config: qwen, tie_word_embeddings: true, vision_config: {} };
    expect(parseModelConfig(inside, 'c')).toEqual({ ...config, tied: true });
    const tiedInside = { ...qwen, tie_word_embeddings: true };
    const untied = { ...inside, text_config: tiedInside, tie_word_embeddings: false };
    expect(parseModelConfig(untied, 'c')).toEqual({ ...config, tied: false });
    const { tie_word_embeddings: _, ...silent } = { ...inside, text_config: tiedInside };
    expect(parseModelConfig(silent, 'c')).toEqual({ ...config, tied: true });
    const parse = (settings: object) => () => parseModelConfig({ ...qwen, ...settings }, 'c');
    expect(parse({ attn_output_gate: false })).toThrow('attn_output_gate false is not supported');
    expect(parse({ partial_rotary_factor: 0.1 })).toThrow('partial_rotary_factor 0.1 turns 3 of 32 values');
    expect(parse({ linear_num_key_heads: 5 })).toThrow('32 heads of values cannot share 5 of keys evenly');
    expect(parse({ layer_types: Array(5).fill('other') })).toThrow('layers of type "other"');
  });

  it.each(['mistral', 'ministral'])('of %s has a window unless it is null', model_type => {
    const windowOf = (settings: object) =>
      attentionOf(parseModelConfig({ ...sizes, ...heads, model_type, ...settings }, 'c'))[1]!.window;
    expect([{}, { sliding_window: 7 }, { sliding_window: null }].map(windowOf)).toEqual([4096, 7, null]);
  });

  it('of Gemma 3 may leave out what transformers knows, and have the older settings of positions', () => {
    const plain = parseModelConfig({ ...sizes, ...heads, ...gemma, num_hidden_layers: 6 }, 'c');
    const [near, far] = [plain.mixers[4], plain.mixers[5]];
    expect(near).toEqual({
      kind: 'attention',
      window: 4096,
      rope: { theta: 10_000, share: 1, scaling: null },
    });
    expect(far).toEqual({
      kind: 'attention',
      window: null,
      rope: { theta: 1_000_000, share: 1, scaling: null },
    });
    expect(plain).toMatchObject({ headDim: 256, tied: true, scales: { embeddings: 8, scores: 1 / 16 } });
    const older = {
      ...{ rope_theta: 5, rope_local_base_freq: 3, rope_scaling: { rope_type: 'linear', factor: 8 } },
      ...{ sliding_window: 512, sliding_window_pattern: 2 },
    };
    expect(parseModelConfig({ ...sizes, ...heads, ...gemma, ...older }, 'c').mixers).toEqual([
      { kind: 'attention', window: 512, rope: { theta: 3, share: 1, scaling: null } },
      {
        kind: 'attention',
        window: null,
        rope: { theta: 5, share: 1, scaling: { kind: 'linear', factor: 8 } },
      },
    ]);
  });
});
