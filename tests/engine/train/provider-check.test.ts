// A provider trains only after it has computed the same as the CPU. A wrong one is simulated on the CPU: its sessions
// return the row's mean instead of 1 / root mean square, as WebGPU's do.
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Graph, GraphNode } from '../../../lib/engine/graph/index.js';
import { buildTrainingGraph, MODULES } from '../../../lib/engine/model/index.js';
import type * as runtime from '../../../lib/engine/runtime/index.js';
import { MEAN } from '../../../lib/engine/train/adam-w.js';
import { compareOperators } from '../../../lib/engine/train/device/operators.js';
import { compareTraining } from '../../../lib/engine/train/device/training.js';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import { createTrial, findLargestDifference } from '../../../lib/engine/train/provider-check.js';
import type { TrainJob } from '../../../lib/engine/train/trainer.js';
import { lowerForWebGpu } from '../../../lib/engine/webgpu/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { temporaryFolder } from './data/dataset-files.js';
import { lossesOf, quickJob, run } from './support.js';

const played = vi.hoisted(() => ({ spoil: (graph: Graph) => graph, opened: [] as string[] }));

vi.mock('../../../lib/engine/runtime/index.js', async importOriginal => {
  const real = await importOriginal<typeof runtime>();
  return {
    ...real,
    createSession: (graph: Graph, { provider = 'cpu', ...rest }: runtime.SessionOptions = {}) => {
      played.opened.push(provider);
      return real.createSession(provider === 'cpu' ? graph : played.spoil(graph), rest);
    },
  };
});

// The CPU needs no trial of its buffers.
vi.mock('../../../lib/engine/train/device/largest-buffer.js', () => ({
  findLargestBuffer: async (_: unknown, enough: number, tell: (bytes: number) => Promise<void>) =>
    tell(enough),
}));

/** The same graph, but the second result of each normalization is the mean of its row. */
function withMeans(graph: Graph): Graph {
  const nodes = graph.nodes.flatMap((node): GraphNode[] => {
    const [output, inverse] = node.outputs;
    if (node.op !== 'SimplifiedLayerNormalization' || !inverse) return [node];
    const mean = { op: 'ReduceMean', domain: '', outputs: [inverse], attributes: { keepdims: 1 } };
    return [
      { ...node, outputs: [output!] },
      { ...mean, inputs: [node.inputs[0]!, 'last'] },
    ];
  });
  const axis = new Uint8Array(BigInt64Array.of(-1n).buffer);
  const last = { tensor: { name: 'last', dtype: 'int64', shape: [1] }, source: { bytes: axis } } as const;
  return { ...graph, nodes, constants: [...graph.constants, last] };
}

/** The same graph, but that of AdamW takes no roots. */
function withoutRoots(graph: Graph): Graph {
  if (!graph.inputs.some(({ name }) => name === MEAN)) return graph;
  return { ...graph, nodes: graph.nodes.map(node => (node.op === 'Sqrt' ? { ...node, op: 'Abs' } : node)) };
}

/** The same graph, with an operator that there is nowhere. */
function withoutSoftmax(graph: Graph): Graph {
  const rename = (op: string) => (op === 'Softmax' ? 'Softest' : op);
  return { ...graph, nodes: graph.nodes.map(node => ({ ...node, op: rename(node.op) })) };
}

let folder: string;
beforeEach(() => {
  Object.assign(played, { spoil: (graph: Graph) => graph, opened: [] });
  folder = temporaryFolder();
});

const row = { ids: [1, 2, 3, 4, 5, 6], supervised: [0, 0, 0, 1, 1, 1] };

async function losses(options: Partial<TrainOptions>, evaluation: TrainJob['evaluation'] = []) {
  const rows = { examples: [row, row], evaluation, folder: join(folder, `${options.provider}`) };
  return lossesOf(await run(quickJob({ maxSteps: 2, ...options }, rows))).map(([, loss]) => loss);
}

