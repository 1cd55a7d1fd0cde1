// A request's own source of chance: what it draws depends on its seed alone, not on who else is served.

/** Numbers from 0 up to, not including, 1. Any number is a seed. (sfc32) */
export function createRandom(seed: number): () => number {
  const words = new Uint32Array(Float64Array.of(seed).buffer);
  let [a, b, c, counter] = [words[0]!, words[1]!, 0x9e3779b9, 1];
  const next = () => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

export function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}
