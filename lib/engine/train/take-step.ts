// One step, in as many passes as its rows need, at the learning rate of a schedule. It updates what is trained once or, where
// answers are sampled for it, as often as the method says.
import { PURPOSE } from '../random.js';
import type { Metrics, Objective, RowLoss, StepObjective } from './objective.js';
import { type RequestedOptions, type Schedule, updatesPerStep } from './options.js';
import { type Example, packExamples } from './packing.js';
import type { StepRunner } from './runners.js';

interface StepContext {
  /** The rows at a place in their order, in steps from 0. */
  examplesOf(step: number): Example[];
  objective: Objective;
  options: RequestedOptions;
  control: { signal?: AbortSignal | undefined };
  progress: { readonly step: number; readonly position?: number };
  runner: StepRunner;
}

export interface StepResult {
  /** The mean over all labels of the step, or over its pairs; of several updates, the mean of theirs. */
  loss: number;
  /** In all of its passes. */
  tokens: number;
  metrics: Metrics | null;
  rowLosses: RowLoss[];
  /** How long its parts took, of a step that is more than training. */
  seconds?: Metrics;
}

export async function takeStep(run: StepContext, learningRate: number): Promise<StepResult> {
  const { progress, examplesOf, objective, options, runner, control } = run;
  const position = (progress.position ?? 0) + progress.step;
  const rows = examplesOf(position);
  const step = progress.step + 1;
  const { signal } = control;
  const prepared = await objective.prepare(rows, { signal, position, step, pull: runner.pull });
  const { examples = rows, metrics, seconds } = prepared;
  const updates = updatesPerStep(options.method);
  const rowLosses: RowLoss[] = [];
  let loss = 0;
  for (let update = 0; update < updates; update++) {
    const added = await addGradients(run, { ...prepared, examples }, { position, update, rowLosses });
    loss += assertFinite(added, `The loss of step ${step}`) / updates;
    const norm = await runner.update({ ...options, learningRate });
    assertFinite(norm, `The gradient of step ${step}`);
  }
  const tokens = updates * examples.reduce((sum, { ids }) => sum + ids.length, 0);
  return { loss, tokens, metrics: metrics(), rowLosses, ...(seconds && { seconds }) };
}

interface UpdatePlace {
  /** In the order of rows. */
  position: number;
  /** From 0. */
  update: number;
  /** Receives those of the update. */
  rowLosses: RowLoss[];
}

/** Returns the loss. */
async function addGradients(
  { options, runner, control: { signal } }: StepContext,
  { examples, toPass, read }: Omit<StepObjective, 'examples'> & { examples: readonly Example[] },
  { position, update, rowLosses }: UpdatePlace,
): Promise<number> {
  let loss = 0;
  for (const [i, lines] of packExamples(examples, runner).entries()) {
    signal?.throwIfAborted();
    const purpose = [options.seed, PURPOSE.dropout, position, i, ...(update === 0 ? [] : [update])];
    loss += await runner.run(toPass(lines), purpose, (...losses) =>
      rowLosses.push(...read(lines, ...losses)),
    );
  }
  signal?.throwIfAborted();
  return loss;
}

/** On a GPU, it may be the device's fault. */
export class NotFiniteError extends Error {
  override readonly name = 'NotFiniteError';
}

export function assertFinite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw new NotFiniteError(`${what} is not a finite number. Try a lower learning rate.`);
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
