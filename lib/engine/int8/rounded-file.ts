// A file of a model's rounded matrices for one direction of the products, kept so that the next start need not round
// them again. Its layout follows from what is rounded.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../system/index.js';
import type { ConstantSource } from '../graph/index.js';
import type { WeightLocation } from '../model/index.js';
import { readNumbers } from '../weights/index.js';
import { type Balance, toScales } from './balance.js';
import { type DigestOptions, digestContent } from './content-digest.js';

/**
 * `forward`: for x Wᵀ, with a scale for each output. `rest`: what rounding for that loses, rounded again. `backward`: for
 * gradient W, with a scale for each input.
 */
export type Direction = 'forward' | 'rest' | 'backward';

/** Integers around 0, or around 128. */
export type IntegerForm = 'int8' | 'uint8';

export interface MatrixToRound {
  name: string;
  location: WeightLocation;
  /** Whether the mean row is subtracted before rounding. */
  centered: boolean;
  /** Of the rows that it is multiplied with. */
  balance?: Balance | undefined;
}

/** A part of the file, as a tensor. */
export interface LocatedPart {
  shape: readonly number[];
  source: ConstantSource;
}

export interface RoundedMatrix {
  /** [length, lines] */
  integers: LocatedPart;
  /** float32 [lines] */
  scales: LocatedPart;
}

const VERSION = 4;
const ALIGNMENT = 64;
/** The files of a folder may have this many bytes together; those of the model in use stay, however large they are. */
const LARGEST_FOLDER = 16 * 2 ** 30;
/** A temporary file as old as this was left by a process that was killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
/** The time of change that a whole file is given, so that one that was changed since, or half copied, says another. */
const WHOLE = new Date('2000-01-01T00:00:00Z');

/** Finds or writes the file, and returns where each matrix is. `inUse`: files of the same model, which stay; gets this one. */
export async function openRoundedFile(
  folder: string,
  matrices: readonly MatrixToRound[],
  direction: Direction,
  form: IntegerForm,
  { inUse = new Set<string>(), limit = LARGEST_FOLDER }: { inUse?: Set<string>; limit?: number } = {},
): Promise<ReadonlyMap<string, RoundedMatrix>> {
  const file = join(folder, `${await digestMatrices(matrices, { folder })}.${direction}.${form}`);
  const { located, size } = layOut(file, matrices, direction);
  inUse.add(file);
  const found = await stat(file).catch(() => null);
  if (found?.size !== size || found.mtimeMs !== WHOLE.getTime()) {
    await mkdir(folder, { recursive: true });
    await replaceFile(file, roundAll(matrices, direction, form));
    await removeOldFiles(folder, inUse, limit);
  }
  await utimes(file, new Date(), WHOLE).catch(() => {});
  return located;
}

/** Names what is rounded by the content of the weight files, wherever they are. */
export function digestMatrices(
  matrices: readonly MatrixToRound[],
  options?: { folder?: string },
): Promise<string>;
export function digestMatrices(
  matrices: readonly MatrixToRound[],
  options?: DigestOptions,
): Promise<string | null>;
export async function digestMatrices(
  matrices: readonly MatrixToRound[],
  options?: DigestOptions,
): Promise<string | null> {
  const hash = createHash('sha256').update(`${VERSION}`);
  const contents = new Map<string, string>();
  for (const file of new Set(matrices.map(({ location }) => location.file))) {
    const content = await digestContent(file, options);
    if (content === null) return null;
    contents.set(file, content);
  }
  for (const { name, location, centered, balance } of matrices)
    hash.update(
      JSON.stringify([name, { ...location, file: contents.get(location.file) }, centered, balance]),
    );
  return hash.digest('hex').slice(0, 32);
}

function layOut(file: string, matrices: readonly MatrixToRound[], direction: Direction) {
  const located = new Map<string, RoundedMatrix>();
  let end = 0;
  const next = (length: number): ConstantSource => {
    const source = { file, offset: end, length };
    end += paddedLength(length);
    return source;
  };
  for (const { name, location, balance } of matrices) {
    const [rows, width] = location.shape as [number, number];
    const columns = balance?.factors.length ?? width;
    const [length, lines] = direction === 'backward' ? [rows, columns] : [columns, rows];
    located.set(name, {
      integers: { shape: [length, lines], source: next(length * lines) },
      scales: { shape: [lines], source: next(4 * lines) },
    });
  }
  return { located, size: end };
}

const paddedLength = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Reads and rounds one matrix at a time, so that only one is in memory. */
async function* roundAll(
  matrices: readonly MatrixToRound[],
  direction: Direction,
  form: IntegerForm,
): AsyncGenerator<Uint8Array> {
  for (const { name, location, centered, balance } of matrices) {
    const [rows, width] = location.shape as [number, number];
    const stored = await readMatrix(name, location);
    if (centered) subtractMeanRow(stored, rows, width);
    const values = balance ? balanceColumns(stored, rows, balance) : stored;
    const columns = values.length / rows;
    if (direction === 'rest') subtractRounded(values, rows, columns);
    const { integers, scales } = (direction === 'backward' ? roundColumns : roundRows)(values, rows, columns);
    yield* padded(form === 'int8' ? integers : toUnsigned(integers));
    yield* padded(scales);
  }
}

