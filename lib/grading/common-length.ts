// The length of the longest common subsequence, 32 places at a time (Hyyrö's bit-parallel algorithm).

/** Takes `a.length * b.length / 32` operations. */
export function commonLength<T>(a: readonly T[], b: readonly T[]): number {
  const words = Math.ceil(a.length / 32);
  if (words === 0 || b.length === 0) return 0;
  const places = new Map<T, Uint32Array>();
  for (const [i, item] of a.entries()) {
    const mask = places.get(item) ?? new Uint32Array(words);
    mask[i >>> 5]! |= 1 << (i & 31);
    places.set(item, mask);
  }
  // A zero bit is a place at which the subsequence grew.
  const state = new Uint32Array(words).fill(0xffffffff);
  for (const item of b) {
    const mask = places.get(item);
    if (mask) advance(state, mask);
  }
  let length = 0;
  for (let i = 0; i < a.length; i++) if (((state[i >>> 5]! >>> (i & 31)) & 1) === 0) length++;
  return length;
}

function advance(state: Uint32Array, mask: Uint32Array): void {
  let carry = 0;
  for (let word = 0; word < state.length; word++) {
    const value = state[word]!;
    const matched = (value & mask[word]!) >>> 0;
    const total = value + matched + carry;
    carry = total > 0xffffffff ? 1 : 0;
    state[word] = (total | (value & ~mask[word]!)) >>> 0;
  }
}
