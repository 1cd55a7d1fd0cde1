// The table of operators that a device is tried with. provider-check.test.ts has a device that is wrong, tests/gpu a real one.
import { expect, it } from 'vitest';
import { buildDecodingGraph, buildTrainingGraph, MODULES } from '../../../../lib/engine/model/index.js';
import { compareOperators } from '../../../../lib/engine/train/device/operators.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../../support/golden-models.js';

it('has every operator of the graphs of every architecture', async () => {
  const tried: string[] = [];
  const found = await compareOperators({ provider: 'cpu' }, async name => void tried.push(name));
  const names = found.map(({ name }) => name);
  expect(found.filter(({ isRight }) => !isRight)).toEqual([]);
  expect(tried).toEqual(names);
  for (const of of GOLDEN_MODELS) {
    const { config, weights } = await openGoldenModel(of);
    const lora = { rank: 4, scaling: 2, modules: MODULES };
    const graphs = [
      buildTrainingGraph(config, weights, lora, 64, { dropout: 0.1, compares: { beta: 0.1, smoothing: 0 } })
        .graph,
      buildDecodingGraph(config, weights, { adapters: true, context: 64 }),
    ];
    const used = graphs.flatMap(({ nodes }) => nodes.map(({ op }) => op)).filter(op => op !== 'Identity');
    expect(used.filter(op => !names.includes(op))).toEqual([]);
  }
});
