// Training a LoRA adapter, as an iterable of what happens. It knows examples and a model, not where they came from.
import { join } from 'node:path';
import type { LoraShape, ModelSource } from '../model/index.js';
import { ADAMW_DEFAULTS, type AdamWState, createAdamWState, stepAdamW } from './adamw.js';
import {
  type AdapterDescription,
  fingerprintOf,
  listCheckpoints,
  loadCheckpoint,
  type Progress,
  pruneCheckpoints,
  readProgress,
  saveAdapter,
  saveCheckpoint,
} from './checkpoint.js';
import { createEvaluator, type Evaluator } from './evaluate.js';
import { initializeLora } from './initialize.js';
import type { LoraState } from './lora-state.js';
import type { TrainOptions } from './options.js';
import { countLabels, type Example, type PassShape, packExamples, toPass } from './packing.js';
import { choosePassShape } from './pass-shape.js';
import { scheduleFactor } from './schedule.js';
import { createAdapterState, createStepRunner, type StepRunner } from './step-runner.js';
import { createStepExamples, planSteps, type StepPlan } from './steps.js';

const DROPOUT = 3;

export interface TrainJob {
  model: ModelSource;
  /** What the adapter says it is for. */
  baseModel: string | null;
  examples: readonly Example[];
  evaluation: readonly Example[];
  options: TrainOptions;
  /** Where checkpoints and the final adapter are put. A run that finds checkpoints of its own there goes on from the last. */
  folder: string;
  signal?: AbortSignal | undefined;
}

export interface SavedCheckpoint {
  type: 'checkpoint';
  step: number;
  folder: string;
}

export type TrainEvent =
  | {
      type: 'started';
      totalSteps: number;
      trainableParameters: number;
      /** Tokens that are learned, in one epoch. */
      trainTokens: number;
      resumedFromStep: number | null;
    }
  | {
      type: 'log';
      step: number;
      loss?: number;
      evalLoss?: number;
      learningRate?: number;
      epoch: number;
      tokensPerSecond?: number;
    }
  | SavedCheckpoint
  | {
      type: 'completed';
      step: number;
      folder: string;
      /** Those that were kept, of earlier tries, too. */
      checkpoints: { step: number; folder: string }[];
      metrics: { trainLoss: number | null; evalLoss: number | null };
    };

/** Trains. Aborting ends it between two passes, with the signal's reason; what was saved stays. */
export async function* train(job: TrainJob): AsyncGenerator<TrainEvent> {
  if (job.examples.length === 0) throw new Error('There are no rows to train on.');
  const run = await prepare(job);
  try {
    yield* runSteps(run);
  } finally {
    await run.runner.close();
    await run.evaluator?.close();
  }
}

interface Run extends TrainJob {
  plan: StepPlan;
  examplesOf: (step: number) => Example[];
  shape: PassShape;
  state: LoraState;
  gradient: LoraState;
  optimizer: AdamWState;
  progress: Progress;
  resumedFromStep: number | null;
  runner: StepRunner;
  evaluator: Evaluator | null;
  description: AdapterDescription;
}

async function prepare(job: TrainJob): Promise<Run> {
  const { model, options, examples, evaluation, folder } = job;
  const lora: LoraShape = {
    rank: options.rank,
    scaling: options.alpha / options.rank,
    modules: options.modules,
  };
  const plan = planSteps(examples.length, options);
  const shape = choosePassShape(examples, plan.rowsPerStep);
  const state = createAdapterState(model, lora);
  const optimizer = createAdamWState(state.values.length);
  const fresh: Progress = { step: 0, losses: [], best: null, fingerprint: fingerprint(job) };
  const saved = await resume(folder, fresh, state, optimizer);
  if (!saved) initializeLora(state, options.seed);
  return {
    ...job,
    plan,
    examplesOf: createStepExamples(examples, plan, options.seed),
    shape,
    state,
    gradient: createAdapterState(model, lora),
    optimizer,
    progress: saved ?? fresh,
    resumedFromStep: saved?.step ?? null,
    runner: await createStepRunner(model, lora, shape, options),
    evaluator: evaluation.length > 0 ? createEvaluator(model, lora, evaluation, options) : null,
    description: { options, baseModel: job.baseModel },
  };
}

/**
 * The last checkpoint of the same run that can be read, if there is one. Another run's is an error: nothing is mixed or
 * overwritten.
 */
async function resume(folder: string, fresh: Progress, state: LoraState, optimizer: AdamWState) {
  for (const step of (await listCheckpoints(folder)).toReversed()) {
    const saved = await readProgress(folder, step);
    if (saved && saved.fingerprint !== fresh.fingerprint) {
      throw new Error(`${folder} holds the checkpoints of another run; choose another folder.`);
    }
    if (saved && (await loadCheckpoint(folder, step, state, optimizer))) return saved;
  }
  return null;
}

/** What determines the course of a run: the settings, the model's shape, and every token of the data. */
function fingerprint({ options, examples, evaluation, model }: TrainJob): string {
  const { threads: _, keepCheckpoints: __, loggingSteps: ___, ...course } = options;
  return fingerprintOf([course, model.config], [...examples, ...evaluation]);
}

