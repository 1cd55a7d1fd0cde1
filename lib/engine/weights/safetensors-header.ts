// Parses the header of a safetensors file: eight bytes of length, then JSON with the type, shape and place of each tensor.
// Takes bytes and a size, not a file.
import { isObject, parseJsonObject } from './json.js';
import { quote, WeightsError } from './weights-error.js';

export const lengthBytes = 8;
export const metadataName = '__metadata__';
const longestHeader = 100_000_000;

/**
 * Parses the header from the first bytes of a file, which must include the whole header, and checks it against the
 * file's size. The tensors are in the order of their data, and lie within the file; anything else is a `WeightsError`.
 */
export function parseSafetensorsHeader(
  bytes: Uint8Array,
  fileSize: number,
  file: string,
): Map<string, TensorInfo> {
  const data = { start: lengthBytes + readHeaderLength(bytes, fileSize, file), end: fileSize };
  if (bytes.length < data.start)
    throw new WeightsError(file, `its header has ${data.start} bytes, but fewer were read`);
  if (bytes[lengthBytes] !== 0x7b)
    throw new WeightsError(file, 'its header does not start with {, so it is not a safetensors file');
  const described = parseJsonObject(bytes.subarray(lengthBytes, data.start), file, 'header');
  checkMetadata(described[metadataName] ?? {}, file);
  const tensors = Object.entries(described)
    .filter(([name]) => name !== metadataName)
    .map(([name, tensor]) => parseTensorInfo(name, tensor, data, file));
  return new Map(checkLayout(tensors, data, file).map(tensor => [tensor.name, tensor]));
}

/** Reads the length of the header's JSON from the first eight bytes, and checks that it fits in the file. */
export function readHeaderLength(bytes: Uint8Array, fileSize: number, file: string): number {
  if (fileSize < lengthBytes || bytes.length < lengthBytes)
    throw new WeightsError(file, `is truncated: ${fileSize} bytes are too few for a safetensors file`);
  const length = new DataView(bytes.buffer, bytes.byteOffset, lengthBytes).getBigUint64(0, true);
  if (length > longestHeader)
    throw new WeightsError(
      file,
      `claims a header of ${length} bytes, more than the limit of ${longestHeader}`,
    );
  if (length > fileSize - lengthBytes)
    throw new WeightsError(
      file,
      `is truncated: its header has ${length} bytes, but the file has ${fileSize}`,
    );
  return Number(length);
}

function checkMetadata(metadata: unknown, file: string): void {
  if (isObject(metadata) && Object.values(metadata).every(text => typeof text === 'string')) return;
  throw new WeightsError(file, `${metadataName} in its header is not an object of strings`);
}

export interface TensorInfo {
  name: string;
  dtype: SafetensorsDtype;
  shape: number[];
  /** From the start of the file, as in ONNX external data. */
  byteOffset: number;
  byteLength: number;
}

/** The bytes of a file that hold data; `end` is exclusive. */
interface DataRange {
  start: number;
  end: number;
}

/** Parses a tensor's description, and checks it against the data of the file. */
function parseTensorInfo(name: string, described: unknown, data: DataRange, file: string): TensorInfo {
  const fail = (problem: string) => new WeightsError(file, problem, { tensor: name });
  if (!isObject(described)) throw fail('is not described by an object');
  const { dtype, shape, data_offsets: offsets } = described;
  if (!isDtype(dtype)) throw fail(`has the unknown dtype ${quote(dtype)}`);
  if (!isShape(shape))
    throw fail(`has the shape ${quote(shape)}; sizes must be whole numbers and not negative`);
  const bits = countBits(dtype, shape);
  if (bits === undefined) throw fail(`has a shape too large to count: ${quote(shape)}`);
  if (bits % 8 !== 0) throw fail(`does not fill whole bytes: ${dtype} ${quote(shape)}`);
  if (!isShape(offsets) || offsets.length !== 2)
    throw fail(`has the data_offsets ${quote(offsets)}; they must be two whole numbers and not negative`);

  const [begin, end] = offsets as [number, number];
  if (begin > end) throw fail(`starts at ${begin}, after its end at ${end}`);
  const available = data.end - data.start;
  if (end > available)
    throw fail(
      `ends at byte ${end}, but the file has ${available} bytes of data: it is truncated or damaged`,
    );
  if (end - begin !== bits / 8)
    throw fail(`has ${end - begin} bytes, but ${dtype} ${quote(shape)} needs ${bits / 8}`);
  return { name, dtype, shape, byteOffset: data.start + begin, byteLength: end - begin };
}

