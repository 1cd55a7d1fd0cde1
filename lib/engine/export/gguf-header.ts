// GGUF files, version 3, little-endian: a header, and then each tensor's data at an aligned offset. It does not know
// models, nor how the numbers of a type are stored.

export type MetadataValue =
  | { type: 'uint32'; value: number }
  | { type: 'float32'; value: number }
  | { type: 'string'; value: string }
  | { type: 'strings'; value: readonly string[] };

export interface GgufTensor {
  name: string;
  /** As ggml numbers them. */
  type: number;
  /** As in safetensors: the dimension that is contiguous in memory comes last. */
  shape: readonly number[];
  /** Of its data. */
  bytes: number;
}

const GGML_F32 = 0;

export function f32Tensor(name: string, shape: readonly number[]): GgufTensor {
  return { name, type: GGML_F32, shape, bytes: 4 * shape.reduce((product, size) => product * size, 1) };
}

const VERSION = 3;
const ALIGNMENT = 32;
const VALUE_TYPES = { uint32: 4, float32: 6, string: 8, strings: 9 };

/** All that comes before the data. The data of each tensor follows in this order, each padded with `padData`. */
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
