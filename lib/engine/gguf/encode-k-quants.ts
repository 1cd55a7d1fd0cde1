// Rounds numbers to the formats with blocks of 256 values. Each part of a block gets the scale, of a few around the obvious
// one, that leaves the smallest error, where large numbers count more.
import { toHalves, writeHalf } from './encode-blocks.js';

const VALUES = 256;

/** Scales that are tried, relative to the one that just holds all numbers. */
const TRIED = [0.94, 0.96, 0.98, 1, 1.02, 1.04, 1.06];

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** A part as `scale * steps - minimum`; neither is negative. */
interface LineFit {
  scale: number;
  minimum: number;
}

/** Scales and minimums of eight parts, in six bits each, then four bits a value. */
export function encodeQ4K(values: Float32Array, blocks: Uint8Array): void {
  const parts = Array.from({ length: values.length / 32 }, (_, i) =>
    fitLine(values.subarray(32 * i, 32 * i + 32)),
  );
  const largest = (key: keyof LineFit) =>
    Float32Array.from(
      { length: values.length / VALUES },
      (_, block) => Math.max(...parts.slice(8 * block, 8 * block + 8).map(part => part[key])) / 63,
    );
  const [scales, minimums] = [toHalves(largest('scale')), toHalves(largest('minimum'))];
  for (let block = 0, at = 0; at < blocks.length; block++, at += 144) {
    blocks.fill(0, at, at + 144);
    writeHalf(blocks, at, scales.bits[block]!);
    writeHalf(blocks, at + 2, minimums.bits[block]!);
    const [unit, unitLess] = [scales.rounded[block]!, minimums.rounded[block]!];
    for (let part = 0; part < 8; part++) {
      const fit = parts[8 * block + part]!;
      const factor = toSteps(fit.scale, unit, 63);
      const least = toSteps(fit.minimum, unitLess, 63);
      writeSixBits(blocks, at + 4, part, factor, least);
      const from = VALUES * block + 32 * part;
      const [to, shift] = [at + 16 + (part >> 1) * 32, (part & 1) * 4];
      for (let i = 0; i < 32; i++)
        blocks[to + i]! |= toSteps(values[from + i]! + unitLess * least, unit * factor, 15) << shift;
    }
  }
}

function toSteps(value: number, unit: number, most: number): number {
  return unit === 0 ? 0 : clamp(Math.round(value / unit), 0, most);
}

/** As `sixBits` of the decoder reads them. */
function writeSixBits(blocks: Uint8Array, at: number, part: number, factor: number, least: number): void {
  if (part < 4) {
    blocks[at + part]! |= factor;
    blocks[at + part + 4]! |= least;
    return;
  }
  blocks[at + part + 4] = (factor & 15) | ((least & 15) << 4);
  blocks[at + part - 4]! |= (factor >> 4) << 6;
  blocks[at + part]! |= (least >> 4) << 6;
}

/** For 15 steps. */
function fitLine(values: Float32Array): LineFit {
  let [low, high, squares] = [0, 0, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
    squares += value * value;
  }
  if (high === low) return { scale: 0, minimum: 0 };
  const typical = Math.sqrt(squares / values.length);
  let best: LineFit = { scale: (high - low) / 15, minimum: -low };
  let smallest = Number.POSITIVE_INFINITY;
  for (const tried of TRIED) {
    const fit = solveLine(values, low, (15 * tried) / (high - low), typical);
    if (fit.error < smallest) [best, smallest] = [fit, fit.error];
  }
  return best;
}

/** The best line through numbers and their steps, weighted. Its error leaves out what is the same for all lines. */
function solveLine(
  values: Float32Array,
  low: number,
  inverse: number,
  typical: number,
): LineFit & { error: number } {
  let [w, wl, wll, wx, wxl] = [0, 0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const steps = clamp(Math.round((value - low) * inverse), 0, 15);
    const weight = typical + Math.abs(value);
    w += weight;
    wl += weight * steps;
    wll += weight * steps * steps;
    wx += weight * value;
    wxl += weight * value * steps;
  }
  const divisor = w * wll - wl * wl;
  let scale = divisor > 0 ? (w * wxl - wx * wl) / divisor : 0;
  let start = divisor > 0 ? (wll * wx - wl * wxl) / divisor : wx / w;
  if (start > 0) [scale, start] = [wll > 0 ? wxl / wll : 0, 0];
  const error =
    scale * scale * wll + 2 * scale * start * wl + start * start * w - 2 * scale * wxl - 2 * start * wx;
  return { scale, minimum: -start, error };
}

/** Four bits a value, two bits a value, then 16 signed scales. */
export function encodeQ6K(values: Float32Array, blocks: Uint8Array): void {
  const parts = Float32Array.from({ length: values.length / 16 }, (_, i) =>
    fitScale(values.subarray(16 * i, 16 * i + 16)),
  );
  const units = Float32Array.from({ length: values.length / VALUES }, (_, block) => {
    const own = parts.subarray(16 * block, 16 * block + 16);
    return own.reduce((found, scale) => (Math.abs(scale) > Math.abs(found) ? scale : found), 0) / -128;
  });
  const { bits, rounded } = toHalves(units);
  for (let block = 0, at = 0; at < blocks.length; block++, at += 210) {
    blocks.fill(0, at, at + 210);
    writeHalf(blocks, at + 208, bits[block]!);
    const unit = rounded[block]!;
    if (unit === 0) continue;
    for (let part = 0; part < 16; part++) {
      const factor = clamp(Math.round(parts[16 * block + part]! / unit), -128, 127);
      blocks[at + 192 + part] = factor & 255;
      writeSixBitSteps(values, VALUES * block + 16 * part, unit * factor, blocks, at, part);
    }
  }
}

/** Where the values of a part lie, as the decoder reads them. */
function writeSixBitSteps(
  values: Float32Array,
  from: number,
  scale: number,
  blocks: Uint8Array,
  at: number,
  part: number,
): void {
  const [side, row] = [part >> 3, (part >> 1) & 3];
  const low = at + side * 64 + (row & 1) * 32 + (part & 1) * 16;
  const high = at + 128 + side * 32 + (part & 1) * 16;
  for (let i = 0; i < 16; i++) {
    const steps = 32 + (scale === 0 ? 0 : clamp(Math.round(values[from + i]! / scale), -32, 31));
    blocks[low + i]! |= (steps & 15) << ((row >> 1) * 4);
    blocks[high + i]! |= (steps >> 4) << (row * 2);
  }
}

/** For steps from -32 to 31. Numbers count by their squares. */
function fitScale(values: Float32Array): number {
  let far = 0;
  for (const value of values) if (Math.abs(value) > Math.abs(far)) far = value;
  if (far === 0) return 0;
  let [best, most] = [far / -32, -1];
  for (const tried of TRIED) {
    const inverse = (-32 * tried) / far;
    let [wxl, wll] = [0, 0];
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      const steps = clamp(Math.round(value * inverse), -32, 31);
      wxl += value * value * value * steps;
      wll += value * value * steps * steps;
    }
    if (wll > 0 && wxl * wxl > most * wll) [best, most] = [wxl / wll, (wxl * wxl) / wll];
  }
  return best;
}
