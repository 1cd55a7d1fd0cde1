import { mkdirSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { convertGguf } from '../../../lib/engine/gguf/index.js';
import { readModelConfig } from '../../../lib/engine/model/index.js';
import { narrow, openWeights } from '../../../lib/engine/weights/index.js';
import { stampOf } from '../../../lib/system/index.js';
import { asF32, ggufOfModel, type Metadata, type Store } from '../../support/gguf-of-model.js';
import { openGoldenModel } from '../../support/golden-models.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let home: string;
let file: string;
let folder: string;
beforeEach(() => {
  home = temporaryFolder('svc-gguf');
  file = join(home, 'model.gguf');
  folder = join(home, 'read');
});

const ignore = () => undefined;

async function convert(metadata: Metadata, model = 'llama'): Promise<void> {
  const golden = await openGoldenModel(model);
  writeFileSync(file, await ggufOfModel(golden.folder, { metadata }));
  await convertGguf(file, folder, ignore);
}

/** The architectures that GGUF files may have. */
const READ = ['llama', 'llama-untied', 'qwen2', 'qwen3', 'gemma3', 'lfm2'] as const;

it.each(READ)('%s is the same model again: its config and each of its weights', async name => {
  const golden = await openGoldenModel(name);
  await convert({}, name);
  const { epsilon, ...config } = await readModelConfig(folder);
  // The files do not have the scale of scores.
  const scales = { ...golden.config.scales, scores: expect.closeTo(1 / Math.sqrt(config.headDim), 9) };
  expect({ ...config, epsilon }).toEqual({ ...golden.config, epsilon: expect.closeTo(epsilon, 9), scales });
  const [theirs, ours] = [await openWeights(golden.folder), await openWeights(folder)];
  expect(ours.names().sort()).toEqual(theirs.names().sort());
  for (const weight of theirs.names()) {
    const [expected, found] = [await theirs.readFloat32(weight), await ours.readFloat32(weight)];
    if (!golden.config.normsAddOne) expect(found).toEqual(expected);
    // 1 + a weight is rounded.
    else expect(found.findIndex((value, i) => Math.abs(value - expected[i]!) > 1e-7)).toBe(-1);
  }
});

it.each(['F16', 'BF16'] as const)(
  'weights in %s stay as they are, in the order of their model',
  async dtype => {
    const type = { F16: 1, BF16: 30 }[dtype];
    const store: Store = (values, shape) =>
      shape.length === 1
        ? asF32(values, shape)
        : { type, data: new Uint8Array(narrow(dtype, values).buffer) };
    const golden = await openGoldenModel('llama');
    writeFileSync(file, await ggufOfModel(golden.folder, { store }));
    await convertGguf(file, folder, ignore);
    const [theirs, ours] = [await openWeights(golden.folder), await openWeights(folder)];
    const name = 'model.layers.0.self_attn.q_proj.weight';
    expect(ours.describe(name).dtype).toBe(dtype);
    const halves = (values: Float32Array) => [...narrow(dtype, values)];
    expect(halves(await ours.readFloat32(name))).toEqual(halves(await theirs.readFloat32(name)));
  },
);

it('tells how far it is, and leaves nothing of an attempt that was killed', async () => {
  mkdirSync(`${folder}.partial`);
  writeFileSync(join(`${folder}.partial`, 'model.safetensors'), 'half');
  const golden = await openGoldenModel('llama');
  writeFileSync(file, await ggufOfModel(golden.folder));
  const shares: number[] = [];
  await convertGguf(file, folder, (done, total) => shares.push(done / total));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  expect(readdirSync(home).sort()).toEqual(['model.gguf', 'read']);
});

/** What each frequency is divided by in Llama 3.2, by its factor of 32. */
function llama3Factors(count: number, theta: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const turns = (8192 * theta ** (-i / count)) / (2 * Math.PI);
    const kept = Math.min(1, Math.max(0, (turns - 1) / 3));
    return 1 / (kept + (1 - kept) / 32);
  });
}

