import { describe, expect, it } from 'vitest';
import { parseSafetensorsHeader, WeightsError } from '../../../lib/engine/weights/index.js';
import { headerOf as tensor, toSafetensors } from './sample-files.js';

const parse = (file: Uint8Array, size = file.length) => parseSafetensorsHeader(file, size, 'm.safetensors');

function complaintOf(file: Uint8Array, size?: number): string {
  try {
    parse(file, size);
  } catch (error) {
    if (error instanceof WeightsError) return error.message;
    throw error;
  }
  return 'no complaint';
}

/** The error for a file with this header and eight bytes of data. */
const complaintAbout = (header: unknown) => complaintOf(toSafetensors(header, 8));

describe('a header', () => {
  it('describes where each tensor is in the file, in the order of the data', () => {
    const [a, b] = [tensor('U8', [2, 2], 0, 4), tensor('F32', [1], 4, 8)];
    const file = toSafetensors({ b, __metadata__: { format: 'pt' }, a }, 8);
    expect([...parse(file).values()]).toEqual([
      { name: 'a', dtype: 'U8', shape: [2, 2], byteOffset: file.length - 8, byteLength: 4 },
      { name: 'b', dtype: 'F32', shape: [1], byteOffset: file.length - 4, byteLength: 4 },
    ]);
  });

  it('may have no tensors, scalars, empty tensors, padding, and any name', () => {
    expect(parse(toSafetensors('{}', 0)).size).toBe(0);
    expect(parse(toSafetensors({ s: tensor('F64', [], 0, 8) }, 8)).get('s')?.shape).toEqual([]);
    const empty = { e: tensor('F32', [0, 3], 8, 8), f: tensor('I64', [1], 0, 8) };
    expect([...parse(toSafetensors(`${JSON.stringify(empty)}   `, 8)).keys()]).toEqual(['f', 'e']);
    const odd = '{"__proto__":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}';
    expect(parse(toSafetensors(odd, 8)).get('__proto__')?.byteLength).toBe(8);
  });

  it('may use 4-bit types if they fill whole bytes', () => {
    const [whole, half] = [16, 15].map(size => ({ a: tensor('F4', [size], 0, 8) }));
    expect(parse(toSafetensors(whole, 8)).get('a')?.byteLength).toBe(8);
    expect(complaintAbout(half)).toBe('m.safetensors: tensor "a" does not fill whole bytes: F4 [15]');
  });
});

