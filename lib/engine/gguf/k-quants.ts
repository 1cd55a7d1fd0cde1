// The formats with blocks of 256 values, whose parts have scales of their own that a 16-bit scale multiplies.

import { widen } from '../weights/index.js';

/** Scales and minimums of 16 parts in four bits each, then two bits a value. */
export function decodeQ2K(blocks: Uint8Array, values: Float32Array): void {
  const half = halfReader(blocks);
  for (let at = 0, to = 0; to < values.length; at += 84) {
    const scale = half(at + 80);
    const minimum = half(at + 82);
    for (let part = 0; part < 16; part++) {
      const both = blocks[at + part]!;
      const [factor, least] = [scale * (both & 15), minimum * (both >> 4)];
      const [from, shift] = twoBits(part);
      for (let i = 0; i < 16; i++)
        values[to++] = factor * ((blocks[at + 16 + from + i]! >> shift) & 3) - least;
    }
  }
}

/** Where the two-bit values of a part of 16 start, and by how much they are shifted. */
function twoBits(part: number): [from: number, shift: number] {
  return [(part >> 3) * 32 + (part & 1) * 16, ((part >> 1) & 3) * 2];
}

/** Third bits of all values, two bits a value, then 16 scales in six bits each. */
export function decodeQ3K(blocks: Uint8Array, values: Float32Array): void {
  const half = halfReader(blocks);
  for (let at = 0, to = 0; to < values.length; at += 110) {
    const scale = half(at + 108);
    const scales = at + 96;
    for (let part = 0; part < 16; part++) {
      const low = (blocks[scales + (part & 7)]! >> (part < 8 ? 0 : 4)) & 15;
      const high = (blocks[scales + 8 + (part & 3)]! >> (2 * (part >> 2))) & 3;
      const factor = scale * ((low | (high << 4)) - 32);
      const [from, shift] = twoBits(part);
      for (let i = 0; i < 16; i++) {
        const third = (blocks[at + (part & 1) * 16 + i]! >> (part >> 1)) & 1;
        values[to++] = factor * (((blocks[at + 32 + from + i]! >> shift) & 3) + 4 * third - 4);
      }
    }
  }
}

/** Scales and minimums of eight parts, then four bits a value. */
export function decodeQ4K(blocks: Uint8Array, values: Float32Array): void {
  const half = halfReader(blocks);
  for (let at = 0, to = 0; to < values.length; at += 144) {
    const [scale, minimum] = [half(at), half(at + 2)];
    for (let part = 0; part < 8; part++) {
      const [factor, least] = sixBits(blocks, at + 4, part);
      const [by, from, shift] = [scale * factor, at + 16 + (part >> 1) * 32, (part & 1) * 4];
      const less = minimum * least;
      for (let i = 0; i < 32; i++) values[to++] = by * ((blocks[from + i]! >> shift) & 15) - less;
    }
  }
}

/** The same with fifth bits. */
export function decodeQ5K(blocks: Uint8Array, values: Float32Array): void {
  const half = halfReader(blocks);
  for (let at = 0, to = 0; to < values.length; at += 176) {
    const [scale, minimum] = [half(at), half(at + 2)];
    for (let part = 0; part < 8; part++) {
      const [factor, least] = sixBits(blocks, at + 4, part);
      const [by, from, shift] = [scale * factor, at + 48 + (part >> 1) * 32, (part & 1) * 4];
      const less = minimum * least;
      for (let i = 0; i < 32; i++) {
        const fifth = ((blocks[at + 16 + i]! >> part) & 1) << 4;
        values[to++] = by * (((blocks[from + i]! >> shift) & 15) | fifth) - less;
      }
    }
  }
}

/** The scale and the minimum of a part, six bits each; those of the last four parts are split. */
function sixBits(blocks: Uint8Array, at: number, part: number): [scale: number, minimum: number] {
  const own = blocks[at + part]!;
  if (part < 4) return [own & 63, blocks[at + part + 4]! & 63];
  const both = blocks[at + part + 4]!;
  return [(both & 15) | ((blocks[at + part - 4]! >> 6) << 4), (both >> 4) | ((own >> 6) << 4)];
}

/** Four bits a value, two bits a value, then 16 signed scales. */
export function decodeQ6K(blocks: Uint8Array, values: Float32Array): void {
  const half = halfReader(blocks);
  const signed = new Int8Array(blocks.buffer, blocks.byteOffset, blocks.length);
  for (let at = 0, to = 0; to < values.length; at += 210) {
    const scale = half(at + 208);
    for (let part = 0; part < 16; part++) {
      const factor = scale * signed[at + 192 + part]!;
      const [side, row] = [part >> 3, (part >> 1) & 3];
      const low = at + side * 64 + (row & 1) * 32 + (part & 1) * 16;
      const high = at + 128 + side * 32 + (part & 1) * 16;
      for (let i = 0; i < 16; i++) {
        const bits =
          ((blocks[low + i]! >> ((row >> 1) * 4)) & 15) | (((blocks[high + i]! >> (row * 2)) & 3) << 4);
        values[to++] = factor * (bits - 32);
      }
    }
  }
}

let table: Float32Array | undefined;

function valuesOfHalves(): Float32Array {
  if (table) return table;
  table = new Float32Array(2 ** 16);
  widen(
    'F16',
    Uint16Array.from(table, (_, bits) => bits),
    table,
  );
  return table;
}

/** Reads the f16 that starts at a byte. */
export function halfReader(bytes: Uint8Array): (at: number) => number {
  const values = valuesOfHalves();
  return at => values[bytes[at]! | (bytes[at + 1]! << 8)]!;
}