function toUnsigned(integers: Int8Array): Uint8Array {
  const unsigned = new Uint8Array(integers.length);
  for (let i = 0; i < integers.length; i++) unsigned[i] = integers[i]! + 128;
  return unsigned;
}

function* padded({
  buffer,
  byteOffset,
  byteLength,
}: Int8Array | Uint8Array | Float32Array): Generator<Uint8Array> {
  yield new Uint8Array(buffer, byteOffset, byteLength);
  yield new Uint8Array(paddedLength(byteLength) - byteLength);
}

const DTYPES = { float32: 'F32', float16: 'F16', bfloat16: 'BF16' } as const;

export function readMatrix(
  name: string,
  { dtype, file, offset, length }: WeightLocation,
): Promise<Float32Array> {
  const known = DTYPES[dtype as keyof typeof DTYPES];
  return readNumbers({ name, dtype: known, file, byteOffset: offset, byteLength: length });
}

/** What rows that are balanced are multiplied with: [rows, channels + copies]. */
function balanceColumns(values: Float32Array, rows: number, balance: Balance): Float32Array {
  const scales = toScales(balance);
  const channels = Uint32Array.of(...scales.keys(), ...balance.copied);
  const parts = Float64Array.from(channels, channel => 1 / scales[channel]!);
  const balanced = new Float32Array(rows * channels.length);
  let to = 0;
  for (let from = 0; from < values.length; from += scales.length)
    for (let at = 0; at < channels.length; at++) balanced[to++] = values[from + channels[at]!]! * parts[at]!;
  return balanced;
}

function subtractRounded(values: Float32Array, rows: number, columns: number): void {
  const { integers, scales } = roundRows(values, rows, columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      values[row * columns + column]! -= integers[column * rows + row]! * scales[row]!;
  }
}

function subtractMeanRow(values: Float32Array, rows: number, columns: number): void {
  const sums = new Float64Array(columns);
  for (let i = 0; i < values.length; i++) sums[i % columns]! += values[i]!;
  for (let i = 0; i < values.length; i++) values[i]! -= sums[i % columns]! / rows;
}

/** Choices of weights are small, and kept. */
const isRemovable = (name: string) => !name.endsWith('.choice');

/** Removes the least recently used files beyond the limit, and leftover temporary files. */
async function removeOldFiles(folder: string, inUse: ReadonlySet<string>, limit: number): Promise<void> {
  const names = await readdir(folder);
  const files = await Promise.all(
    names.filter(isRemovable).map(async name => {
      const path = join(folder, name);
      const facts = await stat(path).catch(() => ({ size: 0, atimeMs: 0, mtimeMs: 0 }));
      return { path, ...facts, isTemporary: name.startsWith('.') };
    }),
  );
  let total = 0;
  for (const { path, size, mtimeMs, isTemporary } of files.sort((a, b) => b.atimeMs - a.atimeMs)) {
    if (!isTemporary) total += size;
    const isOld = isTemporary ? mtimeMs < Date.now() - ABANDONED_MS : total > limit && !inUse.has(path);
    // Some systems refuse to delete a file that another process has open.
    if (isOld) await rm(path, { force: true }).catch(() => {});
  }
}

/** What the largest value of a line becomes, or its negative. */
const LARGEST = 127;

/**
 * The lines of a matrix as integers of 8 bits, each with a scale of its own: value = integer × scale. They are the columns
 * of the integers: the second operand of a product.
 */
interface RoundedLines {
  /** [length, lines] */
  integers: Int8Array;
  /** One for each line. */
  scales: Float32Array;
}

/** How many lines are written next to each other at once, so that writing stays within a few cache lines. */
const TOGETHER = 64;

/** The rows of [rows, columns] are the lines. @internal */
export function roundRows(values: Float32Array, rows: number, columns: number): RoundedLines {
  const integers = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  const factors = new Float32Array(TOGETHER);
  for (let first = 0; first < rows; first += TOGETHER) {
    const end = Math.min(first + TOGETHER, rows);
    for (let row = first; row < end; row++) {
      let largest = 0;
      for (let i = row * columns; i < (row + 1) * columns; i++)
        largest = Math.max(largest, Math.abs(values[i]!));
      scales[row] = largest / LARGEST;
      factors[row - first] = largest > 0 ? LARGEST / largest : 0;
    }
    for (let column = 0; column < columns; column++) {
      for (let row = first; row < end; row++)
        integers[column * rows + row] = toInteger(values[row * columns + column]! * factors[row - first]!);
    }
  }
  return { integers, scales };
}

/** The columns of [rows, columns] are the lines. @internal */
export function roundColumns(values: Float32Array, rows: number, columns: number): RoundedLines {
  const integers = new Int8Array(rows * columns);
  const largest = new Float32Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      largest[column] = Math.max(largest[column]!, Math.abs(values[row * columns + column]!));
  }
  const factors = largest.map(value => (value > 0 ? LARGEST / value : 0));
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      integers[at] = toInteger(values[at]! * factors[column]!);
    }
  }
  return { integers, scales: largest.map(value => value / LARGEST) };
}

/** `scaled` is between -127 and 127, so the sum is positive and truncating it rounds to the nearest. */
function toInteger(scaled: number): number {
  return ((scaled + 128.5) | 0) - 128;
}
