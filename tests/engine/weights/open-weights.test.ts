import * as fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWeights, openWeightsFile } from '../../../lib/engine/weights/index.js';
import { GOLDEN_MODELS } from '../../support/golden-models.js';
import {
  bytesOf,
  expectComplaint,
  folderWith,
  golden,
  headerOf,
  temporaryFolder,
  toSafetensors,
} from './sample-files.js';

const shard = (names: string[]) => {
  const tensors = names.map((name, i) => [name, headerOf('F32', [1], 4 * i, 4 * i + 4)]);
  return toSafetensors(Object.fromEntries(tensors), 4 * names.length);
};
const index = (weight_map: object) => ({ metadata: { total_size: 8 }, weight_map });
const indexName = 'model.safetensors.index.json';

/** A model with this header, in a sparse file of zeros. */
function openSparse(header: Record<string, { data_offsets: number[] }>) {
  const start = toSafetensors(header, 0);
  const folder = folderWith({ 'model.safetensors': start });
  const dataBytes = Math.max(...Object.values(header).map(({ data_offsets }) => data_offsets[1]!));
  fs.truncateSync(join(folder, 'model.safetensors'), start.length + dataBytes);
  return openWeights(folder);
}

function overwrite(file: string, position: number, bytes: Uint8Array): void {
  const handle = fs.openSync(file, 'r+');
  fs.writeSync(handle, bytes, 0, bytes.length, position);
  fs.closeSync(handle);
}

describe('a model in one file', () => {
  it('has the names of a model of texts alone inside a model of images, too', async () => {
    const names = ['model.language_model.norm.weight', 'model.visual.norm.weight'];
    const folder = folderWith({ 'model.safetensors': shard(names) });
    expect((await openWeights(folder)).names()).toEqual(['model.norm.weight', 'model.visual.norm.weight']);
  });

  it.each(GOLDEN_MODELS)('is read: %s', async architecture => {
    const folder = join(golden, architecture);
    const weights = await openWeights(folder);
    const { tie_word_embeddings: isTied } = JSON.parse(fs.readFileSync(join(folder, 'config.json'), 'utf8'));
    expect(weights.names().includes('lm_head.weight')).toBe(!isTied);
    const raw = fs.readFileSync(join(folder, 'model.safetensors'));
    for (const name of weights.names()) {
      const { file, byteOffset, byteLength, dtype, shape } = weights.describe(name);
      expect([file, dtype]).toEqual([join(folder, 'model.safetensors'), 'F32']);
      const stored = raw.subarray(byteOffset, byteOffset + byteLength);
      const numbers = await weights.readFloat32(name);
      expect(numbers.length).toBe(shape.reduce((product, size) => product * size, 1));
      expect(numbers[1]).toBe(stored.readFloatLE(4));
    }
  });

  it('converts f16 and bf16, and rejects other types by name', async () => {
    const [h, b] = [headerOf('F16', [1], 0, 2), headerOf('BF16', [1], 2, 4)];
    const [i, u] = [headerOf('I64', [1], 4, 12), headerOf('U8', [4], 12, 16)];
    const weights = await openWeights(folderWith({ 'model.safetensors': toSafetensors({ h, b, i, u }, 16) }));
    expect(await weights.readFloat32('h')).toEqual(Float32Array.of(0x201 * 2 ** -24));
    expect(await weights.readFloat32('b')).toEqual(Float32Array.of((1 + 3 / 128) * 2 ** (8 - 127)));
    const complaint = 'tensor "i" has the type I64; only F32, F16 and BF16';
    await expectComplaint(weights.readFloat32('i'), complaint);
    await expectComplaint(weights.readFloat32('u'), 'has the type U8');
  });

  it('reports a missing tensor, and one with another shape', async () => {
    const weights = await openWeights(join(golden, 'llama'));
    const file = join(golden, 'llama', 'model.safetensors');
    expect(() => weights.describe('nope')).toThrow(`${file}: tensor "nope" is missing`);
    await expectComplaint(weights.readFloat32('nope'), 'tensor "nope" is missing');
    expect(weights.expectShape('model.norm.weight', [64]).byteLength).toBe(256);
    for (const shape of [[65], [64, 1], []])
      expect(() => weights.expectShape('model.norm.weight', shape)).toThrow(
        `${file}: tensor "model.norm.weight" has the shape [64], expected ${JSON.stringify(shape)}`,
      );
  });

  it('may be larger than 4 GiB', async () => {
    const large = 5 * 2 ** 30;
    const weights = await openSparse({
      large: headerOf('U8', [large], 0, large),
      last: headerOf('F32', [2], large, large + 8),
    });
    const { file, byteOffset } = weights.describe('last');
    expect(byteOffset).toBeGreaterThan(large);
    overwrite(file, byteOffset, new Uint8Array(Float32Array.of(1.5, -2).buffer));
    expect(await weights.readFloat32('last')).toEqual(Float32Array.of(1.5, -2));
  });

  it.each([
    ['F16', Uint8Array.of(0, 0x3c)],
    ['BF16', Uint8Array.of(0x80, 0x3f)],
    ['F32', Uint8Array.of(0, 0, 0x80, 0x3f)],
  ])('may have tensors that need several reads: %s', async (dtype, one) => {
    const length = 9 * 2 ** 20;
    const weights = await openSparse({ a: headerOf(dtype, [length], 0, length * one.length) });
    const { file, byteOffset } = weights.describe('a');
    const ones = [0, 2 ** 23 - 1, 2 ** 23, length - 1];
    for (const at of ones) overwrite(file, byteOffset + at * one.length, one);
    const numbers = await weights.readFloat32('a');
    expect(numbers.reduce((sum, value) => sum + value, 0)).toBe(ones.length);
    expect(ones.map(at => numbers[at])).toEqual([1, 1, 1, 1]);
  });

  it.runIf(process.platform === 'linux')('is closed after each read, even if the read fails', async () => {
    const before = fs.readdirSync('/proc/self/fd').length;
    const weights = await openWeights(join(golden, 'llama'));
    for (const name of weights.names()) await weights.readFloat32(name);
    await expectComplaint(openWeights(folderWith({ 'model.safetensors': 'broken' })), 'truncated');
    expect(fs.readdirSync('/proc/self/fd').length).toBe(before);
  });

  it('fails if it is truncated after it was opened', async () => {
    const folder = folderWith({ 'model.safetensors': shard(['a', 'b']) });
    const weights = await openWeights(folder);
    fs.truncateSync(join(folder, 'model.safetensors'), weights.describe('b').byteOffset + 1);
    await expect(weights.readFloat32('b')).rejects.toThrow('truncated while open');
    await expect(weights.readFloat32('a')).resolves.toHaveLength(1);
  });
});

