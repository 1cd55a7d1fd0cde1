// Runs the graph once: takes tokens for each slot of a cache, appends their keys and values to it, and returns the
// logits after the last token. It does not know requests.
import type { ModelConfig } from '../model/index.js';
import type { LoadedAdapter } from './adapter.js';
import type { AdapterStacks } from './adapter-stack.js';
import type { DecodingSessions } from './decoding-sessions.js';
import type { KvCache } from './kv-cache.js';
import { tokenInputs } from './step-inputs.js';

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
  { vocabulary }: ModelConfig,
  sessions: DecodingSessions,
  stacks: AdapterStacks,
): RunStep {
  return async (cache, lines, wantsLogits) => {
    const tokens = lines[0]!.ids.length;
    const adapters = lines.map(({ adapter }) => adapter);
    const session = await sessions.open(adapters.some(adapter => adapter !== null));
    cache.makeRoom(tokens);
    const ids = lines.map(line => line.ids);
    const { inputs, outputs } = cache.bindings();
    const all = [
      tokenInputs(cache, ids, wantsLogits),
      inputs,
      ...(session.adapters ? stacks.inputsFor(adapters) : []),
    ];
    const { logits } = await session.limits.run(lines.length * tokens, () =>
      session.runInto(outputs, ...all),
    );
    cache.advance(tokens);
    if (!wantsLogits) return [];
    return lines.map((_, i) => logits!.subarray(i * vocabulary, (i + 1) * vocabulary));
  };
}
