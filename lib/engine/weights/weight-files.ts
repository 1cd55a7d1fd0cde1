// The tensors of one or several safetensors files under one roof: what they are, and their values when asked for.
import type { FileHandle } from 'node:fs/promises';
import { widen } from './convert.js';
import { isFloatDtype } from './dtype.js';
import { readInto, readPieces, withFile } from './read-file.js';
import type { TensorInfo } from './tensor-info.js';
import { quote, WeightsError } from './weights-error.js';

/** A tensor and the file that it is in. */
export interface WeightTensor extends TensorInfo {
  /** An absolute path. */
  file: string;
}

/** What it takes to read one, or some of its rows. */
export type NumbersInFile = Omit<WeightTensor, 'shape'>;

/** The weights of a model. Files are opened for each read and closed after it: there is nothing to close. */
export interface WeightFiles {
  names(): string[];
  has(name: string): boolean;
  /** Where the tensor is and what it is; a `WeightsError` when it is missing, as from all that follow. */
  describe(name: string): WeightTensor;
  /** The same, when its shape is this one; a `WeightsError` otherwise. */
  expectShape(name: string, shape: readonly number[]): WeightTensor;
  /** Its values; f16 and bf16 are converted exactly, other types are refused. */
  readFloat32(name: string): Promise<Float32Array<ArrayBuffer>>;
  /** Its bytes, as they are in the file, whatever its type. */
  readBytes(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** `place` is what an error names when a tensor is missing: the folder or the file. */
export function createWeightFiles(place: string, tensors: Map<string, WeightTensor>): WeightFiles {
  const describe = (name: string) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new WeightsError(place, 'is missing', { tensor: name });
    return tensor;
  };
  return {
    names: () => [...tensors.keys()],
    has: name => tensors.has(name),
    describe,
    expectShape: (name, shape) => checkShape(describe(name), shape),
    readFloat32: async name => readNumbers(describe(name)),
    readBytes: async name => readMemory(describe(name), memory => new Uint8Array(memory)),
  };
}

function checkShape(tensor: WeightTensor, expected: readonly number[]): WeightTensor {
  const { file, name, shape } = tensor;
  if (shape.length === expected.length && shape.every((size, axis) => size === expected[axis])) return tensor;
  throw new WeightsError(file, `has the shape ${quote(shape)}, expected ${quote(expected)}`, {
    tensor: name,
  });
}

/** A tensor's values, whatever kind of float they are in the file. */
export async function readNumbers(tensor: NumbersInFile): Promise<Float32Array<ArrayBuffer>> {
  const { file, name, dtype } = tensor;
  if (!isFloatDtype(dtype))
    throw new WeightsError(file, `holds ${dtype}: only F32, F16 and BF16 are read as numbers`, {
      tensor: name,
    });
  return dtype === 'F32' ? readMemory(tensor, memory => new Float32Array(memory)) : readHalves(tensor, dtype);
}

/** The memory is viewed before it is filled: a view may be refused where the memory itself was not. */
function readMemory<T>(tensor: NumbersInFile, toView: (memory: ArrayBuffer) => T): Promise<T> {
  const { file, byteOffset, byteLength } = tensor;
  return withFile(file, async handle => {
    const memory = new ArrayBuffer(byteLength);
    const view = toView(memory);
    await readInto(handle, file, byteOffset, memory);
    return view;
  });
}

function readHalves(tensor: NumbersInFile, dtype: 'F16' | 'BF16'): Promise<Float32Array<ArrayBuffer>> {
  return withFile(tensor.file, handle => widenPieces(handle, tensor, dtype));
}

async function widenPieces(handle: FileHandle, tensor: NumbersInFile, dtype: 'F16' | 'BF16') {
  const numbers = new Float32Array(tensor.byteLength / 2);
  let done = 0;
  for await (const piece of readPieces(handle, tensor.file, tensor.byteOffset, tensor.byteLength)) {
    const halves = new Uint16Array(piece.buffer);
    widen(dtype, halves, numbers.subarray(done));
    done += halves.length;
  }
  return numbers;
}
