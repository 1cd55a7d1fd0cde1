// A model with an adapter merged into it as one GGUF file, as llama.cpp and Ollama run it.
import {
  arrangementOf,
  changeOf,
  f32Tensor,
  ggufHeader,
  LONG_ROPE_FACTORS,
  type Metadata,
  paddingAfter,
  ROPE_FACTORS,
  SHORT_ROPE_FACTORS,
  type TensorToWrite,
} from '../gguf/index.js';
import { frequenciesOf, type ModelConfig } from '../model/index.js';
import {
  type LoraSite,
  type OpenedAdapter,
  type openWeights,
  toModulePath,
  type WeightTensor,
} from '../weights/index.js';
import { mainRope, uint32 } from './gguf-metadata.js';
import { fileType, type PlannedTensor, planTensors, type Quantization } from './gguf-tensors.js';
import { mergedRows, PIECE_BYTES, requireRange, toStored } from './merged-rows.js';

export interface GgufModel {
  config: ModelConfig;
  weights: Awaited<ReturnType<typeof openWeights>>;
  adapter?: OpenedAdapter | undefined;
  /** About the model and its text. */
  metadata: Metadata;
  quantization?: Quantization | undefined;
  signal?: AbortSignal | undefined;
  /** Bytes of the file. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** The file in pieces of a few megabytes. */
export async function* encodeGgufModel(model: GgufModel): AsyncGenerator<Uint8Array> {
  const { config, metadata, quantization, signal, weights, onProgress } = model;
  const planned = planTensors(config, weights.describe, quantization);
  const factors = ropeFactors(config);
  const extra = factors.map(([name, values]) => f32Tensor(name, [values.length]));
  const header = ggufHeader(
    {
      ...metadata,
      'general.file_type': uint32(fileType(planned, quantization)),
      ...(quantization && { 'general.quantization_version': uint32(QUANTIZATION_VERSION) }),
    },
    [...extra, ...planned],
  );
  const total = countBytes(header, [...extra, ...planned]);
  let done = 0;
  for await (const piece of encodeAll()) {
    signal?.throwIfAborted();
    yield piece;
    done += piece.length;
    onProgress?.(done, total);
  }

  async function* encodeAll() {
    yield header;
    for (const [i, [, values]] of factors.entries())
      yield* padded(extra[i]!, [new Uint8Array(values.buffer)]);
    for (const tensor of planned) yield* padded(tensor, encodeTensor(model, tensor));
  }
}

/** Of ggml's formats. */
const QUANTIZATION_VERSION = 2;

function countBytes(header: Uint8Array, tensors: readonly TensorToWrite[]): number {
  return tensors.reduce((sum, { bytes }) => sum + bytes + paddingAfter(bytes), header.length);
}

async function* padded(
  { bytes }: TensorToWrite,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* pieces;
  yield new Uint8Array(paddingAfter(bytes));
}

/** What each frequency is divided by, where these are lists in the file, by name. */
function ropeFactors(config: ModelConfig): [name: string, factors: Float32Array<ArrayBuffer>][] {
  const rope = mainRope(config);
  if (rope.scaling?.kind === 'longrope')
    return [
      [LONG_ROPE_FACTORS, Float32Array.from(rope.scaling.long)],
      [SHORT_ROPE_FACTORS, Float32Array.from(rope.scaling.short)],
    ];
  if (rope.scaling?.kind !== 'llama3') return [];
  const scaled = frequenciesOf(rope, config.headDim);
  const plain = frequenciesOf({ ...rope, scaling: null }, config.headDim);
  return [[ROPE_FACTORS, Float32Array.from(plain, (frequency, i) => frequency / scaled[i]!)]];
}

async function* encodeTensor(
  { adapter, config, weights }: GgufModel,
  planned: PlannedTensor,
): AsyncGenerator<Uint8Array> {
  const tensor = weights.describe(planned.stored);
  const readRows = await mergedRows(tensor, adapter, findSite(adapter, planned.stored));
  const [rows = 1, columns = 1] = planned.shape;
  const arrangement = arrangementOf(planned.stored, config);
  const change = changeOf(planned.stored, config);
  const together = arrangement?.together ?? 1;
  const most = together * Math.max(1, Math.floor(PIECE_BYTES / (4 * columns * together)));
  for (let first = 0; first < rows; first += most) {
    const values = await readRows(planned.firstRow + first, Math.min(most, rows - first));
    if (change) for (const [i, value] of values.entries()) values[i] = change.toFile(value);
    yield encodeRows(arrangement?.toFile(values, columns) ?? values, tensor, planned);
  }
}

function findSite(adapter: OpenedAdapter | undefined, stored: string): LoraSite | undefined {
  return adapter?.sites.find(site => `${toModulePath(site)}.weight` === stored);
}

function encodeRows(values: Float32Array, tensor: WeightTensor, { format }: PlannedTensor): Uint8Array {
  if (format.stored) return toStored(values, { ...tensor, dtype: format.stored });
  requireRange(values, { ...tensor, type: format.name });
  const blocks = new Uint8Array((values.length / format.values) * format.bytes);
  format.encode!(values, blocks);
  return blocks;
}