describe('a sharded model', () => {
  it('has the tensors of all files, in the order of the index', async () => {
    const folder = folderWith({
      '1.safetensors': shard(['x', 'a']),
      '2.safetensors': shard(['b']),
      [indexName]: index({ b: '2.safetensors', a: '1.safetensors' }),
    });
    const weights = await openWeights(folder);
    expect(weights.names()).toEqual(['b', 'a']);
    expect(weights.describe('a').file).toBe(join(folder, '1.safetensors'));
    expect([...bytesOf(weights, 'a')]).toEqual([5, 6, 7, 8]);
    expect([...bytesOf(weights, 'b')]).toEqual([1, 2, 3, 4]);
    expect(() => weights.describe('x')).toThrow(`${folder}: tensor "x" is missing`);
  });

  it("may consist of links, like the Hub's cache", async () => {
    const blobs = folderWith({ blob: shard(['a']) });
    const folder = folderWith({ [indexName]: index({ a: '1.safetensors' }) });
    fs.symlinkSync(join(blobs, 'blob'), join(folder, '1.safetensors'));
    expect(await (await openWeights(folder)).readFloat32('a')).toHaveLength(1);
  });

  it.each(['../1.safetensors', '/etc/passwd', 'a/../../1', '..', '.', '', 'C:\\1', '..\\1', 'a\0', 7, null])(
    'is rejected if its index names %j as a file',
    async name => {
      const folder = folderWith({ [indexName]: index({ a: name }) });
      const listed = `tensor "a" is listed in ${JSON.stringify(name)}`;
      await expectComplaint(
        openWeights(folder),
        `${join(folder, indexName)}: ${listed}, which is not a file in this folder`,
      );
    },
  );

  it.each([
    ['is missing', index({ a: '2.safetensors' }), '2.safetensors: does not exist'],
    ['does not have the tensor', index({ b: '1.safetensors' }), '1.safetensors: tensor "b" is missing'],
    ['is not listed', index({}), 'lists no tensors'],
    ['has no weight_map', { weight_map: [] }, 'has no weight_map'],
    ['has a tensor twice', '{"weight_map":{"a":"1","a":"2"}}', 'tensor "a" appears in its index twice'],
    ['is not JSON', '{', 'index is not valid JSON'],
  ])('is rejected if a file %s', async (_, content, complaint) => {
    const folder = folderWith({ '1.safetensors': shard(['a']), [indexName]: content });
    await expectComplaint(openWeights(folder), complaint);
  });
});

it('an empty folder, a missing folder, and a folder instead of a file are rejected', async () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'none');
  await expectComplaint(openWeights(folder), `${folder}: has neither model.safetensors nor ${indexName}`);
  await expectComplaint(openWeights(missing), missing);
  await expectComplaint(openWeightsFile(missing), 'none: does not exist');
  fs.mkdirSync(join(folder, 'model.safetensors'));
  await expectComplaint(openWeights(folder), 'model.safetensors: is not a file');
});
