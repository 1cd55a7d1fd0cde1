// Compares a provider with the CPU before training with it. Wrong gradients raise no error: the loss still falls, but the
// adapter learns something else.
import { type Constant, type Graph, sizeOf } from '../graph/index.js';
import {
  GRADIENTS_BEFORE,
  type ModelConfig,
  type NamedShape,
  PARAMETERS,
  storedWeights,
  type TrainingGraph,
  type WeightLocation,
  type WeightSource,
  weightShapes,
} from '../model/index.js';
import { createRandom, type Random } from '../random.js';
import { createSession, DeviceError, type Inputs, type SessionOptions, traitsOf } from '../runtime/index.js';
import {
  countLabels,
  type Example,
  LARGEST_PASS,
  type Pass,
  packExamples,
  toInputs,
  toPass,
} from './packing.js';
import { toPairPass } from './preferences.js';
import { type Answer, toPolicyPass } from './rewards/policy-pass.js';

export interface Compute extends Pick<SessionOptions, 'threads' | 'provider'> {
  /** On a GPU whose memory ran out in a larger pass. */
  mostPassTokens?: number | undefined;
}

/** Differences up to these count as rounding; relative to the largest value of a result. */
const ROUNDING = 1e-3;

export const isRounding = (difference: number) => difference <= ROUNDING;

/** Throws unless the provider computes the same loss and gradients as the CPU for a small model of this kind. */
export async function assertComputesRight(
  buildGraph: BuildGraph,
  config: ModelConfig,
  compute: Compute,
): Promise<void> {
  if (traitsOf(compute).isReference) return;
  const trial = createTrial(buildGraph, config);
  const right = await runOnce(trial, { ...compute, provider: 'cpu' });
  const [name, difference] = findLargestDifference(right, await runOnce(trial, compute));
  if (isRounding(difference)) return;
  throw new DeviceError(
    `The GPU computes ${name} differently from the CPU (off by ${toPercent(difference)}), so training would go wrong.`,
  );
}

type Results = Record<string, Float32Array>;

async function runOnce({ graph, feeds }: Trial, compute: Compute): Promise<Results> {
  const session = await createSession(graph, compute);
  try {
    return await session.run(feeds);
  } finally {
    await session.close();
  }
}

/** The result with the largest difference, relative to its own size. @internal */
export function findLargestDifference(right: Results, found: Results): [name: string, difference: number] {
  return Object.entries(right)
    .map(([name, values]): [string, number] => [name, compare(values, found[name])])
    .reduce((worst, next) => (next[1] > worst[1] ? next : worst));
}

