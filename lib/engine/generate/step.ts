// Runs the graph once: takes tokens for each slot of a cache, appends their keys and values to it, and returns the
// logits after the last token. It does not know requests.
import type { ModelConfig } from '../model/index.js';
import type { LoadedAdapter } from './adapter.js';
import type { AdapterStacks } from './adapter-stack.js';
import type { DecodingSessions } from './decoding-sessions.js';
import type { KvCache } from './kv-cache.js';
import { maskInputs, tokenInputs } from './step-inputs.js';

/** The new tokens of one slot of the cache. */
interface StepLine {
  /** The same number of tokens in every line. */
  ids: readonly number[];
  adapter: LoadedAdapter | null;
}

/** Returns the logits [vocabulary] after the last token of each line, or an empty array if `wantsLogits` is false. */
export type RunStep = (
  cache: KvCache,
  lines: readonly StepLine[],
  wantsLogits: boolean,
) => Promise<Float32Array[]>;

export function createRunStep(
  { heads, kvHeads, vocabulary }: ModelConfig,
  sessions: DecodingSessions,
  stacks: AdapterStacks,
): RunStep {
  return async (cache, lines, wantsLogits) => {
    const tokens = lines[0]!.ids.length;
    const adapters = lines.map(({ adapter }) => adapter);
    const session = await sessions.open(adapters.some(adapter => adapter !== null));
    const ids = lines.map(line => line.ids);
    const inputs = [
      tokenInputs(cache, ids, wantsLogits),
      maskInputs(cache, tokens, heads / kvHeads),
      cache.inputs(),
      ...(session.adapters ? stacks.inputsFor(adapters) : []),
    ];
    const outputs = await session.limits.run(lines.length * tokens, () => session.run(...inputs));
    cache.append(outputs, tokens);
    const { logits } = outputs;
    if (!wantsLogits) return [];
    return lines.map((_, i) => logits!.subarray(i * vocabulary, (i + 1) * vocabulary));
  };
}