it.each([500_000, 1_000_000])(
  "finds Llama 3's scaling of positions in its factors, with the base %d",
  async theta => {
    const golden = await openGoldenModel('llama');
    const factors = Float32Array.from(llama3Factors(8, theta));
    const metadata = { 'llama.rope.freq_base': { float32: theta } };
    const tensor = { name: 'rope_freqs.weight', type: 0, shape: [8], data: new Uint8Array(factors.buffer) };
    const write = async () => {
      writeFileSync(file, await ggufOfModel(golden.folder, { metadata, more: [tensor] }));
      await convertGguf(file, folder, ignore);
    };
    await write();
    const { rope_scaling: scaling } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    expect(scaling).toMatchObject({ rope_type: 'llama3', low_freq_factor: 1, high_freq_factor: 4 });
    expect(scaling.factor).toBeCloseTo(32, 4);
    factors[3] = 5;
    folder = join(home, 'other');
    await expect(write()).rejects.toThrow('scales rope in a way that is not supported');
  },
);

it('is not kept if it was replaced while it was read', async () => {
  const golden = await openGoldenModel('llama');
  const content = await ggufOfModel(golden.folder);
  writeFileSync(file, content);
  let isReplaced = false;
  const replace = () => {
    if (isReplaced) return;
    isReplaced = true;
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };
  await expect(convertGguf(file, folder, replace)).rejects.toThrow('changed while it was read');
  expect(readdirSync(home)).toEqual(['model.gguf']);
  const before = await stampOf(file);
  utimesSync(file, 1, 1);
  await expect(convertGguf(file, folder, ignore, before)).rejects.toThrow('changed while it was read');
});

describe('is refused by name, and nothing is left', () => {
  it.each<[Metadata, string]>([
    [
      { 'general.architecture': 'mamba' },
      'has the architecture "mamba", which is not supported; llama, qwen2',
    ],
    [
      { 'general.architecture': 'gemma2', 'gemma2.attn_logit_softcapping': { float32: 50 } },
      'has the architecture "gemma2", which is not supported (it needs attn_logit_softcapping 50); llama, qwen2',
    ],
    [{ 'general.type': 'adapter' }, 'is not a model but of type "adapter"'],
    [{ 'split.count': { uint32: 3 } }, 'is one of 3 parts'],
    [{ 'llama.expert_count': { uint32: 8 } }, 'is a mixture of experts'],
    [
      { 'general.architecture': 'granite', 'granite.rope.scaling.finetuned': false },
      'has layers without positions, which is not supported',
    ],
    [{ 'llama.rope.scaling.type': 'other' }, 'rope scaling "other" is not supported'],
    [{ 'llama.rope.dimension_count': { uint32: 8 } }, 'partial_rotary_factor 0.5 is not supported'],
    [{ 'llama.attention.sliding_window': { uint32: 64 } }, 'sliding-window attention is not supported'],
    [{ 'llama.attention.head_count_kv': { int32s: [2, 1] } }, 'has layers of different sizes'],
    [{ 'llama.block_count': { uint32: 9 } }, 'tensor "blk.2.attn_norm.weight" is missing'],
    [{ 'llama.block_count': { uint32: 1 } }, 'tensor "blk.1.attn_norm.weight" has no place in a model'],
    [{ 'llama.block_count': 'two' }, 'its key "llama.block_count" must be a number, not "two"'],
    [{ 'llama.feed_forward_length': { uint32: 8 } }, 'has the shape [176,64], expected [8,64]'],
    [{ 'tokenizer.ggml.model': 'bert' }, 'has a tokenizer of type "bert"; supported are gpt2 and llama'],
    [{ 'tokenizer.ggml.pre': 'odd' }, 'splits text in the way "odd", which is not supported'],
    [{ 'tokenizer.ggml.tokens': [] }, 'has no tokens'],
    [{ 'tokenizer.ggml.eos_token_id': { uint32: 999 } }, 'its key "tokenizer.ggml.eos_token_id" is 999'],
    [{ 'tokenizer.ggml.token_type': { int32s: [1] } }, 'it has 320 tokens, but 1 token types'],
  ])('with %j', async (metadata, reason) => {
    await expect(convert(metadata)).rejects.toThrow(reason);
    await expect(convert(metadata)).rejects.toThrow(file);
    expect(readdirSync(home)).toEqual(['model.gguf']);
  });
});
