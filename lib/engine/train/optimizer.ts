// One optimizer step, in as many passes as its rows need: AdamW, at the learning rate of a schedule.
import type { Metrics, Objective, RowLoss } from './objective.js';
import type { RequestedOptions, Schedule } from './options.js';
import { type Example, packExamples } from './packing.js';
import type { StepRunner } from './runners.js';
import type { ParameterState } from './state.js';

const DROPOUT = 3;

interface StepContext {
  /** The rows of a step; steps count from 0. */
  examplesOf(step: number): Example[];
  objective: Objective;
  options: RequestedOptions;
  state: ParameterState;
  control: { signal?: AbortSignal | undefined };
  progress: { readonly step: number };
  gradient: ParameterState;
  optimizer: AdamWState;
  runner: StepRunner;
}

export interface StepResult {
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

/** On a GPU, it may be the device's fault. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';
}

export function assertFinite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw new NotFiniteError(`${what} is not a finite number. Try a lower learning rate.`);
}

interface AdamWOptions {
  beta1: number;
  beta2: number;
  epsilon: number;
  weightDecay: number;
}

/** @internal */
export const ADAMW_DEFAULTS: AdamWOptions = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 };

/** Two moments per value, and the number of steps taken. */
export interface AdamWState {
  step: number;
  readonly mean: Float32Array;
  readonly square: Float32Array;
}

export function createAdamWState(size: number): AdamWState {
  return { step: 0, mean: new Float32Array(size), square: new Float32Array(size) };
}

/**
 * AdamW over one flat array, as PyTorch computes it. Updates `values` in place; `gradient` is multiplied by `scale`
 * first.
 * @internal
 */
export function stepAdamW(
  values: Float32Array,
  gradient: Float32Array,
  state: AdamWState,
  rate: number,
  { beta1, beta2, epsilon, weightDecay }: AdamWOptions,
  scale = 1,
): void {
  const { mean, square } = state;
  state.step++;
  const meanCorrection = 1 - beta1 ** state.step;
  const squareCorrection = Math.sqrt(1 - beta2 ** state.step);
  const decay = 1 - rate * weightDecay;
  const size = rate / meanCorrection;
  for (let i = 0; i < values.length; i++) {
    const g = gradient[i]! * scale;
    const m = beta1 * mean[i]! + (1 - beta1) * g;
    const v = beta2 * square[i]! + (1 - beta2) * g * g;
    mean[i] = m;
    square[i] = v;
    values[i] = values[i]! * decay - (size * m) / (Math.sqrt(v) / squareCorrection + epsilon);
  }
}

interface SchedulePlan {
  lrSchedulerType: Schedule;
  warmupSteps: number;
  totalSteps: number;
}

/**
 * The learning rate of each step, as a share of the maximum. Steps count from 0. Falling schedules reach 0 one step
 * after the last.
 */
export function scheduleFactor(
  step: number,
  { lrSchedulerType: schedule, warmupSteps, totalSteps }: SchedulePlan,
): number {
  if (schedule === 'constant') return 1;
  if (step < warmupSteps) return (step + 1) / (warmupSteps + 1);
  if (schedule === 'constant_with_warmup') return 1;
  const done = (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps);
  return schedule === 'linear' ? Math.max(0, 1 - done) : Math.max(0, 0.5 * (1 + Math.cos(Math.PI * done)));
}
