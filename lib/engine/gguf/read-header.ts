// Reads the header of a GGUF file: its metadata, and the type, shape and place of each tensor. The file may be hostile:
// counts have limits, nothing nests, and memory stays below ten times the header's size.
import type { FileHandle } from 'node:fs/promises';
import { sizeOf } from '../graph/index.js';
import { quote, WeightsError, withFile } from '../weights/index.js';
import { type ByteReader, createByteReader } from './byte-reader.js';
import { findFormat, type NumberFormat } from './number-formats.js';

type MetadataValue = number | boolean | string | readonly (number | boolean | string)[];

export interface GgufTensor {
  name: string;
  format: NumberFormat;
  /** As in safetensors: the dimension that is contiguous in memory comes last. */
  shape: readonly number[];
  /** From the start of the file. */
  byteOffset: number;
  byteLength: number;
}

interface Place {
  at: number;
  length: number;
}

export interface GgufHeader {
  file: string;
  metadata: ReadonlyMap<string, MetadataValue>;
  /** Where each value of the metadata is in the file, with its type before it. */
  entries: ReadonlyMap<string, Place>;
  tensors: ReadonlyMap<string, GgufTensor>;
}

const LONGEST_HEADER = 2 ** 26;
const LONGEST_NAME = 2 ** 16;
const LONGEST_TEXT = 2 ** 24;
const MOST_KEYS = 10_000;
const MOST_TENSORS = 100_000;
/** More than any vocabulary has tokens. */
const MOST_ELEMENTS = 2 ** 22;
/** Longer arrays are skipped, but for those of the tokenizer that are read. */
const SHORT_ARRAY = 1024;
const LONG_ARRAYS = ['tokens', 'token_type', 'scores', 'merges'].map(name => `tokenizer.ggml.${name}`);
const MOST_DIMENSIONS = 4;
const LARGEST_ALIGNMENT = 2 ** 16;

interface HeaderOptions {
  /** Also the long arrays of the tokenizer. Default: yes. */
  keepsTokens?: boolean;
}

export function readGgufHeader(
  path: string,
  { keepsTokens = true }: HeaderOptions = {},
): Promise<GgufHeader> {
  return withFile(path, async (handle, size) => readHeader(handle, size, path, keepsTokens));
}

function readHeader({ fd }: FileHandle, size: number, file: string, keepsTokens: boolean): GgufHeader {
  const reader = createByteReader(fd, Math.min(size, LONGEST_HEADER), file);
  if (size < 4 || reader.bytes(4).toString('latin1') !== 'GGUF')
    throw new WeightsError(file, 'is not a GGUF file');
  checkVersion(reader.uint32(), file);
  const counts = { tensors: reader.uint64(), keys: reader.uint64() };
  requireCount('tensors', counts.tensors, MOST_TENSORS, file);
  requireCount('keys', counts.keys, MOST_KEYS, file);
  const metadata = new Map<string, MetadataValue>();
  const entries = new Map<string, Place>();
  const isKept = (key: string) => keepsTokens && LONG_ARRAYS.includes(key);
  for (let i = 0; i < counts.keys; i++) readEntry(reader, { metadata, entries, isKept }, file);
  const described = Array.from({ length: counts.tensors }, () => readTensorInfo(reader, file));
  const start = alignUp(reader.position, readAlignment(metadata, file));
  const tensors = described.map(tensor => placeTensor(tensor, start, size, file));
  checkOverlaps(tensors, file);
  const byName = new Map(tensors.map(tensor => [tensor.name, tensor]));
  if (byName.size < tensors.length)
    throw new WeightsError(file, 'is damaged: it has two tensors of one name');
  return { file, metadata, entries, tensors: byName };
}

function checkVersion(version: number, file: string): void {
  if (version === 2 || version === 3) return;
  const what = version % 2 ** 16 === 0 ? 'a big-endian GGUF file' : `a GGUF file of version ${version}`;
  throw new WeightsError(file, `is ${what}; versions 2 and 3 in little-endian order are supported`);
}

function requireCount(what: string, count: number, most: number, file: string): void {
  if (count > most)
    throw new WeightsError(file, `claims to have ${count} ${what}, more than the limit of ${most}`);
}