/** The largest difference, relative to the largest value; infinite if they cannot be compared. */
export function compare(right: Float32Array, found: Float32Array | undefined): number {
  if (found?.length !== right.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  let apart = 0;
  for (let i = 0; i < right.length; i++) {
    largest = Math.max(largest, Math.abs(right[i]!));
    apart = Math.max(apart, Math.abs(right[i]! - found[i]!));
  }
  if (apart === 0) return 0;
  const difference = apart / largest;
  return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference;
}

function toPercent(difference: number): string {
  return Number.isFinite(difference) ? `${Number((100 * difference).toPrecision(2))}%` : 'an unknown amount';
}

/** Builds the same kind of graph for any size of model, for passes of up to `longest` tokens. */
export type BuildGraph = (
  config: ModelConfig,
  weights: WeightSource,
  longest: number,
) => TrainingGraph<NamedShape>;

export interface Trial {
  graph: Graph;
  feeds: Inputs;
}

const ROW_LENGTHS = [64, 40, 20];
const TOKENS = 124;
const TRIAL = { passTokens: LARGEST_PASS, lineTokens: TOKENS };
const LARGEST = { layers: 2, kvHeads: 1, hidden: 128, intermediate: 256, vocabulary: 256 };
const SEED = 7;

/**
 * A miniature of a given model, with random weights and rows: the same operators, but a pass takes only milliseconds.
 */
export function createTrial(buildGraph: BuildGraph, config: ModelConfig): Trial {
  const small = miniatureOf(config);
  const shapes = weightShapes(small);
  const place = (name: string): WeightLocation => {
    const shape = shapes.get(name)!;
    return { dtype: 'float32', shape, file: '', offset: 0, length: 0 };
  };
  const { graph } = buildGraph(small, storedWeights(place), TOKENS);
  const random = createRandom(SEED);
  const constants = graph.constants.map(constant => withBytes(constant, random));
  return { graph: { ...graph, constants }, feeds: feedAll(graph, small, random) };
}

/** Heads keep their size and ratio, since the choice of kernels depends on them. */
export function miniatureOf(config: ModelConfig): ModelConfig {
  const smaller = Object.entries(LARGEST).map(([name, most]) => [
    name,
    Math.min(config[name as keyof typeof LARGEST], most),
  ]);
  const small: ModelConfig = { ...config, ...Object.fromEntries(smaller) };
  const kinds = [...new Set(config.mixers)];
  return {
    ...small,
    heads: (config.heads / config.kvHeads) * small.kvHeads,
    layers: Math.max(small.layers, kinds.length),
    mixers: Array.from(
      { length: Math.max(small.layers, kinds.length) },
      (_, layer) => kinds[layer % kinds.length]!,
    ),
  };
}

/** Weights become noise; small constants, such as shapes and axes, stay. */
function withBytes({ tensor, source }: Constant, random: Random): Constant {
  if ('bytes' in source) return { tensor, source };
  return { tensor, source: { bytes: new Uint8Array(noise(tensor.shape, random).buffer) } };
}

function feedAll(graph: Graph, config: ModelConfig, random: Random): Inputs {
  const rows = ROW_LENGTHS.map(length => {
    const ids = Int32Array.from({ length }, () => Math.floor(random.next() * config.vocabulary));
    return { ids, supervised: Array.from(ids, (_, i) => i % 2 === 1) };
  });
  const pass = toTrialPass(rows, name => graph.inputs.some(input => input.name === name));
  const given = { ...toInputs(pass, config), ...flatInputs(graph, random) };
  const lengths: Record<string, number> = { tokens: pass.ids.length };
  return Object.fromEntries(
    graph.inputs.map(({ name, dtype, shape: dimensions }) => {
      const shape = dimensions.map(length => (typeof length === 'number' ? length : lengths[length]!));
      return [name, given[name] ?? (dtype === 'uint8' ? randomBits(shape, random) : noise(shape, random))];
    }),
  );
}

/** The parameters of the flat form, and nothing that was summed before: it would hide how far a gradient is off. */
function flatInputs(graph: Graph, random: Random): Inputs {
  const flat = graph.inputs.find(({ name }) => name === PARAMETERS);
  if (!flat) return {};
  const size = flat.shape[0] as number;
  const { hidden } = LARGEST;
  const values = noise([Math.ceil(size / hidden), hidden], random).subarray(0, size);
  return { [PARAMETERS]: values, [GRADIENTS_BEFORE]: new Float32Array(size) };
}

function toTrialPass(rows: readonly Example[], has: (input: string) => boolean): Pass {
  if (has('sides')) return packPairs(rows);
  if (has('advantages')) return packAnswers(rows);
  return toPass(packExamples(rows, TRIAL)[0]!, 1 / TOKENS);
}

/** The rows as answers, some of which are better than others. */
function packAnswers(rows: readonly Example[]): Pass {
  const answers = rows.map((row, i): Answer => {
    const known = new Float32Array(countLabels(row)).fill(-5);
    return { ...row, advantage: i - 1, before: i === 0 ? null : known, reference: known };
  });
  return toPolicyPass(packExamples(answers, TRIAL)[0]!, TOKENS);
}

/** The rows as pairs of two halves. */
function packPairs(rows: readonly Example[]): Pass {
  const pairs = rows.map(row => ({ ...row, chosen: row.ids.length / 2 }));
  const referenceOf = () => ({ chosen: -1, rejected: -2 });
  const weights = { referenceOf, weight: 1 / rows.length, labelWeight: 1 / TOKENS };
  return toPairPass(packExamples(pairs, TRIAL)[0]!, weights);
}

/** Scaled so that activations keep their magnitude across layers; centered on 1 for vectors, which scale or shift. */
export function noise(shape: readonly number[], random: Random): Float32Array {
  const middle = shape.length === 1 ? 1 : 0;
  const bound = Math.sqrt(3 / shape.at(-1)!);
  return Float32Array.from({ length: sizeOf(shape) }, () => middle + bound * (2 * random.next() - 1));
}

function randomBits(shape: readonly number[], random: Random): Uint8Array {
  return Uint8Array.from({ length: sizeOf(shape) }, () => random.bits() & 1);
}
