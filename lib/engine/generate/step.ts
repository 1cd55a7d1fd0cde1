// Runs the graph once: takes tokens for each slot of a cache, appends their keys and values to it, and returns what is
// wanted of its outputs. It does not know requests.
import type { ModelConfig } from '../model/index.js';
import type { LoadedAdapter } from './adapter.js';
import type { AdapterStacks } from './adapter-stack.js';
import type { DecodingSessions } from './decoding-sessions.js';
import type { KvCache } from './kv-cache.js';
import { maskInputs, tokenInputs, type WantedOutput } from './step-inputs.js';

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
