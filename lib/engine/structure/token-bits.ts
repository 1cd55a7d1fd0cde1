// Sets of tokens, with a bit for each ID.

export function emptyBits(size: number): Uint32Array {
  return new Uint32Array(Math.ceil(size / 32));
}

export function setBit(bits: Uint32Array, id: number): void {
  bits[id >>> 5]! |= 1 << (id & 31);
}

export function addBits(bits: Uint32Array, others: Uint32Array): void {
  for (let word = 0; word < bits.length; word++) bits[word]! |= others[word]!;
}

const ALL = 0xffffffff;

/** Sets the logits of all other tokens to -Infinity. */
export function keepBits(logits: Float32Array, bits: Uint32Array): void {
  const known = Math.min(logits.length, bits.length * 32);
  for (let word = 0; word * 32 < known; word++) {
    const kept = bits[word]!;
    if (kept === ALL) continue;
    const [first, end] = [word * 32, Math.min(word * 32 + 32, known)];
    if (kept === 0) logits.fill(Number.NEGATIVE_INFINITY, first, end);
    else
      for (let id = first; id < end; id++)
        if (((kept >>> (id & 31)) & 1) === 0) logits[id] = Number.NEGATIVE_INFINITY;
  }
  logits.fill(Number.NEGATIVE_INFINITY, known);
}
