// One optimizer step, in as many passes as its rows need.
import { ADAMW_DEFAULTS, type AdamWState, stepAdamW } from './adamw.js';
import type { Metrics, Objective } from './objective.js';
import type { TrainOptions } from './options.js';
import { type Example, packExamples } from './packing.js';
import type { RowLoss } from './row-losses/index.js';
import type { StepRunner } from './runners.js';
import type { ParameterState } from './state.js';

const DROPOUT = 3;

interface StepContext {
  /** The rows of a step; steps count from 0. */
  examplesOf(step: number): Example[];
  objective: Objective;
  options: Pick<TrainOptions, 'maxGradientNorm' | 'seed' | 'weightDecay'>;
  state: ParameterState;
  control: { signal?: AbortSignal | undefined };
  progress: { readonly step: number };
  gradient: ParameterState;
  optimizer: AdamWState;
  runner: StepRunner;
}

interface StepResult {
  /** The mean over all labels of the step, or over its pairs. */
  loss: number;
  tokens: number;
  metrics: Metrics | null;
  rowLosses: RowLoss[];
}

export async function takeStep(run: StepContext, learningRate: number): Promise<StepResult> {
  const { progress, options, state, gradient, optimizer } = run;
  const result = await addGradients(run);
  assertFinite(result.loss, `The loss of step ${progress.step + 1}`);
  const norm = assertFinite(normOf(gradient.values), `The gradient of step ${progress.step + 1}`);
  const scale = norm > options.maxGradientNorm ? options.maxGradientNorm / (norm + 1e-6) : 1;
  const { weightDecay } = options;
  const adamW = { ...ADAMW_DEFAULTS, weightDecay };
  stepAdamW(state.values, gradient.values, optimizer, learningRate, adamW, scale);
  return result;
}

async function addGradients(run: StepContext): Promise<StepResult> {
  const { progress, examplesOf, objective, options, state, gradient, runner } = run;
  const { signal } = run.control;
  const examples = examplesOf(progress.step);
  const { toPass, read, metrics } = await objective.prepare(examples, signal);
  gradient.values.fill(0);
  let loss = 0;
  const rowLosses: RowLoss[] = [];
  for (const [i, lines] of packExamples(examples, runner.passTokens).entries()) {
    signal?.throwIfAborted();
    const purpose = [options.seed, DROPOUT, progress.step, i];
    loss += await runner.run(toPass(lines), state, gradient, purpose, losses =>
      rowLosses.push(...read(lines, losses)),
    );
  }
  signal?.throwIfAborted();
  const tokens = examples.reduce((sum, { ids }) => sum + ids.length, 0);
  return { loss, tokens, metrics: metrics(), rowLosses };
}

function normOf(values: Float32Array): number {
  let square = 0;
  for (let i = 0; i < values.length; i++) square += values[i]! * values[i]!;
  return Math.sqrt(square);
}

export function assertFinite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw new Error(`${what} is not a finite number. Try a lower learning rate.`);
}
