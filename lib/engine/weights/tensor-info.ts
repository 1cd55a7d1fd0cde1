// One tensor as a safetensors header describes it, checked against the part of the file that holds the data.
import { countBits, isDtype, isShape, type SafetensorsDtype } from './dtype.js';
import { isObject } from './json.js';
import { quote, WeightsError } from './weights-error.js';

/** Where a tensor is in its file, and what it is. */
export interface TensorInfo {
  name: string;
  dtype: SafetensorsDtype;
  shape: number[];
  /** Counted from the start of the file, as ONNX external data wants it. */
  byteOffset: number;
  byteLength: number;
}

/** The part of a file that holds data: from `start` up to, not including, `end`. */
export interface DataRange {
  start: number;
  end: number;
}

export function parseTensorInfo(name: string, described: unknown, data: DataRange, file: string): TensorInfo {
  const fail = (problem: string) => new WeightsError(file, problem, { tensor: name });
  if (!isObject(described)) throw fail('is not described by an object');
  const { dtype, shape, data_offsets: offsets } = described;
  if (!isDtype(dtype)) throw fail(`has the unknown dtype ${quote(dtype)}`);
  if (!isShape(shape)) throw fail(`has the shape ${quote(shape)}: sizes must be whole, none negative`);
  const bits = countBits(dtype, shape);
  if (bits === undefined) throw fail(`has a shape too large to count: ${quote(shape)}`);
  if (bits % 8 !== 0) throw fail(`does not fill whole bytes: ${dtype} ${quote(shape)}`);
  if (!isShape(offsets) || offsets.length !== 2)
    throw fail(`has the data_offsets ${quote(offsets)}: two whole numbers are needed, none negative`);

  const [begin, end] = offsets as [number, number];
  if (begin > end) throw fail(`begins at ${begin}, after its end at ${end}`);
  const available = data.end - data.start;
  if (end > available)
    throw fail(
      `ends at byte ${end}, but the file holds ${available} bytes of data: it is cut off, or damaged`,
    );
  if (end - begin !== bits / 8)
    throw fail(`takes ${end - begin} bytes, but ${dtype} ${quote(shape)} takes ${bits / 8}`);
  return { name, dtype, shape, byteOffset: data.start + begin, byteLength: end - begin };
}

/** The tensors in the order of their data, which they must fill without gap or overlap. */
export function checkLayout(tensors: TensorInfo[], data: DataRange, file: string): TensorInfo[] {
  const inOrder = tensors.toSorted((a, b) => a.byteOffset - b.byteOffset || a.byteLength - b.byteLength);
  let end = data.start;
  let previous = 'the header';
  for (const { name, byteOffset, byteLength } of inOrder) {
    const gap = byteOffset - end;
    if (gap < 0) throw new WeightsError(file, `overlaps ${previous} by ${-gap} bytes`, { tensor: name });
    if (gap > 0)
      throw new WeightsError(file, `leaves a hole of ${gap} bytes after ${previous}`, { tensor: name });
    end = byteOffset + byteLength;
    previous = `tensor ${quote(name)}`;
  }
  if (end !== data.end)
    throw new WeightsError(file, `${data.end - end} bytes that belong to no tensor follow ${previous}`);
  return inOrder;
}
