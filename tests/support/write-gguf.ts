// Writes GGUF files, whole or hostile ones.

/** `raw`: the type and the value. */
export type GgufValue =
  | string
  | boolean
  | readonly string[]
  | { uint32: number }
  | { float32: number }
  | { int32s: readonly number[] }
  | { float32s: readonly number[] }
  | { raw: Buffer };

export interface GgufData {
  name: string;
  type: number;
  /** The dimension that is contiguous in memory comes last. */
  shape: readonly number[];
  data: Uint8Array;
  /** Where it says that its data starts, if not where it does. */
  offset?: number;
}

interface Lies {
  version?: number;
  tensors?: bigint;
  keys?: bigint;
}

const ALIGNMENT = 32;

export function encodeGguf(
  metadata: readonly (readonly [key: string, value: GgufValue])[],
  tensors: readonly GgufData[] = [],
  { version = 3, tensors: tensorCount = BigInt(tensors.length), keys = BigInt(metadata.length) }: Lies = {},
): Buffer {
  const parts = [Buffer.from('GGUF'), uint32(version), uint64(tensorCount), uint64(keys)];
  for (const [key, value] of metadata) parts.push(string(key), encodeValue(value));
  let end = 0;
  for (const { name, type, shape, data, offset } of tensors) {
    parts.push(string(name), uint32(shape.length), ...shape.toReversed().map(size => uint64(BigInt(size))));
    parts.push(uint32(type), uint64(BigInt(offset ?? end)));
    end += Math.ceil(data.length / ALIGNMENT) * ALIGNMENT;
  }
  return Buffer.concat([padded(Buffer.concat(parts)), ...tensors.map(({ data }) => padded(data))]);
}

function encodeValue(value: GgufValue): Buffer {
  if (typeof value === 'string') return Buffer.concat([uint32(8), string(value)]);
  if (typeof value === 'boolean') return Buffer.concat([uint32(7), Buffer.from([Number(value)])]);
  if ('raw' in value) return value.raw;
  if ('uint32' in value) return Buffer.concat([uint32(4), uint32(value.uint32)]);
  if ('float32' in value) return Buffer.concat([uint32(6), float32(value.float32)]);
  if ('int32s' in value) return encodeArray(5, value.int32s.map(uint32));
  if ('float32s' in value) return encodeArray(6, value.float32s.map(float32));
  return encodeArray(8, value.map(string));
}

function encodeArray(type: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(9), uint32(type), uint64(BigInt(items.length)), ...items]);
}

function padded(data: Uint8Array): Buffer {
  return Buffer.concat([data], Math.ceil(data.length / ALIGNMENT) * ALIGNMENT);
}

export function string(text: string): Buffer {
  return Buffer.concat([uint64(BigInt(Buffer.byteLength(text))), Buffer.from(text)]);
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
