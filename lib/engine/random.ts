// Random numbers that depend only on their purpose. Without state to save, a resumed run or another process draws the
// same numbers.

export interface Random {
  /** In [0, 1). */
  next(): number;
  bits(): number;
}

/** What a run draws for: the first counter after its seed, so that no two purposes draw the same numbers. */
export const PURPOSE = { order: 1, weights: 2, dropout: 3, answers: 4, replay: 5 } as const;

/** Creates the generator of a purpose: a seed and counters, such as a step and a pass. */
export function createRandom(...purpose: readonly number[]): Random {
  let state = purpose.reduce((mixed, part) => scramble(mixed ^ scramble(part >>> 0)), 0x9e3779b9);
  const bits = () => {
    state = (state + 0x9e3779b9) >>> 0;
    return scramble(state);
  };
  return { bits, next: () => bits() / 2 ** 32 };
}

export function shuffled(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random.next() * (i + 1));
    const swapped = order[i]!;
    order[i] = order[other]!;
    order[other] = swapped;
  }
  return order;
}

/** A 32-bit hash in which every input bit affects every output bit. */
function scramble(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}
