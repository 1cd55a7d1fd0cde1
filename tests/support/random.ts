// Pseudo-random numbers that are the same in every run.

export interface Random {
  /** Between 0 and 1. */
  next(): number;
  /** Normally distributed values. */
  normal(count: number, scale?: number): Float32Array;
}

/** mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const gauss = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal: (count, scale = 1) => Float32Array.from({ length: count }, () => gauss() * scale) };
}