describe('training with another provider', () => {
  it('is refused if the provider computes wrong gradients, or with weights in int8', async () => {
    played.spoil = withMeans;
    await expect(losses({ provider: 'webgpu', loraDropout: 0.1 })).rejects.toThrow(
      /^The GPU computes gradients differently from the CPU \(off by .+%\), .+\.$/,
    );
    const rounded = losses({ provider: 'webgpu', weights: 'int8' });
    await expect(rounded).rejects.toThrow('Weights in int8 are only for the CPU.');
  });

  it('runs if the provider computes the same as the CPU, which needs no trial', async () => {
    const right = await losses({ provider: 'cpu' });
    expect(played.opened).toEqual(['cpu']);
    const found = await losses({ provider: 'webgpu' }, [row]);
    for (const [step, loss] of found.filter(loss => loss !== undefined).entries())
      expect(loss).toBeCloseTo(right[step]!, 4);
    // The sessions for steps, and the one for evaluation, come after a trial on both.
    const trial = ['cpu', 'webgpu'];
    const [steps, evaluation] = [Array<string>(4).fill('webgpu'), ['webgpu']];
    expect(played.opened).toEqual(['cpu', ...trial, ...steps, ...trial, ...evaluation]);
  });
});

describe('a trial of the device', () => {
  it('names the operators that are wrong, or cannot be computed', async () => {
    played.spoil = graph => withMeans(withoutSoftmax(graph));
    const found = await compareOperators({ provider: 'webgpu' }, async () => {});
    const unknown = expect.stringContaining('Softest');
    expect(found.filter(({ isRight }) => !isRight)).toMatchObject([
      { name: 'SimplifiedLayerNormalization', difference: expect.any(Number) },
      { name: 'Softmax', difference: null, error: unknown },
    ]);
  });

  it('finds every operator right in the form that a GPU computes', async () => {
    played.spoil = lowerForWebGpu;
    const found = await compareOperators({ provider: 'webgpu' }, async () => {});
    expect(found.filter(({ isRight }) => !isRight)).toEqual([]);
  });

  it('finds that training goes right', async () => {
    expect(await compareTraining('webgpu')).toMatchObject({ isRight: true });
  });

  it('finds that training goes wrong, even if gradients are right', async () => {
    played.spoil = withoutRoots;
    const { difference, isRight } = await compareTraining('webgpu');
    expect(difference).toBeGreaterThan(0.01);
    expect(isRight).toBe(false);
  });
});

it.each(GOLDEN_MODELS)('the trial uses every operator of a step of %s', async name => {
  const { config, weights } = await openGoldenModel(name);
  const lora = { rank: 4, scaling: 2, modules: MODULES };
  const build = (...[of, from, size]: Parameters<Parameters<typeof createTrial>[0]>) =>
    buildTrainingGraph(of, from, lora, size, { dropout: 0.1 });
  const toKinds = ({ nodes }: Graph) =>
    nodes.map(({ op, domain, attributes, outputs }) =>
      JSON.stringify([op, domain, { ...attributes, num_heads: 0 }, outputs.length]),
    );
  const tried = new Set(toKinds(createTrial(build, config).graph));
  expect(toKinds(build(config, weights, 512).graph).filter(kind => !tried.has(kind))).toEqual([]);
});

it('the comparison finds the result with the largest relative difference, or that is wrong altogether', () => {
  const right = { a: Float32Array.of(100, 200), b: Float32Array.of(1, 2) };
  const found = { a: Float32Array.of(101, 200), b: Float32Array.of(1, 2.5) };
  expect(findLargestDifference(right, found)).toEqual(['b', 0.25]);
  expect(findLargestDifference(right, right)[1]).toBe(0);
  const { b: _missing, ...rest } = right;
  const others = [rest, { ...rest, b: Float32Array.of(1) }, { ...rest, b: Float32Array.of(1, Number.NaN) }];
  for (const other of others)
    expect(findLargestDifference(right, other as typeof right)).toEqual(['b', Number.POSITIVE_INFINITY]);
});
