import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWeights, openWeightsFile, writeSafetensors } from '../../../lib/engine/weights/index.js';
import type { TensorToWrite } from '../../../lib/engine/weights/write-safetensors.js';
import { GOLDEN_MODELS } from '../../support/golden-models.js';
import { expectComplaint, golden, temporaryFolder } from './sample-files.js';

const floats = Float32Array.of(1, -2, 0.5);
const tensor = (name: string, fields: Partial<TensorToWrite> = {}): TensorToWrite => ({
  name,
  dtype: 'F32',
  shape: [3],
  data: floats,
  ...fields,
});

async function write(tensors: TensorToWrite[], metadata?: Record<string, string>): Promise<string> {
  const file = join(temporaryFolder(), 'x.safetensors');
  await writeSafetensors(file, tensors, metadata);
  return file;
}

describe('a written file', () => {
  it.each(GOLDEN_MODELS)("has the same bytes as from the format's own library: %s", async architecture => {
    const weights = await openWeights(join(golden, architecture));
    const tensors = weights.names().map(async name => {
      return tensor(name, { shape: weights.describe(name).shape, data: await weights.readFloat32(name) });
    });
    const file = await write((await Promise.all(tensors)).reverse(), { format: 'pt' });
    const reference = readFileSync(join(golden, architecture, 'model.safetensors'));
    expect(readFileSync(file).equals(reference)).toBe(true);
  });

  it('has f32 first, then bf16, then f16, each by name, and data at a multiple of 8', async () => {
    const all = (dtype: 'F16' | 'BF16' | 'F32', ...names: string[]) =>
      names.map(name => tensor(name, { dtype }));
    const half = [...all('F16', 'b.9', 'b.10'), ...all('BF16', '\u{1F600}', '\uFFFD')];
    const tensors = [...half, ...all('F32', '7', 'Z', '10')];
    const file = await write(tensors);
    const weights = await openWeightsFile(file);
    expect(weights.names()).toEqual(['10', '7', 'Z', '\uFFFD', '\u{1F600}', 'b.10', 'b.9']);
    expect(weights.describe('10').byteOffset % 8).toBe(0);
    expect(readFileSync(await write(tensors.toReversed())).equals(readFileSync(file))).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toContain('__metadata__');
  });

  it('rounds numbers to their type, and keeps bytes', async () => {
    const parts = Float32Array.of(7, 1 / 3, -1 / 3, 7).subarray(1, 3);
    const file = await write([
      tensor('h', { dtype: 'F16', shape: [2], data: parts }),
      tensor('b', { dtype: 'BF16', shape: [1, 2], data: parts }),
      tensor('f', { shape: [2], data: parts }),
      tensor('r', { dtype: 'BF16', shape: [2], data: Uint8Array.of(0x80, 0x3f, 0, 0xc0) }),
      tensor('s', { shape: [], data: Float32Array.of(9) }),
      tensor('e', { shape: [0, 5], data: new Float32Array() }),
    ]);
    const weights = await openWeightsFile(file);
    const read = (name: string) => weights.readFloat32(name);
    expect(await Promise.all(['h', 'b', 'f', 'r', 's'].map(read))).toEqual([
      Float32Array.of(0.333251953125, -0.333251953125),
      Float32Array.of(0.333984375, -0.333984375),
      parts.slice(),
      Float32Array.of(1, -2),
      Float32Array.of(9),
    ]);
    expect(weights.describe('e').shape).toEqual([0, 5]);
  });

  it('converts long arrays in several chunks', async () => {
    const data = Float32Array.from({ length: (1 << 22) + 3 }, (_, i) => i % 2048);
    const file = await write([tensor('a', { dtype: 'F16', shape: [data.length], data })]);
    const read = await (await openWeightsFile(file)).readFloat32('a');
    expect(Buffer.from(read.buffer).equals(Buffer.from(data.buffer))).toBe(true);
  });
});

describe('what cannot be written', () => {
  it.each([
    ['a repeated name', [tensor('a'), tensor('a')], 'its name is already used'],
    ['the name of the metadata', [tensor('__metadata__')], 'its name is already used'],
    ['too few numbers', [tensor('a', { shape: [4] })], 'F32 [4] needs 4 numbers, not 3'],
    ['too few bytes', [tensor('a', { data: new Uint8Array(3) })], 'F32 [3] needs 12 bytes, not 3'],
    ['an impossible shape', [tensor('a', { shape: [-3] })], 'its shape is [-3]'],
    ['another type', [tensor('a', { dtype: 'I64' as 'F32' })], 'its type is "I64"'],
  ])('is an error that changes nothing: %s', async (_, tensors, complaint) => {
    const folder = temporaryFolder();
    const file = join(folder, 'x.safetensors');
    writeFileSync(file, 'old');
    await expectComplaint(writeSafetensors(file, tensors), complaint);
    expect(readFileSync(file, 'utf8')).toBe('old');
  });
});

it('no temporary file is left, whether another file is replaced or a folder is in the way', async () => {
  const folder = temporaryFolder();
  const [file, taken] = [join(folder, 'file'), join(folder, 'taken')];
  for (const name of ['a', 'b']) await writeSafetensors(file, [tensor(name)]);
  expect((await openWeightsFile(file)).names()).toEqual(['b']);
  mkdirSync(join(taken, 'by'), { recursive: true });
  await expect(writeSafetensors(taken, [tensor('a')])).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
});
