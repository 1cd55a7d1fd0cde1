// An adapter as a GGUF file, read back byte by byte and held against what PEFT's files say.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeGgufAdapter } from '../../../lib/engine/export/index.js';
import { loraModules, readAdapter } from '../../../lib/engine/weights/index.js';
import { createGgufReader } from '../../support/gguf-reader.js';
import { type AdapterSample, makeAdapterFolder } from '../../support/sample-adapter.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-gguf-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function convert(name: string, sample: AdapterSample = {}) {
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
  const tensors = new Map(
    described.map(({ name, sizes, type, offset }) => {
      expect([type, offset % 32]).toEqual([0, 0]);
      const bytes = file.subarray(start + offset, start + offset + 4 * sizes[0]! * sizes[1]!);
      return [name, { sizes, values: new Float32Array(new Uint8Array(bytes).buffer) }];
    }),
  );
  return { metadata, tensors };
}

const NAMES = ['attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down'];

describe.each([
  ['llama', 'llama'],
  ['qwen2', 'qwen2'],
  ['qwen3', 'qwen3'],
])('an adapter of a %s model', (name, architecture) => {
  it('has the metadata and the tensors that llama.cpp looks for', async () => {
    const { file, adapter } = await convert(name, { rank: 4, alpha: 6 });
    const { metadata, tensors } = read(file);
    expect(metadata).toEqual({
      'general.type': 'adapter',
      'general.architecture': architecture,
      'adapter.type': 'lora',
      'adapter.lora.alpha': 6,
    });
    expect(tensors.size).toBe(2 * adapter.tensors.length);
    for (const { layer, module, a, b } of adapter.tensors) {
      const stem = `blk.${layer}.${NAMES[loraModules.indexOf(module)]}.weight`;
      const [lower, upper] = [tensors.get(`${stem}.lora_a`)!, tensors.get(`${stem}.lora_b`)!];
      expect([lower.sizes, upper.sizes]).toEqual([
        [a.length / 4, 4],
        [4, b.length / 4],
      ]);
      expect(lower.values).toEqual(a);
      const isTurned = name === 'llama' && (module === 'q_proj' || module === 'k_proj');
      if (!isTurned) expect(upper.values).toEqual(b);
      else expect([...upper.values]).not.toEqual([...b]);
    }
  });
});

it("puts rows i and i + headDim / 2 of each of a Llama's heads beside each other, for queries and keys", async () => {
  const { file, adapter } = await convert('llama', { rank: 4, modules: ['q_proj', 'k_proj'] });
  const { tensors } = read(file);
  const headDim = 16;
  for (const [module, name] of [
    ['q_proj', 'attn_q'],
    ['k_proj', 'attn_k'],
  ]) {
    const { b } = adapter.tensors.find(pair => pair.layer === 1 && pair.module === module)!;
    const { values } = tensors.get(`blk.1.${name}.weight.lora_b`)!;
    for (let row = 0; row < b.length / 4; row++) {
      const [head, at] = [Math.floor(row / headDim), row % headDim];
      const target = head * headDim + (at < headDim / 2 ? 2 * at : 2 * (at - headDim / 2) + 1);
      expect(values.subarray(4 * target, 4 * target + 4)).toEqual(b.subarray(4 * row, 4 * row + 4));
    }
  }
});

it('has an alpha that gives the same scale where the adapter is scaled by the root of its rank', async () => {
  const { file } = await convert('llama', { rank: 4, alpha: 6, settings: { use_rslora: true } });
  expect(read(file).metadata['adapter.lora.alpha']).toBe(12);
});

it('is not written for an adapter that does not fit the model', async () => {
  await expect(convert('llama', { rank: 4, settings: { r: 8 } })).rejects.toThrow('expected [8,64]');
});
