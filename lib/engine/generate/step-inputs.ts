// The token, position and mask inputs of a step.
import type { Inputs } from '../runtime/index.js';
import type { KvCache } from './kv-cache.js';

/** The logits after the last token of each slot, or after every token, or the last hidden state of every token. */
export type WantedOutput = 'nothing' | 'last' | 'logits' | 'states';

const MASKED = -1e9;

/** `ids` must have the same number of tokens for every slot of the cache. */
export function tokenInputs(
  cache: KvCache,
  ids: readonly (readonly number[])[],
  wanted: WantedOutput,
): Inputs {
  const tokens = ids[0]!.length;
  const all = Array.from({ length: ids.length * tokens }, (_, at) => at);
  const positions = ids.flatMap((line, slot) => line.map((_, i) => cache.lengths[slot]! + i));
  const last = ids.map((_, slot) => (slot + 1) * tokens - 1);
  const at = wanted === 'last' ? last : wanted === 'logits' ? all : [];
  const statesAt = wanted === 'states' ? all : [];
  return {
    ids: integers(ids.flat(), [ids.length, tokens]),
    positions: integers(positions, [ids.length, tokens]),
    at: integers(at, [at.length]),
    statesAt: integers(statesAt, [statesAt.length]),
  };
}

/** `group` is the number of query heads per key head. */
export function maskInputs(cache: KvCache, tokens: number, group: number): Inputs {
  const { lengths, capacity } = cache;
  const past = new Float32Array(lengths.length * capacity);
  lengths.forEach((length, slot) => {
    past.fill(MASKED, slot * capacity + length, (slot + 1) * capacity);
  });
  const fresh = new Float32Array(tokens * group * tokens);
  for (let row = 0; row < tokens * group; row++) {
    fresh.fill(MASKED, row * tokens + Math.floor(row / group) + 1, (row + 1) * tokens);
  }
  return {
    pastMask: { values: past, shape: [lengths.length, 1, 1, capacity] },
    newMask: { values: fresh, shape: [1, 1, tokens * group, tokens] },
    lengths: integers([capacity, tokens], [2]),
  };
}

function integers(values: readonly number[], shape: readonly number[]) {
  return { values: BigInt64Array.from(values, BigInt), shape };
}