describe('a broken file', () => {
  const good = toSafetensors({ a: tensor('F32', [2], 0, 8) }, 8);

  it('is rejected wherever it is truncated', () => {
    for (let length = 0; length < good.length; length++)
      expect(complaintOf(good.subarray(0, length)), `${length} bytes`).toMatch(
        /^m\.safetensors: .*truncated/,
      );
    expect(complaintOf(good.subarray(0, 20), good.length)).toContain('fewer were read');
  });

  it('is rejected if its header is longer than the file or the limit', () => {
    const file = Buffer.from(good);
    file.writeBigUInt64LE(BigInt(good.length));
    const { length } = good;
    expect(complaintOf(file)).toContain(`its header has ${length} bytes, but the file has ${length}`);
    file.writeBigUInt64LE(100_000_001n);
    expect(complaintOf(file, 200_000_000)).toContain('claims a header of 100000001 bytes');
    file.writeBigUInt64LE(2n ** 64n - 1n);
    expect(complaintOf(file)).toContain('claims a header of 18446744073709551615 bytes');
  });

  it.each([
    ['not JSON', '{"a":', 'header is not valid JSON'],
    ['an unterminated string', '{"a', 'a string is not terminated'],
    ['another kind of file', 'GGUF', 'does not start with {'],
    ['a list', '[]', 'does not start with {'],
    ['deep nesting', '{"a":'.repeat(40), 'nested too deeply'],
    ['an object with a repeated name', '{"a":{},"b":{},"a":{}}', 'm.safetensors: tensor "a" appears'],
    ['a repeated name, once escaped', '{"a":{},"\\u0061" :{}}', 'tensor "a" appears in its header twice'],
    ['a repeated field', '{"a":{"dtype":"F32","dtype":"F16"}}', '"dtype" appears in its header twice'],
    ['metadata of numbers', '{"__metadata__":{"a":1}}', '__metadata__ in its header is not an object'],
  ])('is rejected if its header is %s', (_, header, complaint) => {
    expect(complaintAbout(header)).toContain(complaint);
  });

  it('is rejected if its header is not UTF-8', () => {
    const file = Buffer.from(good);
    file[10] = 0xff;
    expect(complaintOf(file)).toBe('m.safetensors: header is not UTF-8 text');
  });

  it('is accepted if a string only looks like a repeated name', () => {
    const texts = { a: 'a', b: '","a":"', c: '\\' };
    const header = { __metadata__: texts, a: tensor('U8', [8], 0, 8) };
    expect([...parse(toSafetensors(header, 8)).keys()]).toEqual(['a']);
  });

  it.each([
    ['a description that is not an object', 5, 'is not described by an object'],
    ['an unknown type', tensor('F31', [2], 0, 8), 'has the unknown dtype "F31"'],
    ['a type that objects inherit', tensor('constructor', [2], 0, 8), 'has the unknown dtype "constructor"'],
    ['no shape', tensor('F32', null, 0, 8), 'has the shape null'],
    ['a negative size', tensor('F32', [-2], 0, 8), 'has the shape [-2]'],
    ['a fractional size', tensor('F32', [0.5, 4], 0, 8), 'has the shape [0.5,4]'],
    ['a size beyond exact numbers', tensor('F32', [2 ** 53], 0, 8), 'has the shape [9007199254740992]'],
    ['a shape beyond them', tensor('F32', [2 ** 30, 2 ** 30], 0, 8), 'has a shape too large to count'],
    ['a size that does not match its shape', tensor('F32', [3], 0, 8), 'has 8 bytes, but F32 [3] needs 12'],
    ['an end before its start', tensor('F32', [2], 8, 0), 'starts at 8, after its end at 0'],
    ['an end beyond the file', tensor('F32', [4], 0, 16), 'ends at byte 16, but the file has 8 bytes'],
    ['a negative offset', tensor('F32', [2], -8, 0), 'has the data_offsets [-8,0]'],
    ['a fractional offset', tensor('F32', [2], 0.5, 8.5), 'has the data_offsets [0.5,8.5]'],
    ['one offset', tensor('F32', [2], 0), 'has the data_offsets [0]'],
    ['no offsets', { dtype: 'F32', shape: [2] }, 'has the data_offsets undefined'],
  ])('is rejected if a tensor has %s', (_, described, complaint) => {
    expect(complaintAbout({ 'x.weight': described })).toContain(
      `m.safetensors: tensor "x.weight" ${complaint}`,
    );
  });

  const bytes = (from: number, to: number) => tensor('U8', [to - from], from, to);
  it.each([
    [{ a: bytes(0, 5), b: bytes(4, 8) }, 'tensor "b" overlaps tensor "a" by 1 bytes'],
    [{ a: bytes(0, 2), b: bytes(4, 8) }, 'tensor "b" leaves a gap of 2 bytes after tensor "a"'],
    [{ a: bytes(4, 8) }, 'gap of 4 bytes after the header'],
    [{ a: bytes(0, 5) }, '3 bytes that belong to no tensor follow'],
  ])('is rejected if its tensors are not one after the other: %j', (header, complaint) => {
    expect(complaintAbout(header)).toContain(complaint);
  });

  it('gets a short error message', () => {
    const long = { ['n'.repeat(9999)]: tensor('F32', Array(9999).fill(1), 0, 8) };
    expect(complaintAbout(long).length).toBeLessThan(700);
  });
});
