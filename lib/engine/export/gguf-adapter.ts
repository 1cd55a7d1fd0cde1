// An adapter as one GGUF file, which llama.cpp loads with `--lora`: its matrices in float32, by llama.cpp's names.
import { LLAMA_CPP_MODULES, pairRows } from '../gguf/index.js';
import type { ModelConfig } from '../model/index.js';
import type { LoraPair, LoraSite, Module, OpenedAdapter } from '../weights/index.js';

/** The file in pieces. Reads one pair of matrices at a time. */
export async function* encodeGgufAdapter(
  { config: { rank }, scaling, sites, readPair }: OpenedAdapter,
  model: ModelConfig,
  shapeOf: (module: Module) => readonly [number, number],
): AsyncGenerator<Uint8Array> {
  const text = (value: string): MetadataValue => ({ type: 'string', value });
  const metadata: Record<string, MetadataValue> = {
    'general.type': text('adapter'),
    'general.architecture': text(model.llamaCpp.name),
    'adapter.type': text('lora'),
    // llama.cpp divides alpha by the rank, even if the adapter scales differently.
    'adapter.lora.alpha': { type: 'float32', value: scaling * rank },
  };
  yield ggufHeader(
    metadata,
    sites.flatMap(site => describePair(site, rank, shapeOf(site.module))),
  );
  for (const site of sites) {
    const pair = await readPair(site);
    yield toPadded(pair.a);
    yield toPadded(arrangeRows(pair, model, rank));
  }
}

function describePair(
  { layer, module }: LoraSite,
  rank: number,
  [outputs, inputs]: readonly [number, number],
): GgufTensor[] {
  const name = `blk.${layer}.${LLAMA_CPP_MODULES[module]}.weight`;
  return [f32Tensor(`${name}.lora_a`, [rank, inputs]), f32Tensor(`${name}.lora_b`, [outputs, rank])];
}

function arrangeRows(
  { module, b }: LoraPair,
  { llamaCpp, headDim }: ModelConfig,
  rank: number,
): Float32Array {
  const turns = module === 'q_proj' || module === 'k_proj';
  return turns && llamaCpp.pairsRows ? pairRows(b, headDim, rank) : b;
}

function toPadded({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return padData(new Uint8Array(buffer, byteOffset, byteLength));
}

/** @internal */
export type MetadataValue =
  | { type: 'uint32'; value: number }
  | { type: 'float32'; value: number }
  | { type: 'string'; value: string }
  | { type: 'strings'; value: readonly string[] };

/** @internal */
export interface GgufTensor {
  name: string;
  /** ggml's type numbers. */
  type: number;
  /** As in safetensors: the dimension that is contiguous in memory comes last. */
  shape: readonly number[];
  /** Of its data. */
  bytes: number;
}

const GGML_F32 = 0;

/** @internal */
export function f32Tensor(name: string, shape: readonly number[]): GgufTensor {
  return { name, type: GGML_F32, shape, bytes: 4 * shape.reduce((product, size) => product * size, 1) };
}

const VERSION = 3;
const ALIGNMENT = 32;
const VALUE_TYPES = { uint32: 4, float32: 6, string: 8, strings: 9 };

/**
 * Everything before the data in a GGUF file of version 3, which is little-endian. The data of each tensor follows in
 * this order, each padded with `padData`, so that it starts at an aligned offset.
 * @internal
 */
export function ggufHeader(
  metadata: Readonly<Record<string, MetadataValue>>,
  tensors: readonly GgufTensor[],
): Uint8Array {
  const entries = Object.entries(metadata);
  const parts = [Buffer.from('GGUF'), uint32(VERSION), uint64(tensors.length), uint64(entries.length)];
  for (const [key, value] of entries)
    parts.push(string(key), uint32(VALUE_TYPES[value.type]), valueBytes(value));
  let offset = 0;
  for (const tensor of tensors) {
    const sizes = tensor.shape.toReversed().map(uint64);
    parts.push(string(tensor.name), uint32(sizes.length), ...sizes, uint32(tensor.type), uint64(offset));
    offset += toAligned(tensor.bytes);
  }
  return padData(Buffer.concat(parts));
}

/** @internal */
export function padData(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(toAligned(data.length));
  padded.set(data);
  return padded;
}

function toAligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function valueBytes({ type, value }: MetadataValue): Buffer {
  switch (type) {
    case 'uint32':
      return uint32(value);
    case 'float32':
      return float32(value);
    case 'string':
      return string(value);
    case 'strings':
      return Buffer.concat([uint32(VALUE_TYPES.string), uint64(value.length), ...value.map(string)]);
  }
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
