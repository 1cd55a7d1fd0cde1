// Trains all weights of a model, from scratch or from existing weights. The rows of a step are requested when the step
// starts, so there can be any number of them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelConfig, weightParameters } from '../model/index.js';
import { createRandom, PURPOSE } from '../random.js';
import { type FloatDtype, openWeightsFile, writeSafetensors } from '../weights/index.js';
import { fingerprintOf } from './checkpoint.js';
import { createEvaluator } from './evaluate.js';
import { supervised } from './objective.js';
import { type RequestedOptions, toFingerprintOptions } from './options.js';
import { type Example, longestLine } from './packing.js';
import { runTrainingLoop } from './run-training-loop.js';
import { createState, type ParameterState } from './state.js';
import { createPretrainingLossRunner, createPretrainingRunner } from './step-runner.js';
import type { RunControl, TrainEvent, TrainingLoop } from './training-loop.js';

const MODEL_FILE = 'model.safetensors';

export interface PretrainJob extends RunControl {
  config: ModelConfig;
  totalSteps: number;
  examplesOf(step: number): Example[];
  /** Identifies the source of the rows; changes when they do. */
  dataset: string;
  /** In tokens; no row is longer. */
  longestRow: number;
  evaluation: readonly Example[];
  /** A folder with a `model.safetensors` to start from instead of random values. */
  startFrom?: string | null;
  /** Those of adapters have no effect. */
  options: RequestedOptions;
  folder: string;
}

/** Checkpoints and the folder `final` hold a float32 `model.safetensors`. */
export async function* pretrain(job: PretrainJob): AsyncGenerator<TrainEvent> {
  const loop = toTrainingLoop(job);
  if (!job.startFrom) return yield* runTrainingLoop(loop);
  const start = await loadWeights(job.startFrom, loop.state);
  yield* runTrainingLoop({ ...loop, initialize: start });
}

/** Converts the weights in a checkpoint or in `final` to another type. */
export async function exportModel(
  config: ModelConfig,
  from: string,
  to: string,
  dtype: FloatDtype,
): Promise<void> {
  const weights = await openWeightsFile(join(from, MODEL_FILE));
  const tensors = await Promise.all(
    weightParameters(config).map(async ({ name, shape }) => ({
      name,
      dtype,
      shape,
      data: await weights.readFloat32(name),
    })),
  );
  await writeSafetensors(join(to, MODEL_FILE), tensors, { format: 'pt' });
}

function toTrainingLoop(job: PretrainJob): TrainingLoop {
  const { config, totalSteps, longestRow, options, evaluation, folder, signal, pause, attempt } = job;
  const longest = longestLine(longestRow);
  const state = createState(weightParameters(config));
  return {
    plan: { totalSteps, stepsPerEpoch: totalSteps },
    examplesOf: step => job.examplesOf(step),
    objective: supervised,
    options,
    state,
    initialize: of => initializeWeights(of, config, options.seed),
    createRunner: learned => createPretrainingRunner(config, longest, learned, options),
    evaluator:
      evaluation.length > 0
        ? createEvaluator(evaluation, () => createPretrainingLossRunner(config, longest, options))
        : null,
    save: to => saveWeights(to, state),
    load: from => loadWeights(from, state),
    keepsTrained: false,
    keepsFinalState: false,
    trainTokens: 0,
    reader: null,
    tooLong: null,
    readsAllRows: false,
    fingerprint: fingerprint(job),
    folder,
    control: { signal, pause, attempt },
  };
}

function fingerprint({ config, totalSteps, dataset, options, evaluation }: PretrainJob): string {
  return fingerprintOf([config, totalSteps, dataset, toFingerprintOptions(options)], evaluation);
}

async function saveWeights(folder: string, { parameters, views }: ParameterState): Promise<void> {
  const tensors = parameters.map(
    ({ name, shape }) => ({ name, shape, dtype: 'F32', data: views[name]! }) as const,
  );
  await mkdir(folder, { recursive: true });
  await writeSafetensors(join(folder, MODEL_FILE), tensors);
}

async function loadWeights(folder: string, { parameters, views }: ParameterState): Promise<() => void> {
  const weights = await openWeightsFile(join(folder, MODEL_FILE));
  for (const { name, shape } of parameters) weights.expectShape(name, shape);
  const values = await Promise.all(parameters.map(({ name }) => weights.readFloat32(name)));
  return () => parameters.forEach(({ name }, i) => void views[name]!.set(values[i]!));
}

/**
 * Matrices are normal, and those that write to the residual stream are scaled down with the model's depth; norms multiply by
 * one, biases are zero.
 * @internal
 */
export function initializeWeights(
  { parameters, views }: ParameterState,
  { layers, normsAddOne }: ModelConfig,
  seed: number,
): void {
  for (const [i, { name, shape }] of parameters.entries()) {
    if (shape.length === 1) {
      fillVector(views[name]!, name, normsAddOne, createRandom(seed, PURPOSE.weights, i).next);
      continue;
    }
    const writes = name.endsWith('o_proj.weight') || name.endsWith('down_proj.weight');
    fillNormal(
      views[name]!,
      writes ? 0.02 / Math.sqrt(2 * layers) : 0.02,
      createRandom(seed, PURPOSE.weights, i).next,
    );
  }
}

function fillVector(values: Float32Array, name: string, normsAddOne: boolean, next: () => number): void {
  if (name.endsWith('.A_log')) {
    for (let i = 0; i < values.length; i++) values[i] = Math.log(FASTEST_DECAY * (1 - next()));
    return;
  }
  const isNorm = !name.endsWith('bias');
  const ofDelta = name.includes('.linear_attn.');
  values.fill(ofDelta || (isNorm && !normsAddOne) ? 1 : 0);
}

/** Of the states of a delta rule. */
const FASTEST_DECAY = 16;

function fillNormal(values: Float32Array, deviation: number, next: () => number): void {
  for (let i = 0; i < values.length; i++) {
    values[i] = deviation * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  }
}
