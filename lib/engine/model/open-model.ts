// Opens a model's folder, with its config and the location of each weight, and an adapter for the model. Checks every
// weight up front, so that a bad file fails before anything is computed.
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DType } from '../graph/index.js';
import { ADAPTER_CONFIG, ADAPTER_TENSORS } from '../run-layout.js';
import {
  type AdaptedModel,
  type LoraPair,
  type OpenedAdapter,
  openAdapter,
  openWeights,
  type TargetName,
  toTensorName,
  WeightsError,
} from '../weights/index.js';
import { type ModelConfig, parseModelConfig } from './config.js';
import { ModelError, type Settings } from './settings.js';
import { moduleShape, modulesOf, targetNames, weightShapes } from './weight-names.js';
import { storedWeights, type WeightLocation, type WeightSource } from './weight-source.js';

export interface ModelSource {
  /** Null if it is in no folder. */
  folder: string | null;
  config: ModelConfig;
  place: (name: string) => WeightLocation;
  weights: WeightSource;
  /** What each number of a matrix takes in a session. */
  bytesPerWeight: number;
}

const DTYPES: Readonly<Record<string, DType>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' };

/** Opens a model in Hugging Face layout. Throws a `ModelError` or a `WeightsError` that names file and tensor. */
export async function openModel(folder: string): Promise<ModelSource> {
  const config = await readModelConfig(folder);
  const weights = await openWeights(folder);
  const places = new Map<string, WeightLocation>();
  const links = new Map<string, Promise<string>>();
  // The Hub's cache links to files in another folder, and the runtime does not follow links out of its folder.
  const resolveLink = (path: string) => links.get(path) ?? links.set(path, realpath(path)).get(path)!;
  for (const [name, shape] of weightShapes(config)) {
    const { dtype, file: path, byteOffset: offset, byteLength: length } = weights.expectShape(name, shape);
    const known = DTYPES[dtype];
    if (!known)
      throw new ModelError(`${path}: ${name} is ${dtype}; only F32, F16 and BF16 weights are supported.`);
    places.set(name, { dtype: known, shape, file: await resolveLink(path), offset, length });
  }
  const place = (name: string) => places.get(name)!;
  return { folder, config, place, weights: storedWeights(place), bytesPerWeight: 4 };
}

export async function readModelConfig(folder: string): Promise<ModelConfig> {
  const file = join(folder, 'config.json');
  return parseModelConfig(await readJson(file), file);
}

/** What a `config.json` says, whether or not it is supported. */
export async function readModelSettings(folder: string): Promise<Settings> {
  const content = await readJson(join(folder, 'config.json'));
  return typeof content === 'object' && content !== null ? (content as Settings) : {};
}

/** What LoRA can adapt of a model with this content of a `config.json`. Errors name `file`. */
export function listTargetModules(content: unknown, file: string): TargetName[] {
  return targetNames(parseModelConfig(content, file));
}

async function readJson(file: string): Promise<unknown> {
  let text: string;
  try {
    // Opening a pipe or a device may never return.
    if (!(await stat(file)).isFile()) throw new ModelError(`${file} is not a file.`);
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ModelError(`${file} is not valid JSON.`);
  }
}

/**
 * Opens an adapter whose matrices have the shapes of the model's projections, and values to compute with. Throws a
 * `WeightsError` that names the file, and the tensor if it is at fault; for its values, when they are read.
 */
export async function openModelAdapter(folder: string, config: ModelConfig): Promise<OpenedAdapter> {
  const adapter = await openAdapter(folder, toAdaptedModel(config));
  const { alpha, rank } = adapter.config;
  if (Math.abs(adapter.scaling) > LARGEST)
    throw new WeightsError(
      join(folder, ADAPTER_CONFIG),
      `lora_alpha is ${alpha}, too large for rank ${rank}`,
    );
  return {
    ...adapter,
    async readPair(site) {
      const pair = await adapter.readPair(site);
      checkValues(pair, join(folder, ADAPTER_TENSORS));
      return pair;
    },
  };
}

/** @internal */
export function toAdaptedModel(config: ModelConfig): AdaptedModel {
  return {
    layers: config.layers,
    modulesOf: layer => modulesOf(config, layer),
    shapeOf: module => moduleShape(config, module),
  };
}

/** Larger values overflow in products, which a batch shares, so one line's infinity would be another line's NaN. */
const LARGEST = 1e30;

function checkValues(pair: LoraPair, file: string): void {
  for (const half of ['A', 'B'] as const) {
    const values = half === 'A' ? pair.a : pair.b;
    if (values.every(value => Math.abs(value) <= LARGEST)) continue;
    throw new WeightsError(file, 'has values that are not finite or too large', {
      tensor: toTensorName(pair, half),
    });
  }
}
