// Compares a provider with the CPU before training with it. Wrong gradients raise no error: the loss still falls, but the
// adapter learns something else. On WebGPU in ONNX Runtime 1.30, for example, the second output of
// SimplifiedLayerNormalization, which the backward pass needs, is the row's mean.
import type { ModelConfig } from '../model/index.js';
import { createSession, type SessionOptions } from '../runtime/index.js';
import { type BuildGraph, createTrial, type Trial } from './trial.js';

export type Compute = Pick<SessionOptions, 'threads' | 'provider'>;

/** Differences up to these count as rounding; relative to the largest value of a result. */
const ROUNDING = 1e-3;

/** Throws unless the provider computes the same loss and gradients as the CPU for a small model of this kind. */
export async function assertComputesRight(
  buildGraph: BuildGraph,
  config: ModelConfig,
  compute: Compute,
): Promise<void> {
  const { provider = 'cpu' } = compute;
  if (provider === 'cpu') return;
  const trial = createTrial(buildGraph, config);
  const right = await runOnce(trial, { ...compute, provider: 'cpu' });
  const [name, difference] = findLargestDifference(right, await runOnce(trial, compute));
  if (difference <= ROUNDING) return;
  throw new Error(
    `The ${provider} provider computes ${name} differently from the CPU (off by ${toPercent(difference)}), so training would go wrong. Use cpu.`,
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

/** Infinite if they cannot be compared. */
function compare(right: Float32Array, found: Float32Array | undefined): number {
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
