// How large the passes on a GPU may be, and the keys and values of answers: by its memory, and by its largest buffer.
import { readGpuMemory } from '../../../system/index.js';
import { isSmall, sessionBytes } from '../../generate/cache-budget.js';
import { sizeOf } from '../../graph/index.js';
import { cacheShapeOf, DELTA_CHUNK, type ModelConfig, weightShapes } from '../../model/index.js';
import { DeviceError, type SessionOptions } from '../../runtime/index.js';
import type { Pass, PassFits } from '../packing.js';
import { bytesOfToken } from '../pass-size.js';
import { findLargestBuffer } from './largest-buffer.js';

export interface DeviceLimits {
  /** Of a tensor, in bytes. */
  largestTensor: number;
  /** In bytes. */
  memory: number;
}

/** The largest pass; larger ones gain little. */
const LARGEST_DEVICE_PASS = 8192;
const SMALLEST_DEVICE_PASS = 256;

/** What every WebGPU device can bind. */
const GUARANTEED_BUFFER = 128 * 2 ** 20;

/** The share of the memory for activations; weights, gradients and what the runtime keeps for reuse take the rest. */
const ACTIVATIONS = 0.5;

/** The share of what the weights leave for keys and values: a step has those before it and after it, and its activations. */
const KEYS_AND_VALUES = 0.25;

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/**
 * The most tokens to compute in a pass with lines of up to this length. A power of two, so that a little more or less
 * memory at the next start does not change how a run rounds.
 */
export function devicePassTokens(
  config: ModelConfig,
  longestLine: number,
  { largestTensor, memory }: DeviceLimits,
  bytesPerWeight = FLOAT,
): number {
  const room = (memory - bytesOfWeights(config, bytesPerWeight)) * ACTIVATIONS;
  const ofToken = largestOfLines(config, 1, longestLine) / longestLine;
  const tokens = Math.min(LARGEST_DEVICE_PASS, room / bytesOfToken(config), largestTensor / ofToken);
  return Math.max(SMALLEST_DEVICE_PASS, 2 ** Math.floor(Math.log2(Math.max(1, tokens))));
}

/** At most half as many tokens, a power of two as above; null if passes are not worth it anymore. */
export function smallerPass(tokens: number): number | null {
  const smaller = 2 ** Math.floor(Math.log2(tokens / 2));
  return smaller < SMALLEST_DEVICE_PASS ? null : smaller;
}

/** How many tokens of the vocabulary have their logits in one tensor, for up to this many labels. */
export function logitsAtOnce(vocabulary: number, labels: number, { largestTensor }: DeviceLimits): number {
  const most = Math.floor(largestTensor / (FLOAT * labels));
  const parts = Math.ceil(vocabulary / most);
  return Math.ceil(vocabulary / parts);
}

/** For a model and lines of this length. Throws if the device cannot hold its weights. */
export async function readDeviceLimits(
  config: ModelConfig,
  longestLine: number,
  compute: Pick<SessionOptions, 'provider'>,
): Promise<DeviceLimits> {
  const largestTensor = await findLargestTensor(largestTensorOf(config, longestLine), compute);
  assertWeightsFit(config, largestTensor);
  return { largestTensor, memory: await readGpuMemory() };
}

function assertWeightsFit(config: ModelConfig, largestTensor: number): void {
  const largest = largestWeightOf(config);
  if (largest > largestTensor)
    throw new DeviceError(
      `A weight of the base model has ${toGigabytes(largest)}, and the GPU's buffers hold ${toGigabytes(largestTensor)}.`,
    );
}

/**
 * How large the keys and values of answers may be together, in bytes: a tensor of them fits a buffer, and all of them the memory that
 * the weights leave. Throws if the device cannot hold the weights.
 */
export async function readAnswerLimits(
  config: ModelConfig,
  compute: Pick<SessionOptions, 'provider'>,
  bytesPerWeight = FLOAT,
): Promise<number> {
  const weights = sessionBytes({ config, bytesPerWeight });
  const sessions = isSmall(weights) ? 2 * weights : weights;
  const room = ((await readGpuMemory()) - sessions) * KEYS_AND_VALUES;
  if (room <= 0)
    throw new DeviceError(`The base model needs ${toGigabytes(sessions)}, more than the GPU has free.`);
  const tensors = Math.max(1, 2 * cacheShapeOf(config).attending.length);
  const largestTensor = await findLargestTensor(Math.max(largestWeightOf(config), room / tensors), compute);
  assertWeightsFit(config, largestTensor);
  return Math.min(room, tensors * largestTensor);
}

/** What was found right, and what was asked for, in this process: a second search would find less room. */
let known = { largest: GUARANTEED_BUFFER, needed: GUARANTEED_BUFFER };

async function findLargestTensor(needed: number, compute: Pick<SessionOptions, 'provider'>): Promise<number> {
  if (needed > known.needed) {
    const found = { largest: GUARANTEED_BUFFER, needed };
    await findLargestBuffer(compute, needed, async bytes => {
      found.largest = bytes;
    });
    known = found;
  }
  return known.largest;
}

/** What the largest tensors of a pass have, if it is as large as is of use. */
function largestTensorOf(config: ModelConfig, longestLine: number): number {
  const tokens = Math.max(LARGEST_DEVICE_PASS, longestLine);
  return Math.max(
    FLOAT * tokens * Math.max(config.vocabulary, config.intermediate),
    largestOfLines(config, tokens / longestLine, longestLine),
  );
}

type LineShape = Pick<ModelConfig, 'heads' | 'mixers'>;

/** The largest of the tensors that depend on how tokens form lines: in bytes. */
function largestOfLines({ heads, mixers }: LineShape, count: number, length: number): number {
  const scores = heads * length * length;
  const chunks = Math.ceil(length / DELTA_CHUNK);
  const states = mixers.map(mixer =>
    // As many as values, or what a chunk does to them.
    mixer.kind === 'delta' ? chunks * mixer.heads * mixer.keyDim * Math.max(mixer.keyDim, mixer.valueDim) : 0,
  );
  return FLOAT * count * Math.max(scores, ...states);
}

/** Attention's scores grow with the square of a line, and a line has at least one chunk of states, however short it is. */
export const passFits =
  (config: LineShape, { largestTensor }: Pick<DeviceLimits, 'largestTensor'>): PassFits =>
  (lines, length) =>
    largestOfLines(config, lines, length) <= largestTensor;

/** Throws if a pass has a tensor that exceeds a buffer. */
export function assertPassFits(
  { lines: { count, length } }: Pick<Pass, 'lines'>,
  config: LineShape,
  { largestTensor }: Pick<DeviceLimits, 'largestTensor'>,
): void {
  const bytes = largestOfLines(config, count, length);
  if (bytes <= largestTensor) return;
  throw new DeviceError(
    `A row of ${length} tokens needs ${toGigabytes(bytes)} at once, and the GPU's buffers hold ${toGigabytes(largestTensor)}.`,
  );
}

const bytesOf = (shape: readonly number[]) => FLOAT * sizeOf(shape);

const largestWeightOf = (config: ModelConfig) => Math.max(...[...weightShapes(config).values()].map(bytesOf));

export function bytesOfWeights(config: ModelConfig, bytesPerWeight = FLOAT): number {
  return [...weightShapes(config).values()].reduce((sum, shape) => sum + bytesPerWeight * sizeOf(shape), 0);
}

const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
