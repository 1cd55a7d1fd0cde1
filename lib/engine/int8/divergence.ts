// How far a model with rounded matrices is from the model itself: the Kullback-Leibler divergence of what it expects to come next.
import { buildLogitsGraph, type ModelSource, toLineInputs } from '../model/index.js';
import { type Compute, computeExactly } from './exact-pass.js';

/** In the mean over these tokens, in nats. */
export async function measureDivergence(
  model: ModelSource,
  rounded: ModelSource,
  ids: readonly number[],
  compute: Compute,
): Promise<number> {
  const { config } = model;
  const exact = await computeExactly(model, ids, compute);
  const { graph } = buildLogitsGraph(
    config,
    rounded.weights,
    { rank: 1, scaling: 1, modules: [] },
    ids.length,
  );
  const { logits } = await compute(graph, toLineInputs(ids, config));
  let sum = 0;
  for (let token = 0; token < ids.length; token++) {
    const [from, to] = [token * config.vocabulary, (token + 1) * config.vocabulary];
    sum += divergenceOf(exact.subarray(from, to), logits!.subarray(from, to));
  }
  return sum / ids.length;
}

/**
 * Σ p (log p - log q), of what two rows of logits say.
 * @internal
 */
export function divergenceOf(exact: Float32Array, other: Float32Array): number {
  const [p, q] = [logSum(exact), logSum(other)];
  let sum = 0;
  for (let i = 0; i < exact.length; i++) {
    const logP = exact[i]! - p;
    sum += Math.exp(logP) * (logP - (other[i]! - q));
  }
  return sum;
}

/** @internal */
export function logSum(logits: Float32Array): number {
  const largest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  return largest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
}
