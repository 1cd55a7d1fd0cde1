// Runs passes through a training graph: returns the loss and accumulates the gradients.
import {
  buildPretrainingGraph,
  buildTrainingGraph,
  DIVERGENCES,
  type DropoutGroup,
  dropoutInputs,
  gradientOf,
  halfWeights,
  LABEL_LOSSES,
  type LoraShape,
  type ModelConfig,
  type ModelSource,
  type NamedShape,
  PARAMETERS,
  type PolicyShape,
  type PreferenceShape,
  type SoftShape,
  type TrainingGraph,
} from '../model/index.js';
import { createRandom, type Random } from '../random.js';
import { createSession, type Inputs } from '../runtime/index.js';
import { clipGradient, type Learned, stepAdamW } from './adam-w.js';
import { BYTES_PER_HALF } from './device/half-weights.js';
import { type Learner, runOnDevice } from './device/learner.js';
import { type PassPlan, planPasses } from './pass-plan.js';
import { lossPassTokens, passTokens } from './pass-size.js';
import { assertComputesRight, type BuildGraph, type Compute } from './provider-check.js';
import type { LossRunner, StepRunner } from './runners.js';

/** What a step minimizes, if not only the losses of labels. */
interface Goal {
  compares?: PreferenceShape | undefined;
  rewards?: PolicyShape | undefined;
  soft?: SoftShape | undefined;
  /** Default: 1. */
  temperature?: number | undefined;
}

export async function createStepRunner(
  { config, weights, bytesPerWeight }: ModelSource,
  lora: LoraShape,
  longest: number,
  learned: Learned,
  { dropout, compares, rewards, soft, temperature, ...compute }: Compute & Goal & { dropout: number },
): Promise<StepRunner> {
  const plan = await planPasses({
    config,
    longest,
    compute,
    tokensHere: passTokens,
    isSoft: soft !== undefined,
    bytesPerWeight,
  });
  const build: BuildGraph = (of, from, size) =>
    buildTrainingGraph(of, from, lora, size, {
      ...{ dropout, compares, rewards, soft, temperature },
      ...plan.formOf(of),
    });
  await assertComputesRight(inPrecision(build, bytesPerWeight), config, compute);
  const masks = dropout > 0 ? dropoutInputs(config, lora) : [];
  const random: Randomness = (tokens, purpose) => keepMasks(masks, tokens, dropout, purpose);
  return stepRunnerOf(build(config, weights, longest), plan, learned, compute, random);
}

/** Only the loss, for evaluation: its graph has no backward pass and copies no weights. */
export async function createLossRunner(
  { config, weights, bytesPerWeight }: ModelSource,
  lora: LoraShape,
  longest: number,
  { temperature, soft, ...compute }: Compute & Pick<Goal, 'temperature' | 'soft'>,
): Promise<LossRunner> {
  const plan = await planPasses({
    config,
    longest,
    compute,
    tokensHere: lossPassTokens,
    isSoft: soft !== undefined,
    bytesPerWeight,
  });
  const build: BuildGraph = (of, from, size) =>
    buildTrainingGraph(of, from, lora, size, {
      ...{ withGradients: false, temperature, soft },
      ...plan.formOf(of),
    });
  await assertComputesRight(inPrecision(build, bytesPerWeight), config, compute);
  return lossRunnerOf(build(config, weights, longest), plan, compute);
}

/** The same graphs for a miniature, whose weights are then in float16, too. */
function inPrecision(build: BuildGraph, bytesPerWeight: number): BuildGraph {
  if (bytesPerWeight !== BYTES_PER_HALF) return build;
  return (of, from, size) => build(of, halfWeights(from), size);
}

/** Trains all weights of a model. */
export async function createPretrainingRunner(
  config: ModelConfig,
  longest: number,
  learned: Learned,
  compute: Compute,
): Promise<StepRunner> {
  const plan = await planPasses({ config, longest, compute, tokensHere: passTokens });
  const build = (of: ModelConfig, size: number) => buildPretrainingGraph(of, size, plan.formOf(of));
  await assertComputesRight((of, _, size) => build(of, size), config, compute);
  return stepRunnerOf(build(config, longest), plan, learned, compute, () => ({}));
}

/** Only the loss, for a model whose weights are all parameters. */
export async function createPretrainingLossRunner(
  config: ModelConfig,
  longest: number,
  compute: Compute,
): Promise<LossRunner> {
  const plan = await planPasses({ config, longest, compute, tokensHere: lossPassTokens });
  const build = (of: ModelConfig, size: number) =>
    buildPretrainingGraph(of, size, { withGradients: false, ...plan.formOf(of) });
  await assertComputesRight((of, _, size) => build(of, size), config, compute);
  return lossRunnerOf(build(config, longest), plan, compute);
}

