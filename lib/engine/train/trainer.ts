// Training a LoRA adapter. It knows examples and a model, not where they came from.
import type { LoraShape, ModelSource } from '../model/index.js';
import { readAdapter, writeAdapter } from '../weights/index.js';
import type { BackgroundReader } from './background-reader.js';
import { fingerprintOf } from './checkpoint.js';
import { createEvaluator } from './evaluate.js';
import { type ExampleSet, examplesOf } from './example-set.js';
import { initializeLora } from './initialize.js';
import { type LoraState, loadPairs, toPairs } from './lora-state.js';
import { type TrainOptions, toFingerprintOptions } from './options.js';
import { countLabels, type Example } from './packing.js';
import { choosePassShape } from './pass-shape.js';
import type { LongRows } from './row-sweep.js';
import { createAdapterState, createLossRunner, createStepRunner } from './step-runner.js';
import { createStepExamples, planSteps } from './steps.js';
import { type RunControl, runTrainingLoop, type TrainEvent, type TrainingLoop } from './training-loop.js';

export interface TrainJob extends RunControl {
  model: ModelSource;
  /** What the adapter says it is for. */
  baseModel: string | null;
  examples: ExampleSet;
  evaluation: ExampleSet;
  /** Of rows that are still being read; without it all of them can be asked for at once. */
  reader?: BackgroundReader | null;
  /** Rows that were found to be too long before the run began. */
  tooLong?: LongRows | null;
  /** Does not end before all rows were read. */
  readsAllRows?: boolean;
  options: TrainOptions;
  /** Where checkpoints and the final adapter are put. A run that finds checkpoints of its own there goes on from the last. */
  folder: string;
}

/** Trains. Aborting ends it between two passes, with the signal's reason; what was saved stays. */
export async function* train(job: TrainJob): AsyncGenerator<TrainEvent> {
  if (job.examples.length === 0) throw new Error('There are no rows to train on.');
  yield* runTrainingLoop(toTrainingLoop(job));
}

function toTrainingLoop(job: TrainJob): TrainingLoop<LoraState> {
  const { model, options, examples, evaluation, reader = null, tooLong = null, folder, baseModel } = job;
  const { signal, pause, attempt, onHeldUp, readsAllRows = false } = job;
  const { rank, alpha, dropout, modules } = options;
  const lora: LoraShape = { rank, scaling: alpha / rank, modules };
  const plan = planSteps(examples.length, options);
  const known = reader ? reader.sample : [...examplesOf(examples)];
  const state = createAdapterState(model, lora);
  return {
    plan,
    examplesOf: createStepExamples(examples, plan, options.seed),
    shape: choosePassShape(known, plan.rowsPerStep),
    longestRow: options.maxLength,
    options,
    state,
    initialize: of => initializeLora(of, options.seed),
    createRunner: shape => createStepRunner(model, lora, shape, options),
    evaluator:
      evaluation.length > 0 && !examplesOf(evaluation).next().done
        ? createEvaluator(evaluation, of => createLossRunner(model, lora, of, options))
        : null,
    save: to => writeAdapter(to, { config: { rank, alpha, dropout, baseModel }, tensors: toPairs(state) }),
    async load(from) {
      const { tensors } = await readAdapter(from);
      return () => loadPairs(state, tensors);
    },
    keepsTrained: true,
    trainTokens: reader ? null : known.reduce((sum, example) => sum + countLabels(example), 0),
    reader,
    tooLong,
    readsAllRows,
    fingerprint: fingerprint(job, known),
    folder,
    control: { signal, pause, attempt, onHeldUp },
  };
}

/** What determines the course of a run: the settings, the model's shape, and every token of the data, or its digest. */
function fingerprint({ options, evaluation, model, reader }: TrainJob, known: readonly Example[]): string {
  const settings = [toFingerprintOptions(options), model.config];
  return reader
    ? fingerprintOf([...settings, reader.digest], known)
    : fingerprintOf(settings, [...known, ...examplesOf(evaluation)]);
}
