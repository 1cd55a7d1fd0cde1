// Runs the graph once: takes tokens for each slot of a cache, appends their keys and values to it, and returns what is
// wanted of its outputs. It does not know requests.
import type { ModelConfig } from '../model/index.js';
import type { Inputs } from '../runtime/index.js';
import type { AdapterStacks, LoadedAdapter } from './adapters.js';
import type { DecodingSessions } from './decoding-sessions.js';
import type { KvCache } from './kv-cache.js';

/** The new tokens of one slot of the cache. */
interface StepLine {
  /** The same number of tokens in every line. */
  ids: readonly number[];
  adapter: LoadedAdapter | null;
}

/** Returns for each line its logits [vocabulary], or [tokens, vocabulary], or its states [tokens, hidden]; or no lines. */
export type RunStep = (
  cache: KvCache,
  lines: readonly StepLine[],
  wanted: WantedOutput,
) => Promise<Float32Array[]>;

export function createRunStep(
  { heads, kvHeads }: ModelConfig,
  sessions: DecodingSessions,
  stacks: AdapterStacks,
): RunStep {
  return async (cache, lines, wanted) => {
    const tokens = lines[0]!.ids.length;
    const adapters = lines.map(({ adapter }) => adapter);
    const session = await sessions.open(adapters.some(adapter => adapter !== null));
    const ids = lines.map(line => line.ids);
    const inputs = [
      tokenInputs(cache, ids, wanted),
      maskInputs(cache, tokens, heads / kvHeads),
      cache.inputs(),
      ...(session.adapters ? stacks.inputsFor(adapters) : []),
    ];
    const outputs = await session.limits.run(lines.length * tokens, () => session.run(...inputs));
    cache.append(outputs, tokens);
    if (wanted === 'nothing') return [];
    const rows = (wanted === 'states' ? outputs.states : outputs.logits)!;
    const size = rows.length / lines.length;
    return lines.map((_, i) => rows.subarray(i * size, (i + 1) * size));
  };
}

/** The logits after the last token of each slot, or after every token, or the last hidden state of every token. */
export type WantedOutput = 'nothing' | 'last' | 'logits' | 'states';

const MASKED = -1e9;

/** `ids` must have the same number of tokens for every slot of the cache. */
function tokenInputs(cache: KvCache, ids: readonly (readonly number[])[], wanted: WantedOutput): Inputs {
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
function maskInputs(cache: KvCache, tokens: number, group: number): Inputs {
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