/** Orders the tensors by their data, which they must fill without gaps or overlaps. */
function checkLayout(tensors: TensorInfo[], data: DataRange, file: string): TensorInfo[] {
  const inOrder = tensors.toSorted((a, b) => a.byteOffset - b.byteOffset || a.byteLength - b.byteLength);
  let end = data.start;
  let previous = 'the header';
  for (const { name, byteOffset, byteLength } of inOrder) {
    const gap = byteOffset - end;
    if (gap < 0) throw new WeightsError(file, `overlaps ${previous} by ${-gap} bytes`, { tensor: name });
    if (gap > 0)
      throw new WeightsError(file, `leaves a gap of ${gap} bytes after ${previous}`, { tensor: name });
    end = byteOffset + byteLength;
    previous = `tensor ${quote(name)}`;
  }
  if (end !== data.end)
    throw new WeightsError(file, `${data.end - end} bytes that belong to no tensor follow ${previous}`);
  return inOrder;
}

/** The header of a file with these tensors, whose data follows in this order. */
export function encodeSafetensorsHeader(
  tensors: readonly { name: string; dtype: SafetensorsDtype; shape: readonly number[] }[],
  metadata: Record<string, string> = {},
): Uint8Array {
  const fields: [string, unknown][] = Object.keys(metadata).length > 0 ? [[metadataName, metadata]] : [];
  let begin = 0;
  for (const { name, dtype, shape } of tensors) {
    const end = begin + countBits(dtype, shape)! / 8;
    fields.push([name, { dtype, shape, data_offsets: [begin, end] }]);
    begin = end;
  }
  // Not an object: it would move names that are numbers to the front.
  const json = fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  const text = Buffer.from(`{${json}}`);
  const header = Buffer.alloc(lengthBytes + Math.ceil(text.length / 8) * 8, ' ');
  header.writeBigUInt64LE(BigInt(header.length - lengthBytes));
  text.copy(header, lengthBytes);
  return header;
}

/** The element types and their sizes in bits, in the order of safetensors' own library, which writes the last one first. */
const ranked = [
  ['BOOL', 8],
  ['F4', 4],
  ['F6_E2M3', 6],
  ['F6_E3M2', 6],
  ['U8', 8],
  ['I8', 8],
  ['F8_E5M2', 8],
  ['F8_E4M3', 8],
  ['F8_E8M0', 8],
  ['F8_E4M3FNUZ', 8],
  ['F8_E5M2FNUZ', 8],
  ['I16', 16],
  ['U16', 16],
  ['F16', 16],
  ['BF16', 16],
  ['I32', 32],
  ['U32', 32],
  ['F32', 32],
  ['C64', 64],
  ['F64', 64],
  ['I64', 64],
  ['U64', 64],
] as const;

export type SafetensorsDtype = (typeof ranked)[number][0];

/** The element types that can be read as numbers and written. */
export type FloatDtype = 'F32' | 'F16' | 'BF16';

const ranks = new Map<unknown, number>(ranked.map(([dtype], rank) => [dtype, rank]));

function isDtype(value: unknown): value is SafetensorsDtype {
  return ranks.has(value);
}

export function isFloatDtype(value: unknown): value is FloatDtype {
  return value === 'F32' || value === 'F16' || value === 'BF16';
}

export function rankOf(dtype: SafetensorsDtype): number {
  return ranks.get(dtype)!;
}

/** The size of a tensor in bits, or undefined if it is not a safe integer. */
export function countBits(dtype: SafetensorsDtype, shape: readonly number[]): number | undefined {
  const bits = shape.reduce<number>((product, size) => product * size, ranked[rankOf(dtype)]![1]);
  return Number.isSafeInteger(bits) ? bits : undefined;
}

export function isShape(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(size => Number.isSafeInteger(size) && size >= 0);
}
