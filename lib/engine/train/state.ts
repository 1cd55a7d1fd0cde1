// The values that a run trains, in one flat array so that the optimizer is a single loop. The graph's input tensors are
// views of it.
import { describeMissingModule } from '../../contract/index.js';
import { sizeOf } from '../graph/index.js';
import {
  type LoraShape,
  loraParameters,
  type ModelSource,
  type Module,
  type NamedShape,
  type Parameter,
  targetNames,
} from '../model/index.js';
import { createRandom, PURPOSE } from '../random.js';
import { TextError } from '../text/errors.js';
import { openWeightsFile, toTensorName, transpose, WeightsError } from '../weights/index.js';
import type { StartingPoint, TrainOptions } from './options.js';

export interface ParameterState<P extends NamedShape = NamedShape> {
  readonly parameters: readonly P[];
  readonly values: Float32Array;
  /** Each parameter's part of `values`, by name. */
  readonly views: Readonly<Record<string, Float32Array>>;
}

/** A state of zeros. */
export function createState<P extends NamedShape>(parameters: readonly P[]): ParameterState<P> {
  const values = new Float32Array(parameters.reduce((sum, { shape }) => sum + sizeOf(shape), 0));
  const views: Record<string, Float32Array> = {};
  let at = 0;
  for (const { name, shape } of parameters) {
    const end = at + sizeOf(shape);
    views[name] = values.subarray(at, end);
    at = end;
  }
  return { parameters, values, views };
}

/**
 * An adapter in training, converted from and to PEFT's matrices. B is transposed here, [rank, out], which saves the
 * graph a copy.
 */
export type LoraState = ParameterState<Parameter>;

/** One module of one layer in PEFT's layout: A [rank, in] and B [out, rank]. */
export interface LoraPair {
  layer: number;
  module: Module;
  a: Float32Array;
  b: Float32Array;
}

/** Throws a `TextError` if the model lacks one of the modules. */
export function toLoraShape(
  { config }: Pick<ModelSource, 'config'>,
  { loraR, loraAlpha, targetModules }: TrainOptions,
): LoraShape {
  const known: readonly string[] = targetNames(config);
  const unknown = targetModules.find(name => !known.includes(name));
  if (unknown !== undefined) throw new TextError(describeMissingModule(unknown, known));
  return { rank: loraR, scaling: loraAlpha / loraR, modules: targetModules };
}

/** As PEFT's config names them. */
export function toAdapterConfig(
  { loraR, loraAlpha, loraDropout, targetModules }: TrainOptions,
  baseModel: string | null,
) {
  return {
    ...{ rank: loraR, alpha: loraAlpha, dropout: loraDropout, baseModel },
    targetModules: [...targetModules],
  };
}

export function createAdapterState({ config }: Pick<ModelSource, 'config'>, lora: LoraShape): LoraState {
  return createState(loraParameters(config, lora));
}

/** The adapter of step 0: a new one, or that which the run goes on from. Throws a `WeightsError` if that has other shapes. */
export async function createFirstAdapter(
  model: Pick<ModelSource, 'config'>,
  options: TrainOptions,
  from: Pick<StartingPoint, 'tensors'> | null | undefined,
): Promise<LoraState> {
  const state = createAdapterState(model, toLoraShape(model, options));
  if (from) await readTensors(state, from.tensors);
  else initializeLora(state, options.seed);
  return state;
}

async function readTensors({ parameters, views }: LoraState, path: string): Promise<void> {
  const tensors = await openWeightsFile(path);
  if (tensors.names().length !== parameters.length)
    throw new WeightsError(path, 'adapts other modules or layers than this run');
  for (const { name, layer, module, side, shape } of parameters) {
    const [rank, width] = shape;
    const tensor = toTensorName({ layer, module }, side === 'a' ? 'A' : 'B');
    tensors.expectShape(tensor, side === 'a' ? [rank, width] : [width, rank]);
    const values = await tensors.readFloat32(tensor);
    views[name]!.set(side === 'a' ? values : transpose(values, width, rank));
  }
}

/** Throws if a parameter has no matching matrix. */
export function loadPairs(state: LoraState, pairs: readonly LoraPair[]): void {
  const byModule = new Map(pairs.map(pair => [`${pair.layer}.${pair.module}`, pair]));
  for (const { name, layer, module, side, shape } of state.parameters) {
    const pair = byModule.get(`${layer}.${module}`);
    if (!pair) throw new Error(`The adapter has no ${module} in layer ${layer}.`);
    const [rank, width] = shape;
    state.views[name]!.set(side === 'a' ? pair.a : transpose(pair.b, width, rank));
  }
}

/** Copies the matrices into PEFT's layout. */
export function toPairs({ parameters, views }: LoraState): LoraPair[] {
  return parameters
    .filter(({ side }) => side === 'a')
    .map(({ name, layer, module }) => {
      const other = parameters.find(p => p.layer === layer && p.module === module && p.side === 'b')!;
      const [rank, out] = other.shape;
      return { layer, module, a: views[name]!.slice(), b: transpose(views[other.name]!, rank, out) };
    });
}

/** Initializes an adapter as PEFT does: A uniform, B zero, so that it changes nothing at first. @internal */
export function initializeLora({ parameters, views }: LoraState, seed: number): void {
  parameters.forEach(({ name, side, shape: [, width] }, i) => {
    const view = views[name]!;
    if (side === 'b') {
      view.fill(0);
      return;
    }
    const random = createRandom(seed, PURPOSE.weights, i);
    const bound = 1 / Math.sqrt(width);
    for (let j = 0; j < view.length; j++) view[j] = (2 * random.next() - 1) * bound;
  });
}
