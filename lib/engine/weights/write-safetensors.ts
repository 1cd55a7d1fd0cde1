// Writes safetensors files, byte for byte as the format's own library does.
import { replaceFile } from '../../system/index.js';
import { narrow } from './convert.js';
import {
  countBits,
  encodeSafetensorsHeader,
  type FloatDtype,
  isFloatDtype,
  isShape,
  metadataName,
  rankOf,
} from './safetensors-header.js';
import { quote, WeightsError } from './weights-error.js';

/** A tensor as numbers, which are rounded to its type, or as bytes that already have that type. */
export interface TensorToWrite {
  name: string;
  dtype: FloatDtype;
  shape: readonly number[];
  data: Float32Array | Uint8Array;
}

const numbersAtOnce = 1 << 22;

/**
 * Writes a safetensors file atomically. The same tensors give the same bytes in any order. For a map, pass its
 * `values()`.
 */
export async function writeSafetensors(
  path: string,
  tensors: Iterable<TensorToWrite>,
  metadata?: Record<string, string>,
): Promise<void> {
  await replaceFile(path, encodeSafetensors(path, tensors, metadata));
}

/** The bytes of the file, in chunks. `file` is only used in errors. */
export function encodeSafetensors(
  file: string,
  tensors: Iterable<TensorToWrite>,
  metadata: Record<string, string> = {},
): Iterable<Uint8Array> {
  const inOrder = [...tensors].sort(compareTensors);
  inOrder.forEach((tensor, index) => {
    checkTensor(tensor, file);
    if (inOrder[index - 1]?.name === tensor.name || tensor.name === metadataName)
      throw new WeightsError(file, 'cannot be written: its name is already used', { tensor: tensor.name });
  });
  const header = encodeSafetensorsHeader(inOrder, metadata);
  return (function* () {
    yield header;
    for (const tensor of inOrder) yield* encodeData(tensor);
  })();
}

/** By type, largest first, then by the bytes of the name. */
function compareTensors(a: TensorToWrite, b: TensorToWrite): number {
  return rankOf(b.dtype) - rankOf(a.dtype) || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

function checkTensor({ name, dtype, shape, data }: TensorToWrite, file: string): void {
  const fail = (problem: string) => new WeightsError(file, `cannot be written: ${problem}`, { tensor: name });
  if (!isFloatDtype(dtype)) throw fail(`its type is ${quote(dtype)}`);
  const bits = isShape(shape) ? countBits(dtype, shape) : undefined;
  if (bits === undefined) throw fail(`its shape is ${quote(shape)}`);
  const expected = data instanceof Float32Array ? bits / bitsEach(dtype) : bits / 8;
  if (data.length === expected) return;
  const unit = data instanceof Float32Array ? 'numbers' : 'bytes';
  throw fail(`${dtype} ${quote(shape)} needs ${expected} ${unit}, not ${data.length}`);
}

function* encodeData({ dtype, data }: TensorToWrite): Iterable<Uint8Array> {
  if (data instanceof Uint8Array) yield data;
  else if (dtype === 'F32') yield toBytes(data);
  else
    for (let at = 0; at < data.length; at += numbersAtOnce)
      yield toBytes(narrow(dtype, data.subarray(at, at + numbersAtOnce)));
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array | Uint16Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function bitsEach(dtype: FloatDtype): number {
  return countBits(dtype, [])!;
}
