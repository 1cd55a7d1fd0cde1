// A file of a model's weights with an adapter added to them. Everything but the numbers of adapted projections stays as it
// is, byte for byte: names, types, shapes and places. Reads and writes a few megabytes at a time.
import { createReadStream } from 'node:fs';
import {
  type FloatDtype,
  type LoraPair,
  type LoraSite,
  narrow,
  type OpenedAdapter,
  openWeightsFile,
  readNumbers,
  toModulePath,
  WeightsError,
  type WeightTensor,
} from '../weights/index.js';
import { addLora } from './add-lora.js';

const PIECE_BYTES = 4 * 1024 ** 2;

/** The merged file in pieces. Changes a tensor only if the adapter adapts it. */
export async function* mergeWeights(
  path: string,
  adapter: OpenedAdapter,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const sites = new Map(adapter.sites.map(site => [`${toModulePath(site)}.weight`, site]));
  const weights = await openWeightsFile(path);
  // In the order of their data, which follows the header without gaps.
  const tensors = weights.names().map(weights.describe);
  yield* copyBytes(path, 0, tensors[0]?.byteOffset ?? Number.POSITIVE_INFINITY);
  for (const tensor of tensors) {
    const site = sites.get(tensor.name);
    const pieces = site
      ? mergeTensor(tensor, adapter, site)
      : copyBytes(path, tensor.byteOffset, tensor.byteOffset + tensor.byteLength);
    for await (const piece of pieces) {
      signal?.throwIfAborted();
      yield piece;
    }
  }
}

async function* copyBytes(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  if (end > start) yield* createReadStream(path, { start, end: end - 1, highWaterMark: PIECE_BYTES });
}

async function* mergeTensor(
  tensor: WeightTensor,
  { config: { rank }, scaling, readPair }: OpenedAdapter,
  site: LoraSite,
): AsyncGenerator<Uint8Array> {
  const pair: LoraPair = await readPair(site);
  const [outputs, inputs] = tensor.shape as [number, number];
  const rowBytes = tensor.byteLength / outputs;
  const rowsAtOnce = Math.max(1, Math.floor(PIECE_BYTES / (inputs * 4)));
  for (let first = 0; first < outputs; first += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, outputs - first);
    const byteOffset = tensor.byteOffset + first * rowBytes;
    // [count, inputs]
    const rows = await readNumbers({ ...tensor, byteOffset, byteLength: count * rowBytes });
    addLora(rows, first, pair, { rank, scaling });
    yield encode(rows, tensor);
  }
}

const LARGEST: Record<FloatDtype, number> = { F32: 3.4028235e38, BF16: 3.38e38, F16: 65504 };

function encode(rows: Float32Array, { file, name, dtype }: WeightTensor): Uint8Array {
  const type = dtype as FloatDtype;
  if (!rows.every(value => Math.abs(value) <= LARGEST[type]))
    throw new WeightsError(file, `is too large for ${type} with the adapter added`, { tensor: name });
  const { buffer, byteOffset, byteLength } = type === 'F32' ? rows : narrow(type, rows);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
