// Trains a LoRA adapter on examples, independent of where those and the model come from.
import { join } from 'node:path';
import type { WeightPrecision } from '../int8/index.js';
import type { LoraShape, ModelSource } from '../model/index.js';
import { traitsOf } from '../runtime/index.js';
import { MOST_ALTERNATIVES } from '../text/index.js';
import { readAdapter, writeAdapter } from '../weights/index.js';
import { orderOf, runFingerprint, savedWeights } from './checkpoint.js';
import { createEvaluator } from './evaluate.js';
import { supervised } from './objective.js';
import { decideWeights, openWeights } from './open-weights.js';
import type { PreferenceMethod, StartingPoint, TrainOptions } from './options.js';
import { countLabels, type ExampleSet, examplesOf, longestLine } from './packing.js';
import {
  createPreferenceEvaluator,
  createPreferenceObjective,
  type ReferenceModel,
  toShape,
} from './preferences.js';
import { createRewards, type PromptRows } from './rewards/create-rewards.js';
import type { BackgroundReader, LongRows } from './row-sweep.js';
import { runTrainingLoop } from './run-training-loop.js';
import { type LossRunner, shareRunner } from './runners.js';
import { createSoftObjective } from './soft.js';
import {
  createAdapterState,
  createFirstAdapter,
  type LoraState,
  loadPairs,
  toAdapterConfig,
  toLoraShape,
  toPairs,
} from './state.js';
import { createLossRunner, createStepRunner } from './step-runner.js';
import { createStepExamples, planSteps, type StepPlan } from './steps.js';
import type { RunControl, TrainEvent, TrainingLoop } from './training-loop.js';

export interface TrainJob extends RunControl {
  model: ModelSource;
  /** The name of the base model, for the adapter's config. */
  baseModel: string | null;
  examples: ExampleSet;
  evaluation: ExampleSet;
  /** Reads the remaining rows during training; without it, all rows are available at once. */
  reader?: BackgroundReader | null;
  /** Rows that were already found to be too long. */
  tooLong?: LongRows | null;
  /** What a run that learns from rewards reads its prompts with. */
  prompts?: PromptRows;
  /** Rows in the data set. Those with higher numbers are of earlier runs, and their losses are not recorded. */
  dataRows?: number;
  /** Whether the run reads all rows before it ends, even if its steps do not need them. */
  readsAllRows?: boolean;
  options: TrainOptions;
  /** Keeps rounded weights for other runs; by default, they stay with the run. */
  roundedFolder?: string | undefined;
  /** The adapter that the run goes on from; without one, it begins with a new one. */
  from?: StartingPoint | null | undefined;
  /** For checkpoints and the final adapter. A run that finds its own checkpoints there resumes from the last one. */
  folder: string;
}

/** Aborting stops it between two passes with the signal's reason; what was saved stays. */
export async function* train(job: TrainJob): AsyncGenerator<TrainEvent> {
  if (job.examples.length === 0) throw new Error('There are no rows to train on.');
  const { folder, roundedFolder = join(folder, 'rounded'), options } = job;
  const place = { folder: roundedFolder, provider: options.provider };
  const saved = await savedWeights(folder);
  if (saved === 'nf4')
    throw new Error(
      "This run trains with base weights in nf4, which only PyTorch has: svc's own engine cannot continue it.",
    );
  // A run that leaves the GPU goes on in float32.
  const known = saved === 'f16' && !traitsOf(place).precisions.includes(saved) ? 'f32' : saved;
  const weights = known ?? (await decideWeights(job.model, options.weights, place));
  const model = await openWeights(job.model, weights, { ...place, trains: true });
  const first = await createFirstAdapter(model, options, job.from);
  const answering =
    options.method?.type === 'grpo'
      ? await openWeights(job.model, weights, { ...place, trains: false })
      : model;
  yield* runTrainingLoop(toTrainingLoop({ ...job, model, answering }, weights, first));
}

/** With the model in the form that it answers in. */
type OpenedJob = TrainJob & { answering: ModelSource };