const BOOLEAN = 7;
const STRING = 8;
const ARRAY = 9;

interface NumberType {
  bytes: number;
  read: (bytes: Buffer, at: number) => number;
}

/** By their numbers in the format. 64-bit integers are rounded. */
const NUMBERS: Readonly<Record<number, NumberType>> = {
  0: { bytes: 1, read: (bytes, at) => bytes.readUInt8(at) },
  1: { bytes: 1, read: (bytes, at) => bytes.readInt8(at) },
  2: { bytes: 2, read: (bytes, at) => bytes.readUInt16LE(at) },
  3: { bytes: 2, read: (bytes, at) => bytes.readInt16LE(at) },
  4: { bytes: 4, read: (bytes, at) => bytes.readUInt32LE(at) },
  5: { bytes: 4, read: (bytes, at) => bytes.readInt32LE(at) },
  6: { bytes: 4, read: (bytes, at) => bytes.readFloatLE(at) },
  [BOOLEAN]: { bytes: 1, read: (bytes, at) => bytes.readUInt8(at) },
  10: { bytes: 8, read: (bytes, at) => Number(bytes.readBigUInt64LE(at)) },
  11: { bytes: 8, read: (bytes, at) => Number(bytes.readBigInt64LE(at)) },
  12: { bytes: 8, read: (bytes, at) => bytes.readDoubleLE(at) },
};

interface Entries {
  metadata: Map<string, MetadataValue>;
  entries: Map<string, Place>;
  /** Whether the array with this key is kept even if it is long. */
  isKept(key: string): boolean;
}

function readEntry(reader: ByteReader, { metadata, entries, isKept }: Entries, file: string): void {
  const key = reader.text(LONGEST_NAME);
  if (entries.has(key)) throw new WeightsError(file, `is damaged: it has the key ${quote(key)} twice`);
  const at = reader.position;
  const type = reader.uint32();
  const value =
    type === ARRAY ? readArray(reader, key, file, isKept(key)) : readScalar(reader, type, key, file);
  entries.set(key, { at, length: reader.position - at });
  if (value !== undefined) metadata.set(key, value);
}

function readScalar(reader: ByteReader, type: number, key: string, file: string): number | boolean | string {
  if (type === STRING) return reader.text(LONGEST_TEXT);
  const { bytes, read } = numberType(type, key, file);
  const value = read(reader.bytes(bytes), 0);
  return type === BOOLEAN ? value !== 0 : value;
}

function numberType(type: number, key: string, file: string): NumberType {
  const found = NUMBERS[type];
  if (found) return found;
  const problem = type === ARRAY ? 'an array of arrays' : `the unknown type ${type}`;
  throw new WeightsError(file, `is damaged or too new: its key ${quote(key)} has ${problem}`);
}

/** Undefined if no one needs it. */
function readArray(
  reader: ByteReader,
  key: string,
  file: string,
  isNeeded: boolean,
): MetadataValue | undefined {
  const type = reader.uint32();
  const count = reader.uint64();
  requireCount(`elements in ${quote(key)}`, count, MOST_ELEMENTS, file);
  const isKept = isNeeded || count <= SHORT_ARRAY;
  if (type === STRING) return readTexts(reader, count, isKept);
  const { bytes, read } = numberType(type, key, file);
  const all = reader.bytes(count * bytes);
  if (!isKept) return undefined;
  const at = (i: number) => read(all, i * bytes);
  const isFlag = type === BOOLEAN;
  return Array.from({ length: count }, (_, i) => (isFlag ? at(i) !== 0 : at(i))) as number[] | boolean[];
}

function readTexts(reader: ByteReader, count: number, isKept: boolean): string[] | undefined {
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    if (isKept) texts.push(reader.text(LONGEST_TEXT));
    else reader.skip(reader.uint64());
  }
  return isKept ? texts : undefined;
}

interface DescribedTensor extends Pick<GgufTensor, 'name' | 'shape'> {
  type: number;
  /** From the start of the data. */
  offset: number;
}

