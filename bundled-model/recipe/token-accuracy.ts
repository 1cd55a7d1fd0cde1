// How often the model's most likely next token is the right one, given everything before it.
import { buildLogitsGraph, type ModelSource, toLineInputs } from '../../lib/engine/model/index.js';
import { createSession } from '../../lib/engine/runtime/index.js';
import type { Example } from '../../lib/engine/train/index.js';

const NO_ADAPTER = { rank: 1, scaling: 0, modules: [] };

interface TokenAccuracy {
  /** The number of right tokens and of all learned tokens in a row. */
  count(row: Example): Promise<{ right: number; all: number }>;
  close(): Promise<void>;
}

export async function createTokenAccuracy(
  { config, weights }: ModelSource,
  longest: number,
): Promise<TokenAccuracy> {
  const { graph } = buildLogitsGraph(config, weights, NO_ADAPTER, longest);
  const session = await createSession(graph, { spinning: true });
  return {
    async count({ ids, supervised }) {
      const { logits } = await session.run(toLineInputs(Array.from(ids), config));
      let [right, all] = [0, 0];
      for (let i = 1; i < ids.length; i++) {
        if (!supervised[i]) continue;
        all++;
        if (likeliest(logits!, (i - 1) * config.vocabulary, config.vocabulary) === ids[i]) right++;
      }
      return { right, all };
    },
    close: () => session.close(),
  };
}

function likeliest(logits: Float32Array, from: number, count: number): number {
  let best = 0;
  for (let i = 1; i < count; i++) if (logits[from + i]! > logits[from + best]!) best = i;
  return best;
}
