// GGUF files, version 3, little-endian: a header, and then each tensor's data at an aligned offset. It does not know
// models. A q8_0 tensor is blocks of 32 numbers: their scale as float16, and 32 int8.
import { narrow } from '../../../lib/engine/weights/convert.js';

export type MetadataValue =
  | { type: 'uint32'; value: number }
  | { type: 'float32'; value: number }
  | { type: 'string'; value: string }
  | { type: 'strings'; value: readonly string[] };

export interface GgufTensor {
  name: string;
  type: 'f32' | 'q8_0';
  /** As in safetensors: the dimension that is contiguous in memory comes last. */
  shape: readonly number[];
}

const VERSION = 3;
const ALIGNMENT = 32;
const VALUE_TYPES = { uint32: 4, float32: 6, string: 8, strings: 9 };
const TENSOR_TYPES = { f32: 0, q8_0: 8 };
const BLOCK = 32;
const BLOCK_BYTES = 2 + BLOCK;

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
    const type = uint32(TENSOR_TYPES[tensor.type]);
    parts.push(string(tensor.name), uint32(sizes.length), ...sizes, type, uint64(offset));
    offset += toAligned(dataLength(tensor));
  }
  return padData(Buffer.concat(parts));
}

export function padData(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(toAligned(data.length));
  padded.set(data);
  return padded;
}

/** The blocks of a tensor whose rows are whole blocks. */
export function toQ8(values: Float32Array): Uint8Array {
  const scales = Float32Array.from({ length: values.length / BLOCK }, (_, i) => {
    let largest = 0;
    for (let at = i * BLOCK; at < (i + 1) * BLOCK; at++) largest = Math.max(largest, Math.abs(values[at]!));
    return largest / 127;
  });
  const halves = narrow('F16', scales);
  const view = new DataView(new ArrayBuffer(scales.length * BLOCK_BYTES));
  for (let i = 0; i < scales.length; i++) {
    const begin = i * BLOCK_BYTES;
    view.setUint16(begin, halves[i]!, true);
    const inverse = scales[i] === 0 ? 0 : 1 / scales[i]!;
    for (let at = 0; at < BLOCK; at++)
      view.setInt8(begin + 2 + at, Math.round(values[i * BLOCK + at]! * inverse));
  }
  return new Uint8Array(view.buffer);
}

function dataLength({ name, type, shape }: GgufTensor): number {
  const count = shape.reduce((product, size) => product * size, 1);
  if (type === 'f32') return count * 4;
  if (shape.at(-1)! % BLOCK !== 0) throw new Error(`The rows of ${name} are not whole blocks of ${BLOCK}.`);
  return (count / BLOCK) * BLOCK_BYTES;
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
