// What the runtime computes once, when it creates a session, from constants alone.
import { expect, it } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import type { Graph } from '../../../lib/engine/graph/index.js';
import { buildTrainingGraph, MODULES, openModel } from '../../../lib/engine/model/index.js';

const base = await openModel(baseModelFolder());

it('slices no constant, of which all would be copied for each slice', () => {
  const lora = { rank: 2, scaling: 1, modules: MODULES };
  const { graph } = buildTrainingGraph(base.config, base.weights, lora, 64);
  const parts = graph.constants.filter(({ tensor }) =>
    /^model\.embed_tokens\.weight\.\d+$/.test(tensor.name),
  );
  expect(parts.reduce((rows, { tensor }) => rows + tensor.shape[0]!, 0)).toBe(base.config.vocabulary);
  expect(computedOnce(graph).filter(op => op === 'Slice')).toEqual([]);
});

function computedOnce({ constants, nodes }: Graph): string[] {
  const known = new Set(constants.map(({ tensor }) => tensor.name));
  return nodes.flatMap(({ op, inputs, outputs }) => {
    if (inputs.length === 0 || !inputs.every(name => known.has(name))) return [];
    for (const name of outputs) known.add(name);
    return [op];
  });
}
