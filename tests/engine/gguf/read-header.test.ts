import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readGgufHeader } from '../../../lib/engine/gguf/read-header.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import {
  encodeGguf,
  type GgufData,
  type GgufValue,
  string,
  uint32,
  uint64,
} from '../../support/write-gguf.js';

let file: string;
beforeEach(() => {
  file = join(temporaryFolder('svc-gguf'), 'model.gguf');
});

function read(bytes: Uint8Array) {
  writeFileSync(file, bytes);
  return readGgufHeader(file);
}

const row = (name: string, change: Partial<GgufData> = {}): GgufData => ({
  ...{ name, type: 0, shape: [8], data: new Uint8Array(32) },
  ...change,
});

it('has its metadata, and the type, shape and place of each tensor', async () => {
  const values: [string, GgufValue][] = [
    ['text', 'é'],
    ['flag', true],
    ['count', { uint32: 4_000_000_000 }],
    ['number', { float32: 0.5 }],
    ['texts', ['a', '']],
    ['numbers', { int32s: [-1, 2] }],
    ['long', { raw: Buffer.concat([uint32(10), uint64(2n ** 40n)]) }],
    ['skipped', { int32s: Array(2000).fill(7) }],
    ['tokenizer.skipped', Array(300_000).fill('x')],
    ['tokenizer.ggml.scores', { float32s: Array(2000).fill(0.25) }],
  ];
  const q8 = row('q8', { type: 8, shape: [2, 32], data: new Uint8Array(68) });
  const { metadata, tensors } = await read(encodeGguf(values, [row('first'), q8]));
  expect(Object.fromEntries(metadata)).toEqual({
    ...{ text: 'é', flag: true, count: 4_000_000_000, number: 0.5, texts: ['a', ''], numbers: [-1, 2] },
    ...{ long: 2 ** 40, 'tokenizer.ggml.scores': Array(2000).fill(0.25) },
  });
  const { byteOffset } = tensors.get('first')!;
  expect(byteOffset % 32).toBe(0);
  expect(tensors.get('q8')).toMatchObject({ shape: [2, 32], byteLength: 68, byteOffset: byteOffset + 32 });
});

describe('a file that is damaged or hostile is rejected', () => {
  const many = (count: bigint, type: number) =>
    ({ raw: Buffer.concat([uint32(9), uint32(type), uint64(count)]) }) as const;

  it.each<[string, Uint8Array, string]>([
    ['empty', new Uint8Array(), 'is not a GGUF file'],
    ['of another kind', Buffer.from('PK\u0003\u0004 and more'), 'is not a GGUF file'],
    ['old', encodeGguf([], [], { version: 1 }), 'is a GGUF file of version 1'],
    ['big-endian', encodeGguf([], [], { version: 3 * 2 ** 24 }), 'is a big-endian GGUF file'],
    ['with a million keys', encodeGguf([], [], { keys: 1_000_000n }), 'claims to have 1000000 keys'],
    ['with endless tensors', encodeGguf([], [], { tensors: 2n ** 50n }), 'tensors, more than the limit'],
    [
      'with a count beyond numbers',
      encodeGguf([], [], { keys: 2n ** 63n }),
      'is damaged: its header has the length',
    ],
    ['cut in its header', encodeGguf([['a', 'b']]).subarray(0, 30), 'is truncated or damaged'],
    [
      'with a key that lies',
      Buffer.concat([encodeGguf([], [], { keys: 1n }).subarray(0, 24), uint64(2n ** 40n)]),
      'is truncated or damaged',
    ],
    [
      'with a text that lies',
      encodeGguf([['a', { raw: Buffer.concat([uint32(8), uint64(2n ** 33n)]) }]]),
      'is truncated or damaged',
    ],
    ['with an array that lies', encodeGguf([['a', many(4_000_000n, 12)]]), 'is truncated or damaged'],
    [
      'with an endless array',
      encodeGguf([['a', many(2n ** 40n, 8)]]),
      'elements in "a", more than the limit',
    ],
    ['with nested arrays', encodeGguf([['a', many(1n, 9)]]), 'has an array of arrays'],
    ['with an unknown type', encodeGguf([['a', { raw: uint32(99) }]]), 'has the unknown type 99'],
    [
      'with a key twice',
      encodeGguf([
        ['a', 'b'],
        ['a', 'c'],
      ]),
      'has the key "a" twice',
    ],
    ['with an odd alignment', encodeGguf([['general.alignment', { uint32: 24 }]]), 'its alignment is 24'],
    ['with a tensor twice', encodeGguf([], [row('a'), row('a')]), 'two tensors of one name'],
    ['with shared data', encodeGguf([], [row('a'), row('b', { offset: 0 })]), 'overlaps "a"'],
    ['with too many dimensions', encodeGguf([], [row('a', { shape: [1, 1, 1, 1, 8] })]), 'has 5 dimensions'],
    ['with an endless shape', encodeGguf([], [row('a', { shape: [2 ** 40, 2 ** 40] })]), 'has the shape'],
    ['with an empty shape', encodeGguf([], [row('a', { shape: [0] })]), 'has the shape [0]'],
    ['with broken blocks', encodeGguf([], [row('a', { type: 8, shape: [33] })]), 'has rows of 33 values'],
    [
      'in another format',
      encodeGguf([], [row('a', { type: 23 })]),
      'is quantized as IQ4_XS, which is not supported',
    ],
    ['in a new format', encodeGguf([], [row('a', { type: 77 })]), 'is quantized as type 77'],
    ['cut in its data', encodeGguf([], [row('a', { shape: [64] })]), 'it is truncated or damaged'],
    [
      'with a tensor beyond it',
      encodeGguf([], [row('a', { offset: 2 ** 40 })]),
      'it is truncated or damaged',
    ],
  ])('%s', async (_, bytes, reason) => {
    await expect(read(bytes)).rejects.toThrow(reason);
    await expect(read(bytes)).rejects.toThrow(`${file}: `);
  });

  it('a pipe, before it is opened', async () => {
    execFileSync('mkfifo', [file]);
    await expect(readGgufHeader(file)).rejects.toThrow('is not a file');
  });
});

it('a header at every length of a whole file is an error, never a crash', async () => {
  const whole = encodeGguf(
    [
      ['a', 'b'],
      ['tokenizer.list', ['c', 'd']],
    ],
    [row('t')],
  );
  for (let length = 0; length < whole.length; length++)
    await expect(read(whole.subarray(0, length))).rejects.toThrow(`${file}: `);
  expect((await read(whole)).tensors.size).toBe(1);
});

it('a text of tokens may be long, but not endless', async () => {
  const long = Buffer.concat([uint32(8), string('x'.repeat(2 ** 24 + 1))]);
  await expect(read(encodeGguf([['a', { raw: long }]]))).rejects.toThrow('more than the limit of 16777216');
});
