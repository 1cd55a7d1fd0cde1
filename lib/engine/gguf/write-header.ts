// Writes the header of a GGUF file of version 3, which is little-endian: metadata, and the type, shape and place of each
// tensor. The data of the tensors follows in their order, each padded with `padData`.
import { sizeOf } from '../graph/index.js';

export type MetadataValue =
  | { type: 'uint32' | 'float32'; value: number }
  | { type: 'flag'; value: boolean }
  | { type: 'string'; value: string }
  | { type: 'strings'; value: readonly string[] }
  | { type: 'int32s' | 'float32s'; value: readonly number[] }
  /** The type and the value, as another file has them. */
  | { type: 'encoded'; value: Uint8Array };

export type Metadata = Record<string, MetadataValue>;

export interface TensorToWrite {
  name: string;
  /** ggml's type numbers. */
  type: number;
  /** As in safetensors: the dimension that is contiguous in memory comes last. */
  shape: readonly number[];
  /** Of its data. */
  bytes: number;
}

const GGML_F32 = 0;

export function f32Tensor(name: string, shape: readonly number[]): TensorToWrite {
  return { name, type: GGML_F32, shape, bytes: 4 * sizeOf(shape) };
}

const VERSION = 3;
const ALIGNMENT = 32;
const VALUE_TYPES = { int32: 5, uint32: 4, float32: 6, flag: 7, string: 8, array: 9 };

/** Everything before the data. */
export function ggufHeader(metadata: Readonly<Metadata>, tensors: readonly TensorToWrite[]): Uint8Array {
  const entries = Object.entries(metadata);
  const parts: Uint8Array[] = [
    Buffer.from('GGUF'),
    uint32(VERSION),
    uint64(tensors.length),
    uint64(entries.length),
  ];
  for (const [key, value] of entries) parts.push(string(key), encodeValue(value));
  let offset = 0;
  for (const tensor of tensors) {
    const sizes = tensor.shape.toReversed().map(uint64);
    parts.push(string(tensor.name), uint32(sizes.length), ...sizes, uint32(tensor.type), uint64(offset));
    offset += tensor.bytes + paddingAfter(tensor.bytes);
  }
  return padData(Buffer.concat(parts));
}

export function padData(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(data.length + paddingAfter(data.length));
  padded.set(data);
  return padded;
}

/** How many zeros follow this many bytes of data, so that the next tensor starts at an aligned offset. */
export function paddingAfter(bytes: number): number {
  return (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
}

export function isSameValue(a: MetadataValue, b: MetadataValue): boolean {
  return Buffer.compare(encodeValue(a), encodeValue(b)) === 0;
}

function encodeValue(entry: MetadataValue): Uint8Array {
  const typed = (type: number, bytes: Uint8Array) => Buffer.concat([uint32(type), bytes]);
  switch (entry.type) {
    case 'encoded':
      return entry.value;
    case 'uint32':
      return typed(VALUE_TYPES.uint32, uint32(entry.value));
    case 'float32':
      return typed(VALUE_TYPES.float32, numbers(Float32Array.of(entry.value)));
    case 'flag':
      return typed(VALUE_TYPES.flag, Buffer.from([Number(entry.value)]));
    case 'string':
      return typed(VALUE_TYPES.string, string(entry.value));
    case 'strings':
      return array(VALUE_TYPES.string, entry.value.length, Buffer.concat(entry.value.map(string)));
    case 'int32s':
      return array(VALUE_TYPES.int32, entry.value.length, numbers(Int32Array.from(entry.value)));
    case 'float32s':
      return array(VALUE_TYPES.float32, entry.value.length, numbers(Float32Array.from(entry.value)));
  }
}

function array(type: number, count: number, items: Uint8Array): Buffer {
  return Buffer.concat([uint32(VALUE_TYPES.array), uint32(type), uint64(count), items]);
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

/** Every supported machine is little-endian. */
function numbers({ buffer }: Float32Array | Int32Array): Buffer {
  return Buffer.from(buffer);
}
