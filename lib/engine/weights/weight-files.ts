// The tensors of one or several safetensors files. Values are read on demand.
import type { FileHandle } from 'node:fs/promises';
import { widen } from './convert.js';
import { readInto, readPieces, withFile } from './read-file.js';
import { isFloatDtype, type TensorInfo } from './safetensors-header.js';
import { quote, WeightsError } from './weights-error.js';

export interface WeightTensor extends TensorInfo {
  /** An absolute path. */
  file: string;
}

/** What is needed to read a tensor, or some of its rows. */
type TensorRange = Omit<WeightTensor, 'shape'>;

/** The weights of a model. Each read opens and closes its file, so there is nothing to close. */
export interface WeightFiles {
  names(): string[];
  /** The type, shape and location of a tensor. This and the methods below throw a `WeightsError` if it is missing. */
  describe(name: string): WeightTensor;
  /** The same, but throws a `WeightsError` if the tensor has another shape. */
  expectShape(name: string, shape: readonly number[]): WeightTensor;
  /** The values. f16 and bf16 are converted exactly; other types are rejected. */
  readFloat32(name: string): Promise<Float32Array<ArrayBuffer>>;
}

/** `place` is the folder or file that errors about missing tensors name. */
export function createWeightFiles(place: string, tensors: Map<string, WeightTensor>): WeightFiles {
  const describe = (name: string) => {
    const tensor = tensors.get(name);
    if (!tensor) throw new WeightsError(place, 'is missing', { tensor: name });
    return tensor;
  };
  return {
    names: () => [...tensors.keys()],
    describe,
    expectShape: (name, shape) => checkShape(describe(name), shape),
    readFloat32: async name => readNumbers(describe(name)),
  };
}

function checkShape(tensor: WeightTensor, expected: readonly number[]): WeightTensor {
  const { file, name, shape } = tensor;
  if (shape.length === expected.length && shape.every((size, axis) => size === expected[axis])) return tensor;
  throw new WeightsError(file, `has the shape ${quote(shape)}, expected ${quote(expected)}`, {
    tensor: name,
  });
}

export async function readNumbers(tensor: TensorRange): Promise<Float32Array<ArrayBuffer>> {
  const { file, name, dtype } = tensor;
  if (!isFloatDtype(dtype))
    throw new WeightsError(file, `has the type ${dtype}; only F32, F16 and BF16 can be read as numbers`, {
      tensor: name,
    });
  return withFile(file, async handle => {
    if (dtype !== 'F32') return widenPieces(handle, tensor, dtype);
    const numbers = new Float32Array(tensor.byteLength / 4);
    await readInto(handle, file, tensor.byteOffset, numbers.buffer);
    return numbers;
  });
}

async function widenPieces(handle: FileHandle, tensor: TensorRange, dtype: 'F16' | 'BF16') {
  const numbers = new Float32Array(tensor.byteLength / 2);
  let done = 0;
  for await (const piece of readPieces(handle, tensor.file, tensor.byteOffset, tensor.byteLength)) {
    const halves = new Uint16Array(piece.buffer);
    widen(dtype, halves, numbers.subarray(done));
    done += halves.length;
  }
  return numbers;
}
