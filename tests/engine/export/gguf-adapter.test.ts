// An adapter as a GGUF file, read back byte by byte and held against what PEFT's files say.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { writeGgufAdapter } from '../../../lib/engine/export/index.js';
import { type Module, readAdapter } from '../../../lib/engine/weights/index.js';
import { createGgufReader } from '../../support/gguf-reader.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { type AdapterSample, makeAdapterFolder } from '../../support/sample-adapter.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function convert(name: string, sample: AdapterSample = {}) {
  const folder = temporaryFolder('svc-gguf');
  const modelFolder = fileURLToPath(new URL(`../../golden/engine/${name}`, import.meta.url));
  const adapterFolder = await makeAdapterFolder(join(folder, 'adapter'), modelFolder, sample);
  const path = join(folder, 'adapter.gguf');
  await writeGgufAdapter(path, { adapterFolder, modelFolder });
  return { file: await readFile(path), adapter: await readAdapter(adapterFolder) };
}

const STRING = 8;
const FLOAT32 = 6;

/** Metadata, and tensors with their sizes as ggml counts them, fastest first. */
function read(file: Buffer) {
  const reader = createGgufReader(file);
  expect([reader.text(4), reader.uint32()]).toEqual(['GGUF', 3]);
  const [tensorCount, entryCount] = [reader.uint64(), reader.uint64()];
  const metadata: Record<string, unknown> = {};
  for (let i = 0; i < entryCount; i++) {
    const [key, type] = [reader.string(), reader.uint32()];
    expect([STRING, FLOAT32]).toContain(type);
    metadata[key] = type === STRING ? reader.string() : reader.float32();
  }
  const described = Array.from({ length: tensorCount }, () => {
    const name = reader.string();
    const sizes = Array.from({ length: reader.uint32() }, () => reader.uint64());
    return { name, sizes, type: reader.uint32(), offset: reader.uint64() };
  });
  const start = Math.ceil(reader.position() / 32) * 32;
  const tensors = described.map(({ name, sizes, type, offset }) => {
    expect([type, offset % 32]).toEqual([0, 0]);
    const bytes = file.subarray(start + offset, start + offset + 4 * sizes[0]! * sizes[1]!);
    return [name, { sizes, values: new Float32Array(new Uint8Array(bytes).buffer) }] as const;
  });
  return { metadata, tensors: new Map(tensors) };
}

/** By module; those of a fused one each have the same number of its rows. */
const NAMES: Readonly<Record<Module, readonly string[]>> = {
  'self_attn.q_proj': ['attn_q'],
  'self_attn.k_proj': ['attn_k'],
  'self_attn.v_proj': ['attn_v'],
  'self_attn.qkv_proj': ['attn_qkv'],
  'self_attn.o_proj': ['attn_output'],
  'self_attn.out_proj': ['attn_output'],
  'conv.in_proj': ['shortconv.in_proj'],
  'conv.out_proj': ['shortconv.out_proj'],
  'linear_attn.in_proj_qkv': ['attn_qkv'],
  'linear_attn.in_proj_z': ['attn_gate'],
  'linear_attn.in_proj_b': ['ssm_beta'],
  'linear_attn.in_proj_a': ['ssm_alpha'],
  'linear_attn.out_proj': ['ssm_out'],
  'mlp.gate_proj': ['ffn_gate'],
  'mlp.up_proj': ['ffn_up'],
  'mlp.gate_up_proj': ['ffn_up'],
  'mlp.down_proj': ['ffn_down'],
  'shared_mlp.input_linear': ['ffn_gate', 'ffn_up'],
  'shared_mlp.output_linear': ['ffn_down'],
  'feed_forward.w1': ['ffn_gate'],
  'feed_forward.w3': ['ffn_up'],
  'feed_forward.w2': ['ffn_down'],
};

it.each(GOLDEN_MODELS)(
  'an adapter of a %s model has the metadata and the tensors that llama.cpp looks for',
  async name => {
    const { file, adapter } = await convert(name, { rank: 4, alpha: 6 });
    const { metadata, tensors } = read(file);
    const { architecture, pairsRows } = (await openGoldenModel(name)).llamaCpp;
    expect(metadata).toEqual({
      'general.type': 'adapter',
      'general.architecture': architecture,
      'adapter.type': 'lora',
      'adapter.lora.alpha': 6,
    });
    const parts = adapter.tensors.flatMap(({ layer, module, a, b }) =>
      NAMES[module].map((part, i, { length }) => {
        const rows = b.subarray((i * b.length) / length, ((i + 1) * b.length) / length);
        return { stem: `blk.${layer}.${part}.weight`, module, a, rows };
      }),
    );
    expect(tensors.size).toBe(2 * parts.length);
    for (const { stem, module, a, rows } of parts) {
      const [lower, upper] = [tensors.get(`${stem}.lora_a`)!, tensors.get(`${stem}.lora_b`)!];
      const isTurned = pairsRows && (module === 'self_attn.q_proj' || module === 'self_attn.k_proj');
      const movesColumns = module === 'linear_attn.out_proj';
      expect([lower.sizes, upper.sizes]).toEqual([
        [a.length / 4, 4],
        [4, rows.length / 4],
      ]);
      expectMoved(lower.values, a, movesColumns);
      expectMoved(upper.values, rows, isTurned || (module.startsWith('linear_attn.') && !movesColumns));
    }
  },
);

function expectMoved(found: Float32Array, values: Float32Array, isMoved: boolean): void {
  if (isMoved) expect(found).not.toEqual(values);
  const inOrder = (all: Float32Array) => (isMoved ? all.toSorted() : all);
  expect(inOrder(found)).toEqual(inOrder(values));
}

it("an adapter has rows i and i + headDim / 2 of each of a Llama's heads beside each other, for queries and keys", async () => {
  const { file, adapter } = await convert('llama', {
    rank: 4,
    modules: ['self_attn.q_proj', 'self_attn.k_proj'],
  });
  const { tensors } = read(file);
  const headDim = 16;
  for (const { layer, module, b } of adapter.tensors) {
    const name = module === 'self_attn.q_proj' ? 'attn_q' : 'attn_k';
    const { values } = tensors.get(`blk.${layer}.${name}.weight.lora_b`)!;
    for (let row = 0; row < b.length / 4; row++) {
      const [head, at] = [Math.floor(row / headDim), row % headDim];
      const target = head * headDim + (at < headDim / 2 ? 2 * at : 2 * (at - headDim / 2) + 1);
      expect(values.subarray(4 * target, 4 * target + 4)).toEqual(b.subarray(4 * row, 4 * row + 4));
    }
  }
});

it('an adapter has an alpha that gives the same scale where the adapter is scaled by the root of its rank', async () => {
  const { file } = await convert('llama', { rank: 4, alpha: 6, settings: { use_rslora: true } });
  expect(read(file).metadata['adapter.lora.alpha']).toBe(12);
});

it('no file is written for an adapter that does not fit the model', async () => {
  await expect(convert('llama', { rank: 4, settings: { r: 8 } })).rejects.toThrow('expected [8,64]');
});
