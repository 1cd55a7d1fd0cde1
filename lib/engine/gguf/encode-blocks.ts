// Rounds numbers to the formats with blocks of 32 values, as llama.cpp does.
import { narrow } from '../weights/index.js';
import { halfReader } from './k-quants.js';

const VALUES = 32;

/** The inverses of scales; a block of zeros has a scale of zero. */
const invert = (scale: number) => (scale === 0 ? 0 : 1 / scale);

/** A scale, then a signed byte a value. */
export function encodeQ8(values: Float32Array, blocks: Uint8Array): void {
  const scales = new Float32Array(values.length / VALUES);
  for (let i = 0; i < scales.length; i++) scales[i] = Math.abs(farthest(values, i * VALUES)) / 127;
  const halves = narrow('F16', scales);
  const signed = new Int8Array(blocks.buffer, blocks.byteOffset, blocks.length);
  for (let i = 0, to = 0; i < scales.length; i++, to += 34) {
    writeHalf(blocks, to, halves[i]!);
    const inverse = invert(scales[i]!);
    for (let at = 0; at < VALUES; at++) signed[to + 2 + at] = Math.round(values[i * VALUES + at]! * inverse);
  }
}

/** A scale, the fifth bits, then four bits a value. The number farthest from zero is -16 times the scale. */
export function encodeQ5(values: Float32Array, blocks: Uint8Array): void {
  const scales = new Float32Array(values.length / VALUES);
  for (let i = 0; i < scales.length; i++) scales[i] = farthest(values, i * VALUES) / -16;
  const halves = narrow('F16', scales);
  for (let i = 0, to = 0; i < scales.length; i++, to += 22) {
    writeHalf(blocks, to, halves[i]!);
    const inverse = invert(scales[i]!);
    const steps = (at: number) => Math.min(31, Math.floor(values[i * VALUES + at]! * inverse + 16.5));
    blocks.fill(0, to + 2, to + 6);
    for (let at = 0; at < 16; at++) {
      const [low, high] = [steps(at), steps(at + 16)];
      blocks[to + 6 + at] = (low & 15) | ((high & 15) << 4);
      blocks[to + 2 + (at >> 3)]! |= (low >> 4) << (at & 7);
      blocks[to + 4 + (at >> 3)]! |= (high >> 4) << (at & 7);
    }
  }
}

/** The number that is farthest from zero. */
function farthest(values: Float32Array, start: number): number {
  let found = 0;
  for (let at = start; at < start + VALUES; at++)
    if (Math.abs(values[at]!) > Math.abs(found)) found = values[at]!;
  return found;
}

export function writeHalf(bytes: Uint8Array, at: number, bits: number): void {
  bytes[at] = bits & 255;
  bytes[at + 1] = bits >> 8;
}

/** Numbers as f16: their bits, and what they are after rounding. */
export function toHalves(values: Float32Array): { bits: Uint16Array; rounded: Float32Array } {
  const bits = narrow('F16', values);
  const read = halfReader(new Uint8Array(bits.buffer));
  return { bits, rounded: values.map((_, i) => read(2 * i)) };
}