function readTensorInfo(reader: ByteReader, file: string): DescribedTensor {
  const name = reader.text(LONGEST_NAME);
  const dimensions = reader.uint32();
  if (dimensions > MOST_DIMENSIONS)
    throw new WeightsError(file, `has ${dimensions} dimensions, more than ${MOST_DIMENSIONS}`, {
      tensor: name,
    });
  const shape = Array.from({ length: dimensions }, () => reader.uint64()).reverse();
  return { name, shape, type: reader.uint32(), offset: reader.uint64() };
}

const DEFAULT_ALIGNMENT = 32;

function readAlignment(metadata: ReadonlyMap<string, MetadataValue>, file: string): number {
  const alignment = metadata.get('general.alignment') ?? DEFAULT_ALIGNMENT;
  if (
    typeof alignment === 'number' &&
    alignment <= LARGEST_ALIGNMENT &&
    Number.isInteger(Math.log2(alignment))
  )
    return alignment;
  throw new WeightsError(file, `is damaged: its alignment is ${quote(alignment)}`);
}

function alignUp(length: number, alignment = DEFAULT_ALIGNMENT): number {
  return Math.ceil(length / alignment) * alignment;
}

function placeTensor(
  { name, shape, type, offset }: DescribedTensor,
  start: number,
  size: number,
  file: string,
): GgufTensor {
  const fail = (problem: string) => new WeightsError(file, problem, { tensor: name });
  const format = findFormat(type);
  if (!format.decode && !format.stored)
    throw fail(
      `is quantized as ${format.name}, which is not supported. Use a file in F16, Q8_0, Q4_0 to Q5_1 or Q2_K to Q6_K.`,
    );
  const values = sizeOf(shape);
  if (!Number.isSafeInteger(values) || values === 0) throw fail(`has the shape ${quote(shape)}`);
  if (shape.at(-1)! % format.values !== 0)
    throw fail(`has rows of ${shape.at(-1)} values, which ${format.name} cannot have`);
  const byteLength = (values / format.values) * format.bytes;
  const byteOffset = start + offset;
  if (byteOffset + byteLength > size)
    throw fail(
      `ends at byte ${byteOffset + byteLength}, but the file has ${size}: it is truncated or damaged`,
    );
  return { name, format, shape, byteOffset, byteLength };
}

/** Shared data would make a small file a large model. */
function checkOverlaps(tensors: readonly GgufTensor[], file: string): void {
  const inOrder = tensors.toSorted((a, b) => a.byteOffset - b.byteOffset);
  inOrder.forEach(({ name, byteOffset }, i) => {
    const previous = inOrder[i - 1];
    if (previous && previous.byteOffset + previous.byteLength > byteOffset)
      throw new WeightsError(file, `overlaps ${quote(previous.name)}: the file is damaged`, { tensor: name });
  });
}

/** A GGUF file's metadata by type. Undefined where the file lacks the key; a value of another type is an error that names the key. */
export interface Facts {
  text(key: string): string | undefined;
  number(key: string): number | undefined;
  flag(key: string): boolean | undefined;
  texts(key: string): readonly string[] | undefined;
  numbers(key: string): readonly number[] | undefined;
}

export function readFacts({ file, metadata }: GgufHeader): Facts {
  const read =
    <T>(kind: string, isKind: (value: unknown) => value is T) =>
    (key: string): T | undefined => {
      const value = metadata.get(key);
      if (value === undefined || isKind(value)) return value;
      const found = Array.isArray(value) ? `${value.length} values` : quote(value);
      throw new WeightsError(file, `is damaged: its key ${quote(key)} must be ${kind}, not ${found}`);
    };
  return {
    text: read('a text', value => typeof value === 'string'),
    number: read('a number', value => typeof value === 'number'),
    flag: read('true or false', value => typeof value === 'boolean'),
    texts: read('a list of texts', value => isListOf<string>(value, 'string')),
    numbers: read('a list of numbers', value => isListOf<number>(value, 'number')),
  };
}

function isListOf<T>(value: unknown, type: 'string' | 'number'): value is readonly T[] {
  return Array.isArray(value) && value.every(item => typeof item === type);
}
