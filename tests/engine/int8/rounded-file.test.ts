// Rounded matrices on disk: written once, found again, and never mixed up.
import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { digestContent } from '../../../lib/engine/int8/content-digest.js';
import { type MatrixToRound, openRoundedFile } from '../../../lib/engine/int8/rounded-file.js';
import { createRandom } from '../../support/random.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const [ROWS, COLUMNS] = [5, 7];
let folder: string;
let weights: string;

const writeWeights = (seed: number) =>
  writeFile(weights, new Uint8Array(createRandom(seed).normal(ROWS * COLUMNS).buffer));
const readWeights = async () => new Float32Array(Uint8Array.from(await readFile(weights)).buffer);

beforeEach(async () => {
  const home = temporaryFolder('svc-rounded');
  folder = join(home, 'rounded');
  weights = join(home, 'weights');
  await writeWeights(1);
});

function matrices(centered = false): MatrixToRound[] {
  const place = { file: weights, offset: 0, length: 4 * ROWS * COLUMNS };
  return [{ name: 'w', location: { dtype: 'float32', shape: [ROWS, COLUMNS], ...place }, centered }];
}

async function meanRow(): Promise<number[]> {
  const stored = await readWeights();
  return Array.from({ length: COLUMNS }, (_, column) => {
    const values = stored.filter((_value, i) => i % COLUMNS === column);
    return values.reduce((sum, value) => sum + value, 0) / ROWS;
  });
}

/** The numbers that the rounded matrix stands for, row by row of the weights. */
async function numbersOf(direction: 'forward' | 'backward', form: 'int8' | 'uint8', centered = false) {
  const rounded = await openRoundedFile(folder, matrices(centered), direction, form);
  const { integers, scales } = rounded.get('w')!;
  const bytesOf = async ({ source }: typeof integers) => {
    if (!('file' in source)) throw new Error('The matrix is not in a file.');
    const bytes = await readFile(source.file);
    return Uint8Array.from(bytes.subarray(source.offset, source.offset + source.length)).buffer;
  };
  const bytes = await bytesOf(integers);
  const values = form === 'int8' ? new Int8Array(bytes) : Int8Array.from(new Uint8Array(bytes), b => b - 128);
  const scale = new Float32Array(await bytesOf(scales));
  const mean = centered ? await meanRow() : null;
  const [, lines] = integers.shape as [number, number];
  return Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    const [at, line] = direction === 'forward' ? [column, row] : [row, column];
    return values[at * lines + line]! * scale[line]! + (mean?.[column] ?? 0);
  });
}

async function expectNear(numbers: Float32Array): Promise<void> {
  for (const [i, value] of (await readWeights()).entries())
    expect(Math.abs(value - numbers[i]!)).toBeLessThan(0.02);
}

const files = async () => (await readdir(folder)).filter(name => !name.endsWith('.content'));
const writtenAt = async () =>
  Promise.all((await files()).map(async name => (await stat(join(folder, name))).birthtimeMs));

it.each(['forward', 'backward'] as const)('holds the matrix in both forms, %s', async direction => {
  const signed = await numbersOf(direction, 'int8');
  await expectNear(signed);
  expect(await numbersOf(direction, 'uint8')).toEqual(signed);
  await expectNear(await numbersOf(direction, 'int8', true));
});

it('is written once, and again if it is incomplete, or the weights have changed', async () => {
  const first = await numbersOf('forward', 'int8');
  const before = await writtenAt();
  expect(before).toHaveLength(1);
  expect(await numbersOf('forward', 'int8')).toEqual(first);
  expect(await writtenAt()).toEqual(before);
  const [name] = await files();
  await truncate(join(folder, name!), 10);
  expect(await numbersOf('forward', 'int8')).toEqual(first);
  await writeWeights(2);
  const second = await numbersOf('forward', 'int8');
  expect(second).not.toEqual(first);
  await expectNear(second);
});

it('is written again if it was changed, or if nothing says that it is whole', async () => {
  const first = await numbersOf('forward', 'int8');
  const [name] = await files();
  const path = join(folder, name!);
  const whole = await readFile(path);
  await writeFile(path, whole.toReversed());
  expect(await numbersOf('forward', 'int8')).toEqual(first);
  expect(await readFile(path)).toEqual(whole);
  const before = await writtenAt();
  const now = new Date();
  await utimes(path, now, now);
  await numbersOf('forward', 'int8');
  expect(await writtenAt()).not.toEqual(before);
});

it('is found again for a copy of the weights, and for weights that were moved', async () => {
  const first = await numbersOf('forward', 'int8');
  const before = await writtenAt();
  for (const name of ['copy', 'moved']) {
    const path = join(folder, '..', name);
    await (name === 'copy' ? copyFile(weights, path) : rename(weights, path));
    weights = path;
    expect(await numbersOf('forward', 'int8')).toEqual(first);
    expect(await writtenAt()).toEqual(before);
  }
});

it('digests a file once, until it changes, and reads none that is not known if it must not', async () => {
  const known = { folder, reads: false };
  expect(await digestContent(weights, known)).toBeNull();
  const digest = await digestContent(weights, { folder });
  expect(digest).toBe(
    createHash('sha256')
      .update(await readFile(weights))
      .digest('hex'),
  );
  expect(await digestContent(weights, known)).toBe(digest);
  const [kept] = await readdir(folder);
  expect(await readFile(join(folder, kept!), 'utf8')).toBe(digest);
  await writeWeights(2);
  expect(await digestContent(weights, known)).toBeNull();
  expect(await digestContent(weights, { folder })).not.toBe(digest);
});

it('removes what a killed process left behind a day ago, and leaves what is being written', async () => {
  await numbersOf('forward', 'int8');
  const [name] = await files();
  const [old, fresh] = ['old', 'new'].map(mark => join(folder, `.x.${mark}.tmp`)) as [string, string];
  for (const path of [old, fresh]) await copyFile(join(folder, name!), path);
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(old, longAgo, longAgo);
  await numbersOf('backward', 'int8');
  const names = await files();
  expect(names).toContain('.x.new.tmp');
  expect(names).not.toContain('.x.old.tmp');
});

it('removes the least recently used files beyond the limit', async () => {
  await numbersOf('forward', 'int8');
  const [name] = await files();
  const { size } = await stat(join(folder, name!));
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(join(folder, name!), longAgo, longAgo);
  await openRoundedFile(folder, matrices(), 'backward', 'int8', { limit: size });
  expect(await files()).toEqual([expect.stringMatching(/\.backward\.int8$/)]);
});

it('leaves the other files of the model in use, however large they are', async () => {
  const inUse = new Set<string>();
  for (const direction of ['forward', 'backward'] as const)
    await openRoundedFile(folder, matrices(), direction, 'int8', { limit: 1, inUse });
  expect(await files()).toHaveLength(2);
});