async function stepRunnerOf(
  { graph, parameters }: TrainingGraph<NamedShape>,
  plan: PassPlan,
  learned: Learned,
  compute: Compute,
  random: Randomness,
): Promise<StepRunner> {
  const open = plan.form === 'flat' ? runOnDevice : runHere;
  const { run, ...rest } = await open({ graph, parameters }, learned, compute);
  return {
    ...plan.limits,
    async run(pass, purpose, onLosses) {
      const masks = random(pass.ids.length, purpose);
      const results = await plan.compute(pass, inputs => run(inputs, masks));
      onLosses?.(results[LABEL_LOSSES]!, results[DIVERGENCES]);
      return results.loss![0]!;
    },
    ...rest,
  };
}

/** Parameters, gradients and moments are this process's own. */
async function runHere(
  { graph, parameters }: TrainingGraph<NamedShape>,
  { state, gradient, optimizer }: Learned,
  compute: Compute,
): Promise<Learner> {
  const session = await createSession(graph, { spinning: true, ...compute });
  let isUsed = true;
  /** A step may be without any pass. */
  const startOver = () => {
    if (isUsed) gradient.values.fill(0);
    isUsed = false;
  };
  return {
    async run(...inputs) {
      startOver();
      const results = await session.run(...inputs, state.views);
      for (const { name } of parameters) addTo(gradient.views[name]!, results[gradientOf(name)]!);
      return results;
    },
    async update(change) {
      startOver();
      const { norm, factor } = clipGradient(gradient.values, change.maxGradNorm);
      if (Number.isFinite(norm)) stepAdamW(state.values, gradient.values, optimizer, change, factor);
      isUsed = true;
      return norm;
    },
    pull: async () => {},
    close: () => session.close(),
  };
}

/** Additional inputs of a pass with this many tokens, seeded by `purpose`. */
type Randomness = (tokens: number, purpose: readonly number[]) => Inputs;

async function lossRunnerOf(
  { graph }: TrainingGraph<NamedShape>,
  plan: PassPlan,
  compute: Compute,
): Promise<LossRunner> {
  const session = await createSession(graph, { spinning: true, prepacking: false, ...compute });
  return {
    ...plan.limits,
    async run(pass, { values, views }, onLosses) {
      const parameters = plan.form === 'flat' ? { [PARAMETERS]: values } : views;
      const results = await plan.compute(pass, inputs => session.run(inputs, parameters));
      onLosses?.(results[LABEL_LOSSES]!, results[DIVERGENCES]);
      return results.loss![0]!;
    },
    close: () => session.close(),
  };
}

function keepMasks(
  masks: readonly DropoutGroup[],
  tokens: number,
  dropout: number,
  purpose: readonly number[],
): Inputs {
  return Object.fromEntries(
    masks.map(({ name, width }, i) => [
      name,
      writeKeepMask(new Uint8Array(tokens * width), dropout, createRandom(...purpose, i)),
    ]),
  );
}

function addTo(sum: Float32Array, values: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + values[i]!;
}

const DRAWS = 2 ** 16;

/**
 * A dropout mask: fills `mask` with 0 at the given rate, and with 1 for inputs that the adapter sees in a pass. Draws
 * only the gaps between zeros, which at usual rates is far less work than drawing every element.
 * @internal
 */
export function writeKeepMask(mask: Uint8Array, rate: number, random: Random): Uint8Array {
  const gaps = gapsOf(rate);
  mask.fill(1);
  let at = 0;
  while (true) {
    const bits = random.bits();
    at += gaps[bits & 0xffff]!;
    if (at >= mask.length) return mask;
    mask[at++] = 0;
    at += gaps[bits >>> 16]!;
    if (at >= mask.length) return mask;
    mask[at++] = 0;
  }
}

const known = new Map<number, Float64Array>();

/** The number of ones before the next zero, for each equally likely draw. */
function gapsOf(rate: number): Float64Array {
  const found = known.get(rate);
  if (found) return found;
  const gaps = Float64Array.from({ length: DRAWS }, (_, draw) =>
    Math.floor(Math.log((draw + 0.5) / DRAWS) / Math.log1p(-rate)),
  );
  known.set(rate, gaps);
  return gaps;
}