async function* runSteps(run: Run): AsyncGenerator<TrainEvent> {
  const { plan, options, progress, evaluator, folder, state } = run;
  yield started(run);
  const window = createLossWindow(run);
  let evalLoss: number | null = null;
  let unsaved: number | null = null;
  while (progress.step < plan.totalSteps) {
    const step = progress.step + 1;
    const learningRate = options.learningRate * scheduleFactor(progress.step, { ...options, ...plan });
    const began = performance.now();
    const { loss, tokens } = await takeStep(run, learningRate);
    progress.step = step;
    window.add(loss, tokens, performance.now() - began);
    const epoch = step / plan.stepsPerEpoch;
    const isLast = step === plan.totalSteps;
    const evaluates = evaluator !== null && (isLast || isDue(step, options.evalSteps));
    if (evaluates)
      evalLoss = assertFinite(await evaluator.run(state, run.signal), `The evaluation at step ${step}`);
    if (evaluates || isLast || isDue(step, options.loggingSteps)) {
      yield {
        type: 'log',
        step,
        ...window.take(),
        ...(evaluates && { evalLoss: evalLoss! }),
        learningRate,
        epoch,
      };
    }
    if (evaluates) unsaved = evalLoss;
    if (isLast || !isDue(step, options.saveSteps)) continue;
    // The best is one of those that were saved: its evaluation is the last one before.
    if (unsaved !== null && unsaved < (progress.best?.loss ?? Number.POSITIVE_INFINITY))
      progress.best = { step, loss: unsaved };
    unsaved = null;
    yield await checkpoint(run);
  }
  const final = join(folder, 'final');
  await saveAdapter(final, state, run.description);
  yield {
    type: 'completed',
    step: progress.step,
    folder: final,
    checkpoints: (await listCheckpoints(folder)).map(step => ({
      step,
      folder: join(folder, `checkpoint-${step}`),
    })),
    metrics: { trainLoss: window.last, evalLoss },
  };
}

function started({ state, examples, plan, resumedFromStep }: Run): TrainEvent {
  return {
    type: 'started',
    totalSteps: plan.totalSteps,
    trainableParameters: state.values.length,
    trainTokens: examples.reduce((sum, example) => sum + countLabels(example), 0),
    resumedFromStep,
  };
}

/** One step of the optimizer, in as many passes as its rows need. The loss is the mean over all of its labels. */
async function takeStep(run: Run, learningRate: number): Promise<{ loss: number; tokens: number }> {
  const { progress, examplesOf, shape, options, state, gradient, optimizer, runner, signal } = run;
  const examples = examplesOf(progress.step);
  const labels = examples.reduce((sum, example) => sum + countLabels(example), 0);
  gradient.values.fill(0);
  let loss = 0;
  let tokens = 0;
  for (const [i, lines] of packExamples(examples, shape).entries()) {
    signal?.throwIfAborted();
    const pass = toPass(lines, shape, 1 / labels);
    loss += await runner.run(pass, state, gradient, [options.seed, DROPOUT, progress.step, i]);
    tokens += pass.tokens;
  }
  signal?.throwIfAborted();
  assertFinite(loss, `The loss of step ${progress.step + 1}`);
  const norm = assertFinite(normOf(gradient.values), `The gradient of step ${progress.step + 1}`);
  const scale = norm > options.maxGradientNorm ? options.maxGradientNorm / (norm + 1e-6) : 1;
  const { weightDecay } = options;
  stepAdamW(
    state.values,
    gradient.values,
    optimizer,
    learningRate,
    { ...ADAMW_DEFAULTS, weightDecay },
    scale,
  );
  return { loss, tokens };
}

function normOf(values: Float32Array): number {
  let square = 0;
  for (let i = 0; i < values.length; i++) square += values[i]! * values[i]!;
  return Math.sqrt(square);
}

function assertFinite(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw new Error(`${what} is not a number; try a lower learning rate.`);
}

async function checkpoint(run: Run): Promise<TrainEvent> {
  const { folder, state, optimizer, progress, description, options } = run;
  const path = await saveCheckpoint(folder, state, optimizer, progress, description);
  await pruneCheckpoints(folder, options.keepCheckpoints, progress.best?.step ?? null);
  return { type: 'checkpoint', step: progress.step, folder: path };
}

function isDue(step: number, every: number | null): boolean {
  return every !== null && step % every === 0;
}

/** The mean loss and the speed since the last log. The losses lie in the progress, which survives a stop. */
function createLossWindow({ progress }: Run) {
  let tokens = 0;
  let ms = 0;
  let last: number | null = null;
  return {
    add(loss: number, count: number, time: number) {
      progress.losses.push(loss);
      tokens += count;
      ms += time;
    },
    take(): { loss: number; tokensPerSecond: number } {
      const loss = progress.losses.reduce((sum, value) => sum + value, 0) / progress.losses.length;
      const tokensPerSecond = Math.round((tokens / ms) * 1000);
      progress.losses = [];
      tokens = 0;
      ms = 0;
      last = loss;
      return { loss, tokensPerSecond };
    },
    get last() {
      return last;
    },
  };
}
