// The number formats of GGUF files: how many values and bytes a block has, and how its values are computed. Blocks of 32
// values are here, those of 256 in k-quants.ts.
import type { FloatDtype } from '../weights/index.js';
import { encodeQ5, encodeQ8 } from './encode-blocks.js';
import { encodeQ4K, encodeQ6K } from './encode-k-quants.js';
import { decodeQ2K, decodeQ3K, decodeQ4K, decodeQ5K, decodeQ6K, halfReader } from './k-quants.js';

/** Writes the values of these blocks. */
type Decode = (blocks: Uint8Array, values: Float32Array) => void;

export interface NumberFormat {
  name: string;
  /** In a block. */
  values: number;
  bytes: number;
  /** What it becomes, if its bytes stay as they are. */
  stored?: FloatDtype;
  decode?: Decode;
  /** Writes the blocks of these values. */
  encode?: (values: Float32Array, blocks: Uint8Array) => void;
}

/** By their numbers in the format. */
const FORMATS: Readonly<Record<number, NumberFormat>> = {
  0: { name: 'F32', values: 1, bytes: 4, stored: 'F32' },
  1: { name: 'F16', values: 1, bytes: 2, stored: 'F16' },
  30: { name: 'BF16', values: 1, bytes: 2, stored: 'BF16' },
  2: {
    name: 'Q4_0',
    values: 32,
    bytes: 18,
    decode: decodeNibbles({ hasMinimum: false, hasFifthBit: false }),
  },
  3: { name: 'Q4_1', values: 32, bytes: 20, decode: decodeNibbles({ hasMinimum: true, hasFifthBit: false }) },
  6: {
    name: 'Q5_0',
    values: 32,
    bytes: 22,
    decode: decodeNibbles({ hasMinimum: false, hasFifthBit: true }),
    encode: encodeQ5,
  },
  7: { name: 'Q5_1', values: 32, bytes: 24, decode: decodeNibbles({ hasMinimum: true, hasFifthBit: true }) },
  8: { name: 'Q8_0', values: 32, bytes: 34, decode: decodeQ8, encode: encodeQ8 },
  10: { name: 'Q2_K', values: 256, bytes: 84, decode: decodeQ2K },
  11: { name: 'Q3_K', values: 256, bytes: 110, decode: decodeQ3K },
  12: { name: 'Q4_K', values: 256, bytes: 144, decode: decodeQ4K, encode: encodeQ4K },
  13: { name: 'Q5_K', values: 256, bytes: 176, decode: decodeQ5K },
  14: { name: 'Q6_K', values: 256, bytes: 210, decode: decodeQ6K, encode: encodeQ6K },
};

const UNSUPPORTED: Readonly<Record<number, string>> = {
  9: 'Q8_1',
  15: 'Q8_K',
  16: 'IQ2_XXS',
  17: 'IQ2_XS',
  18: 'IQ3_XXS',
  19: 'IQ1_S',
  20: 'IQ4_NL',
  21: 'IQ3_S',
  22: 'IQ2_S',
  23: 'IQ4_XS',
  24: 'I8',
  25: 'I16',
  26: 'I32',
  27: 'I64',
  28: 'F64',
  29: 'IQ1_M',
  34: 'TQ1_0',
  35: 'TQ2_0',
  39: 'MXFP4',
};

/** A format that is neither stored nor decoded is not supported. */
export function findFormat(type: number): NumberFormat {
  return FORMATS[type] ?? { name: UNSUPPORTED[type] ?? `type ${type}`, values: 1, bytes: 0 };
}

/** A format that is written: its number as well. */
export interface WrittenFormat extends NumberFormat {
  type: number;
}

export type WrittenName = FloatDtype | 'Q5_0' | 'Q8_0' | 'Q4_K' | 'Q6_K';

export function writtenFormat(name: WrittenName): WrittenFormat {
  const [type, format] = Object.entries(FORMATS).find(([, { name: other }]) => other === name)!;
  return { ...format, type: Number(type) };
}

/** A scale, perhaps a minimum and the fifth bits, then four bits a value: the low halves of bytes first. */
function decodeNibbles({ hasMinimum, hasFifthBit }: { hasMinimum: boolean; hasFifthBit: boolean }): Decode {
  const bitsAt = hasMinimum ? 4 : 2;
  const valuesAt = bitsAt + (hasFifthBit ? 4 : 0);
  const zero = hasFifthBit ? 16 : 8;
  return (blocks, values) => {
    const half = halfReader(blocks);
    for (let at = 0, to = 0; to < values.length; at += valuesAt + 16, to += 32) {
      const scale = half(at);
      const minimum = hasMinimum ? half(at + 2) : -zero * scale;
      for (let i = 0; i < 16; i++) {
        const pair = blocks[at + valuesAt + i]!;
        let [low, high] = [pair & 15, pair >> 4];
        if (hasFifthBit) {
          low |= ((blocks[at + bitsAt + (i >> 3)]! >> (i & 7)) & 1) << 4;
          high |= ((blocks[at + bitsAt + 2 + (i >> 3)]! >> (i & 7)) & 1) << 4;
        }
        values[to + i] = low * scale + minimum;
        values[to + 16 + i] = high * scale + minimum;
      }
    }
  };
}

/** A scale, then a signed byte a value. */
function decodeQ8(blocks: Uint8Array, values: Float32Array): void {
  const half = halfReader(blocks);
  const signed = new Int8Array(blocks.buffer, blocks.byteOffset, blocks.length);
  for (let at = 0, to = 0; to < values.length; at += 34, to += 32) {
    const scale = half(at);
    for (let i = 0; i < 32; i++) values[to + i] = scale * signed[at + 2 + i]!;
  }
}
