// The token and length inputs of a step.
import type { Inputs } from '../runtime/index.js';
import type { KvCache } from './kv-cache.js';

/** `ids` must have the same number of tokens for every slot of the cache. */
export function tokenInputs(
  cache: KvCache,
  ids: readonly (readonly number[])[],
  wantsLogits: boolean,
): Inputs {
  const tokens = ids[0]!.length;
  const lengths = cache.lengths.map(length => length + tokens);
  const at = wantsLogits ? ids.map((_, slot) => (slot + 1) * tokens - 1) : [];
  return {
    ids: { values: BigInt64Array.from(ids.flat(), BigInt), shape: [ids.length, tokens] },
    at: BigInt64Array.from(at, BigInt),
    last: Int32Array.from(lengths, length => length - 1),
    total: { values: Int32Array.of(Math.max(...lengths)), shape: [] },
  };
}
