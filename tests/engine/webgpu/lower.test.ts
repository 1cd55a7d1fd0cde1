// A graph that is lowered for WebGPU computes the same as before, here on the CPU, with operators that WebGPU has.
import { describe, expect, it } from 'vitest';
import { TRAINING_DEFAULTS } from '../../../lib/contract/index.js';
import { type Graph, ONNX_TYPE } from '../../../lib/engine/graph/index.js';
import {
  buildDecodingGraph,
  buildTrainingGraph,
  halfWeights,
  MODULES,
  type ParameterForm,
  type WeightSource,
} from '../../../lib/engine/model/index.js';
import { compute } from '../../../lib/engine/runtime/index.js';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { runOnDevice } from '../../../lib/engine/train/device/learner.js';
import { packExamples, toInputs, toPass } from '../../../lib/engine/train/packing.js';
import { createTrial, findLargestDifference } from '../../../lib/engine/train/provider-check.js';
import { createAdapterState, initializeLora } from '../../../lib/engine/train/state.js';
import { createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { lowerForWebGpu } from '../../../lib/engine/webgpu/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { examples } from '../train/support.js';

const LORA = { rank: 4, scaling: 2, modules: MODULES };

/** Operators that WebGPU lacks, or whose kernel computes something else. */
const MISSING = ['FusedMatMul', 'ConstantOfShape', 'GreaterOrEqual', 'Less', 'And', 'Where', 'Scan'];

function expectLowered({ nodes }: Graph): void {
  expect(nodes.map(({ op }) => op).filter(op => MISSING.includes(op))).toEqual([]);
  const norms = nodes.filter(({ op }) => op === 'SimplifiedLayerNormalization');
  expect(norms.filter(({ outputs }) => outputs.length > 1)).toEqual([]);
}

describe.each(GOLDEN_MODELS)('a training graph of %s', name => {
  it.each([
    { form: 'each', dropout: 0.1 },
    { form: 'flat', dropout: 0, compares: { beta: 0.1, smoothing: 0.1 }, logitsAtOnce: 100 },
  ] as const)('computes the same when it is lowered: $form', async options => {
    const { config } = await openGoldenModel(name);
    const { graph, feeds } = createTrial(
      (of, from, size) => buildTrainingGraph(of, from, LORA, size, options),
      config,
    );
    const lowered = lowerForWebGpu(graph);
    expectLowered(lowered);
    const difference = findLargestDifference(await compute(graph, feeds), await compute(lowered, feeds));
    expect(difference[1], difference[0]).toBeLessThan(1e-5);
  });
});

describe.each(GOLDEN_MODELS)('a training graph of %s with weights in float16', name => {
  it.each([{ logitsAtOnce: 100 }, {}])('computes the same when it is lowered: %j', async options => {
    const { config } = await openGoldenModel(name);
    const build = (of: typeof config, from: WeightSource, size: number) =>
      buildTrainingGraph(of, from, LORA, size, { form: 'flat', ...options });
    const { graph, feeds } = createTrial((of, from, size) => build(of, halfWeights(from), size), config);
    const lowered = lowerForWebGpu(graph);
    expectLowered(lowered);
    const right = await compute(graph, feeds);
    const [worst, difference] = findLargestDifference(right, await compute(lowered, feeds));
    expect(difference, worst).toBeLessThan(1e-5);
    const exact = createTrial(build, config);
    const [, rounding] = findLargestDifference(await compute(exact.graph, exact.feeds), right);
    expect(rounding).toBeGreaterThan(1e-6);
    // A delta rule divides keys by their length, so what short ones lost counts more.
    const isDelta = config.mixers.some(({ kind }) => kind === 'delta');
    expect(rounding).toBeLessThan(isDelta ? 0.05 : 5e-3);
  });

  it('has no weight in float32 for longer than a node needs it', async () => {
    const { config } = await openGoldenModel(name);
    const { graph } = createTrial(
      (of, from, size) => buildTrainingGraph(of, halfWeights(from), LORA, size, { form: 'flat' }),
      config,
    );
    const { nodes, computed } = lowerForWebGpu(graph);
    const usersOf = (name: string) => nodes.filter(({ inputs }) => inputs.includes(name));
    const halves = nodes.filter(({ op, attributes }) => op === 'Cast' && attributes.to === ONNX_TYPE.float16);
    expect(halves.length).toBeGreaterThan(2 * config.layers);
    const products = nodes.filter(({ op }) => op === 'MatMul' || op === 'Gemm');
    const types = products.flatMap(({ inputs }) => inputs.map(name => computed!.get(name)?.dtype));
    expect(types.filter(type => type === 'float16')).toEqual([]);
    for (const half of halves) {
      expect(usersOf(half.inputs[0]!)).toEqual([half]);
      // The runtime would compute once, for good, what depends on no input.
      const held = usersOf(half.outputs[0]!).map(node =>
        node.op === 'Gather' ? node : usersOf(node.outputs[0]!)[0]!,
      );
      for (const node of held) {
        const cast = node.op === 'Cast' ? node : usersOf(node.outputs[0]!)[0]!;
        expect([node.op, cast.op]).toEqual([expect.stringMatching(/^(Gather|Transpose|Cast)$/), 'Cast']);
        if (node.op !== 'Gather') expect(usersOf(cast.outputs[0]!)).toHaveLength(1);
      }
      expect(usersOf(half.outputs[0]!).every(({ op }) => ['Gather', 'Reshape'].includes(op))).toBe(true);
    }
  });
});

it.each(GOLDEN_MODELS)(
  'no matrix of %s is kept in float32 for answers with weights in float16',
  async name => {
    const { config, weights } = await openGoldenModel(name);
    const options = { adapters: true, context: 64, keepsCache: true };
    const { nodes, computed, constants } = lowerForWebGpu(
      buildDecodingGraph(config, halfWeights(weights), options),
    );
    const matrices = constants.filter(
      ({ tensor }) => tensor.dtype === 'float32' && tensor.shape.length === 2,
    );
    const casts = nodes.filter(({ op, attributes }) => op === 'Cast' && attributes.to === ONNX_TYPE.float16);
    expect(casts.length).toBeGreaterThan(2 * config.layers);
    // What the runtime computes once, for good: what depends on no input.
    const fixed = new Set(constants.map(({ tensor }) => tensor.name));
    for (const { inputs, outputs } of nodes)
      if (inputs.every(input => fixed.has(input))) for (const output of outputs) fixed.add(output);
    const widened = nodes.filter(
      ({ op, inputs: [input], outputs: [output] }) =>
        op === 'Cast' && computed!.get(input!)?.dtype === 'float16' && fixed.has(output!),
    );
    expect(widened).toEqual([]);
    const names = new Set(matrices.map(({ tensor }) => tensor.name));
    const readers = nodes.filter(({ inputs }) => inputs.some(input => names.has(input)));
    expect(readers.filter(({ op }) => op !== 'Cast' && op !== 'RotaryEmbedding')).toEqual([]);
  },
);

it('learns the same where parameters, gradients and moments stay on the device', async () => {
  const model = await openGoldenModel('llama');
  const learn = async (form: ParameterForm) => {
    const state = createAdapterState(model, LORA);
    initializeLora(state, 1);
    const learned = createLearned(state);
    const passes = packExamples(examples(12), { passTokens: 100, lineTokens: 100 }).map(lines =>
      toPass(lines, 1 / 100),
    );
    const runner =
      form === 'each'
        ? await createStepRunner(model, LORA, 100, learned, { dropout: 0, threads: 1 })
        : await onDevice(model, learned);
    const found: number[] = [];
    for (let step = 0; step < 3; step++) {
      for (const pass of passes) found.push(await runner.run(pass, []));
      found.push(
        await runner.update({
          ...TRAINING_DEFAULTS,
          learningRate: 0.01,
          maxGradNorm: 0.05,
          weightDecay: 0.1,
        }),
      );
    }
    expect(passes.length).toBeGreaterThan(1);
    await runner.pull();
    await runner.close();
    return { found, values: state.values, ...learned.optimizer };
  };
  const [here, there] = [await learn('each'), await learn('flat')];
  expect(there.step).toBe(here.step);
  for (const [name, values] of Object.entries({ ...here, step: [] })) {
    const others = there[name as 'values'];
    for (const [i, value] of Array.from(values as Float32Array).entries())
      expect(Math.abs(others[i]! - value), `${name} ${i}`).toBeLessThan(3e-5 * Math.max(1, Math.abs(value)));
  }
});

/** As on a GPU, but with the CPU's sessions. */
async function onDevice(
  model: Awaited<ReturnType<typeof openGoldenModel>>,
  learned: ReturnType<typeof createLearned>,
) {
  const graph = buildTrainingGraph(model.config, model.weights, LORA, 100, { form: 'flat' });
  const { run, ...rest } = await runOnDevice(graph, learned, { provider: 'cpu', threads: 1 });
  return {
    ...rest,
    run: async (...[pass]: Parameters<Awaited<ReturnType<typeof createStepRunner>>['run']>) =>
      (await run(toInputs(pass, model.config))).loss![0]!,
  };
}
