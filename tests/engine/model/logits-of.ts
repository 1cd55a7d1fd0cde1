import { buildLogitsGraph, type ModelSource, toLineInputs } from '../../../lib/engine/model/index.js';
import { compute } from '../../../lib/engine/runtime/index.js';

/** After each of these tokens, without an adapter. */
export async function logitsOf({ config, weights }: ModelSource, ids: readonly number[]) {
  const { graph } = buildLogitsGraph(config, weights, { rank: 1, scaling: 1, modules: [] }, ids.length);
  return (await compute(graph, toLineInputs(ids, config))).logits!;
}
