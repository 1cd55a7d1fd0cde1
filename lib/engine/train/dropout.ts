// Which inputs an adapter sees in a pass: ones and zeros, drawn from 16 random bits each.
import type { Random } from '../random/index.js';

/** Fills `mask` with 0 at the given rate, and 1 elsewhere. */
export function writeKeepMask(mask: Uint8Array, rate: number, random: Random): Uint8Array {
  const threshold = Math.round(rate * 65_536);
  for (let i = 0; i < mask.length; i += 2) {
    const bits = random.bits();
    mask[i] = (bits & 0xffff) < threshold ? 0 : 1;
    if (i + 1 < mask.length) mask[i + 1] = bits >>> 16 < threshold ? 0 : 1;
  }
  return mask;
}
