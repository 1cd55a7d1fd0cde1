// Int8 weights, compared with the reference values of transformers and PEFT.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAdapterStacks } from '../../../lib/engine/generate/adapters.js';
import type { LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';
import { createDecodingSessions, createRunStep } from '../../../lib/engine/generate/step.js';
import { GraphBuilder } from '../../../lib/engine/graph/index.js';
import { roundModel } from '../../../lib/engine/int8/index.js';
import {
  cacheShapeOf,
  firstPosition,
  type ModelConfig,
  type ModelSource,
  outputName,
} from '../../../lib/engine/model/index.js';
import { compute, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { GOLDEN_MODELS } from '../../support/golden-models.js';
import { type GoldenTraining, trainGolden } from '../../support/golden-training.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openGolden } from '../generate/golden-generator.js';

/** The difference, relative to the spread of the values. */
function errorOf(values: Float32Array, wanted: ArrayLike<number>): number {
  const mean = Array.from(wanted).reduce((sum, value) => sum + value, 0) / wanted.length;
  const spread = Math.hypot(...Array.from(wanted, value => value - mean));
  return Math.hypot(...Array.from(wanted, (value, i) => value - values[i]!)) / spread;
}

it.each(GOLDEN_MODELS)('%s has nearly their logits, the same alone and in a batch', async name => {
  const { golden, trained, line } = await openGolden(name);
  const { config, expected } = golden;
  const folder = temporaryFolder('svc-int8-decoding');
  const form = await exactIntegerForm();
  const model = await roundModel(golden, { folder, trains: false, form, compute });
  const sessions = createDecodingSessions({ ...model, context: 120, session: { threads: 1 } });
  onTestFinished(sessions.close);
  const runStep = createRunStep(config, sessions, createAdapterStacks(config));

  async function logitsOf(...adapters: (LoadedAdapter | null)[]): Promise<Float32Array[]> {
    const cache = new KvCache(cacheShapeOf(config));
    for (const _ of adapters) cache.addEmpty();
    const lines = adapters.map(adapter => ({
      ids: line(0, 40),
      adapter,
      startsAt: firstPosition(config, 40),
    }));
    return (await runStep(cache, lines, 'last')).map(({ values }) => values);
  }

  const [base] = await logitsOf(null);
  const [adapted] = await logitsOf(trained);
  const { logits_last_position_row0: wantedBase, final_logits_last_position_row0: wantedAdapted } = expected;
  const errors = [errorOf(base!, wantedBase), errorOf(adapted!, wantedAdapted)];
  expect(Math.max(...errors)).toBeLessThan(0.06);
  expect(Math.min(...errors)).toBeGreaterThan(1e-4); // a smaller error would mean that nothing was quantized
  const [besideBase, besideAdapted] = await logitsOf(null, trained);
  expect(errorOf(besideBase!, base!)).toBeLessThan(0.01);
  expect(errorOf(besideAdapted!, adapted!)).toBeLessThan(0.01);
});

/** The cosine of the angle between the gradients. */
function closenessOf({ mixers }: ModelConfig): number {
  const kinds = mixers.map(({ kind }) => kind);
  // States carry what was rounded from token to token, and two gates around a convolution multiply it three times.
  if (kinds.includes('delta')) return 0.99;
  return kinds.includes('convolution') ? 0.995 : 0.9975;
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

// Some processors multiply only unsigned integers exactly: the product never uses the other form there.
const FORMS = [...new Set([await exactIntegerForm(), 'uint8' as const])];

describe.each(GOLDEN_MODELS)('%s, trained', async name => {
  const { golden } = await openGolden(name);
  let exact: GoldenTraining;
  beforeAll(async () => {
    exact = await trainGolden(golden);
  });

  it.each(FORMS)('%s: the gradients point in the same direction, and the losses fall alike', async form => {
    const folder = temporaryFolder('svc-int8-training');
    const model = await roundModel(golden, { folder, trains: true, form, compute });
    const rounded = await trainGolden(golden, model);
    const [a, b] = [exact.gradient.values, rounded.gradient.values];
    expect(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))).toBeGreaterThan(closenessOf(golden.config));
    const { adamw_losses: wanted } = golden.expected;
    const worst = Math.max(...rounded.losses.map((loss, i) => Math.abs(loss / wanted[i]! - 1)));
    expect(worst).toBeLessThan(0.005);
    expect(worst).toBeGreaterThan(1e-5); // a smaller error would mean that nothing was quantized
  });
});

it('unlikely tokens count in the gradient of the output layer', async () => {
  const { golden } = await openGolden('llama');
  const folder = temporaryFolder('svc-int8-tail');
  const form = await exactIntegerForm();
  const rounded = await roundModel(golden, { folder, trains: true, form, compute });
  const { vocabulary } = golden.config;
  const meanOf = async ({ weights }: Pick<ModelSource, 'weights'>, probabilities: Float32Array) => {
    const graph = new GraphBuilder();
    const given = graph.input('p', 'float32', [1, vocabulary]);
    graph.output('mean', weights(graph).table(outputName(golden.config)).mean(graph, given));
    return (await compute(graph, { p: probabilities })).mean!;
  };
  // Beside a likely token, one half of the vocabulary has 30 % together, or the other half.
  const half = vocabulary >> 1;
  const withHalf = (from: number) => {
    const probabilities = new Float32Array(vocabulary).fill(0.3 / half, from, from + half);
    probabilities[0]! += 0.7;
    return probabilities;
  };
  // The rounded table is without its mean row, which goes out here.
  const pull = async (model: Pick<ModelSource, 'weights'>) => {
    const [one, other] = [await meanOf(model, withHalf(0)), await meanOf(model, withHalf(half))];
    return one.map((value, i) => value - other[i]!);
  };
  const [found, wanted] = [await pull(rounded), await pull(golden)];
  const length = (values: Float32Array) => Math.hypot(...values);
  expect(length(found.map((value, i) => value - wanted[i]!)) / length(wanted)).toBeLessThan(0.05);
});