function toTrainingLoop(job: OpenedJob, weights: WeightPrecision, first: LoraState): TrainingLoop<LoraState> {
  const { model, options, examples, reader = null, tooLong = null, folder, baseModel } = job;
  const { signal, pause, attempt, onHeldUp, readsAllRows = false } = job;
  const { method, loraDropout: dropout, threads, provider, mostPassTokens } = options;
  const compute = { threads, provider, mostPassTokens };
  const lora = toLoraShape(model, options);
  const plan = planSteps(examples.length, options);
  const longest = longestLine(options.maxLength);
  const knownRows = reader ? reader.sample : [...examplesOf(examples)];
  const state = createAdapterState(model, lora);
  const temperature = method?.type === 'grpo' ? method.temperature : undefined;
  const soft = options.softWeight > 0 ? { alternatives: MOST_ALTERNATIVES } : undefined;
  const losses = () => createLossRunner(model, lora, longest, { ...compute, soft, temperature });
  return {
    plan,
    ...goalOf(job, { plan, lora, losses, first, state }),
    examplesOf: createStepExamples(examples, plan, options.seed),
    options,
    state,
    initialize: of => of.values.set(first.values),
    optimizerFrom: job.from?.state ?? null,
    order: orderOf(job),
    createRunner: learned =>
      createStepRunner(model, lora, longest, learned, {
        dropout,
        compares: method?.type === 'dpo' ? toShape(method) : undefined,
        rewards: method?.type === 'grpo' ? { epsilon: method.epsilon, beta: method.beta } : undefined,
        ...{ soft, temperature },
        ...compute,
      }),
    save: to => writeAdapter(to, { config: toAdapterConfig(options, baseModel), tensors: toPairs(state) }),
    async load(from) {
      const { tensors } = await readAdapter(from);
      return () => loadPairs(state, tensors);
    },
    keepsTrained: true,
    keepsFinalState: true,
    trainTokens:
      reader || method?.type === 'grpo'
        ? null
        : knownRows.reduce((sum, example) => sum + countLabels(example), 0),
    reader,
    tooLong,
    readsAllRows,
    ...(method?.type !== 'grpo' && {
      recordedRows: { rows: examples.length, visits: plan.totalSteps * plan.rowsPerStep, upTo: job.dataRows },
    }),
    fingerprint: runFingerprint(job, weights),
    // PyTorch saves the one of the tokens that it got, whatever its weights are.
    ...(weights === 'int8' && { otherFingerprint: runFingerprint(job, 'f32') }),
    weights,
    folder,
    control: { signal, pause, attempt, onHeldUp },
  };
}

type Goal = Pick<TrainingLoop, 'objective' | 'evaluator'>;

interface GoalParts {
  /** Of step 0. */
  first: LoraState;
  state: LoraState;
  plan: StepPlan;
  lora: LoraShape;
  losses: () => Promise<LossRunner>;
}

function goalOf(job: OpenedJob, parts: GoalParts): Goal {
  const { options, evaluation, from, model, answering, prompts, score } = job;
  const { method } = options;
  if (!method) return learning(evaluation, parts.losses, options.softWeight);
  const { lora, first, losses, state } = parts;
  // What the model says before the run: with the adapter that it continues from, if any.
  const reference = { ...shareRunner(losses), adapter: from ? first : createAdapterState(model, lora) };
  if (method.type === 'dpo') return comparing(job, method, parts.plan, reference);
  return createRewards({
    ...{ method, options, answering, prompts, score, lora, state, reference },
    evaluation: hasAny(evaluation) ? evaluation : null,
  });
}

/** Supervised fine-tuning. */
function learning(evaluation: ExampleSet, losses: () => Promise<LossRunner>, softWeight: number): Goal {
  return {
    objective: softWeight > 0 ? createSoftObjective(softWeight) : supervised,
    evaluator: hasAny(evaluation) ? createEvaluator(evaluation, losses, softWeight) : null,
  };
}

/** Rows are pairs of answers. */
function comparing(
  { options: { seed }, examples, evaluation }: TrainJob,
  method: PreferenceMethod,
  plan: StepPlan,
  reference: ReferenceModel,
): Goal {
  return {
    objective: createPreferenceObjective(examples, { method, seed, model: reference, plan }),
    evaluator: hasAny(evaluation) ? createPreferenceEvaluator(evaluation, reference, method) : null,
  };
}

function hasAny(set: ExampleSet): boolean {
  return set.length > 0 && !examplesOf(set).next().done;
}
