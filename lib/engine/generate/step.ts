// One run of the graph: some tokens for each slot of a cache in, the logits behind the last of them out. It appends what
// was computed to the cache. It knows no requests.
import type { ModelConfig } from '../model/index.js';
import type { LoadedAdapter } from './adapter.js';
import type { AdapterStacks } from './adapter-stack.js';
import type { DecodingSessions } from './decoding-sessions.js';
import type { KvCache } from './kv-cache.js';
import { maskInputs, tokenInputs } from './step-inputs.js';

/** What a slot of the cache goes on with. */
export interface StepLine {
  /** The same number of tokens in every line. */
  ids: readonly number[];
  adapter: LoadedAdapter | null;
}

/** Line by line the logits [vocabulary] behind the last token; none when they are not wanted. */
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
    const inputs = [
      tokenInputs(
        cache,
        lines.map(({ ids }) => ids),
        wantsLogits,
      ),
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
