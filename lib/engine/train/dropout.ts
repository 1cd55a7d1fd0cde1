// Dropout masks: 1 for inputs that an adapter sees in a pass. Draws only the gaps between zeros, which at usual rates is
// far less work than drawing every element.
import type { Random } from '../random.js';

const DRAWS = 2 ** 16;

/** Fills `mask` with 0 at the given rate, and 1 elsewhere. */
export function writeKeepMask(mask: Uint8Array, rate: number, random: Random): Uint8Array {
  const gaps = gapsOf(rate);
  mask.fill(1);
  let at = 0;
  while (true) {
    const bits = random.bits();
    at += gaps[bits & 0xffff]!;
    if (at >= mask.length) return mask;
    mask[at++] = 0;
    at += gaps[bits >>> 16]!;
    if (at >= mask.length) return mask;
    mask[at++] = 0;
  }
}

const known = new Map<number, Float64Array>();

/** The number of ones before the next zero, for each equally likely draw. */
function gapsOf(rate: number): Float64Array {
  const found = known.get(rate);
  if (found) return found;
  const gaps = Float64Array.from({ length: DRAWS }, (_, draw) =>
    Math.floor(Math.log((draw + 0.5) / DRAWS) / Math.log1p(-rate)),
  );
  known.set(rate, gaps);
  return gaps;
}
