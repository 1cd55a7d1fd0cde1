// Runs passes through the graph of a training step: loss out, gradients added up.
import {
  buildTrainingGraph,
  type DropoutGroup,
  dropoutInputs,
  gradientOf,
  type LoraShape,
  loraParameters,
  type ModelSource,
} from '../model/index.js';
import { createSession, type Session, type Values } from '../runtime/index.js';
import { writeKeepMask } from './dropout.js';
import { createLoraState, type LoraState } from './lora-state.js';
import type { Pass, PassShape } from './packing.js';
import { createRandom } from './random.js';

export interface RunnerOptions {
  dropout: number;
  threads: number | undefined;
}

export interface StepRunner {
  /** The loss of a pass; its gradients are added to `gradient`. `purpose` names the pass, for what is random in it. */
  run(pass: Pass, state: LoraState, gradient: LoraState, purpose: readonly number[]): Promise<number>;
  close(): Promise<void>;
}

export interface LossRunner {
  run(pass: Pass, state: LoraState): Promise<number>;
  close(): Promise<void>;
}

export async function createStepRunner(
  { config, place }: ModelSource,
  lora: LoraShape,
  shape: PassShape,
  { dropout, threads }: RunnerOptions,
): Promise<StepRunner> {
  const { graph, parameters } = buildTrainingGraph(config, place, lora, shape, { dropout });
  const session = await createSession(graph, { spinning: true, ...(threads !== undefined && { threads }) });
  const masks = dropout > 0 ? dropoutInputs(config, lora, shape) : [];
  return {
    async run(pass, state, gradient, purpose) {
      const results = await session.run({ ...feedsOf(pass, state), ...keepMasks(masks, dropout, purpose) });
      for (const { name } of parameters) addTo(gradient.views[name]!, results[gradientOf(name)]!);
      return results.loss![0]!;
    },
    close: () => session.close(),
  };
}

/** Only the loss, for evaluation: a graph without its way back, made without copies of the weights. */
export async function createLossRunner(
  { config, place }: ModelSource,
  lora: LoraShape,
  shape: PassShape,
  threads: number | undefined,
): Promise<LossRunner> {
  const { graph } = buildTrainingGraph(config, place, lora, shape, { withGradients: false });
  const session: Session = await createSession(graph, {
    spinning: true,
    prepacking: false,
    ...(threads !== undefined && { threads }),
  });
  return {
    run: async (pass, state) => (await session.run(feedsOf(pass, state))).loss![0]!,
    close: () => session.close(),
  };
}

/** The adapter of a run, all zeros. */
export function createAdapterState({ config }: ModelSource, lora: LoraShape): LoraState {
  return createLoraState(loraParameters(config, lora));
}

function feedsOf(
  { ids, positions, rows, at, labels, weights }: Pass,
  { views }: LoraState,
): Record<string, Values> {
  return { ids, positions, rows, at, labels, weights, ...views };
}

function keepMasks(
  masks: readonly DropoutGroup[],
  dropout: number,
  purpose: readonly number[],
): Record<string, Uint8Array> {
  return Object.fromEntries(
    masks.map(({ name, size }, i) => [
      name,
      writeKeepMask(new Uint8Array(size), dropout, createRandom(...purpose, i)),
    ]),
  );
}

function addTo(sum: Float32Array, values: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = sum[i]! + values[i]!;
}
