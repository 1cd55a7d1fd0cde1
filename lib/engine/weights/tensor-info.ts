// Parses a tensor's description in a safetensors header, and checks it against the data of the file.
import { countBits, isDtype, isShape, type SafetensorsDtype } from './dtype.js';
import { isObject } from './json.js';
import { quote, WeightsError } from './weights-error.js';

/** The type, shape and location of a tensor in its file. */
export interface TensorInfo {
  name: string;
  dtype: SafetensorsDtype;
  shape: number[];
  /** From the start of the file, as in ONNX external data. */
  byteOffset: number;
  byteLength: number;
}

/** The bytes of a file that hold data; `end` is exclusive. */
interface DataRange {
  start: number;
  end: number;
}

export function parseTensorInfo(name: string, described: unknown, data: DataRange, file: string): TensorInfo {
  const fail = (problem: string) => new WeightsError(file, problem, { tensor: name });
  if (!isObject(described)) throw fail('is not described by an object');
  const { dtype, shape, data_offsets: offsets } = described;
  if (!isDtype(dtype)) throw fail(`has the unknown dtype ${quote(dtype)}`);
  if (!isShape(shape))
    throw fail(`has the shape ${quote(shape)}; sizes must be whole numbers and not negative`);
  const bits = countBits(dtype, shape);
  if (bits === undefined) throw fail(`has a shape too large to count: ${quote(shape)}`);
  if (bits % 8 !== 0) throw fail(`does not fill whole bytes: ${dtype} ${quote(shape)}`);
  if (!isShape(offsets) || offsets.length !== 2)
    throw fail(`has the data_offsets ${quote(offsets)}; they must be two whole numbers and not negative`);

  const [begin, end] = offsets as [number, number];
  if (begin > end) throw fail(`starts at ${begin}, after its end at ${end}`);
  const available = data.end - data.start;
  if (end > available)
    throw fail(
      `ends at byte ${end}, but the file has ${available} bytes of data: it is truncated or damaged`,
    );
  if (end - begin !== bits / 8)
    throw fail(`has ${end - begin} bytes, but ${dtype} ${quote(shape)} needs ${bits / 8}`);
  return { name, dtype, shape, byteOffset: data.start + begin, byteLength: end - begin };
}

/** Orders the tensors by their data, which they must fill without gaps or overlaps. */
export function checkLayout(tensors: TensorInfo[], data: DataRange, file: string): TensorInfo[] {
  const inOrder = tensors.toSorted((a, b) => a.byteOffset - b.byteOffset || a.byteLength - b.byteLength);
  let end = data.start;
  let previous = 'the header';
  for (const { name, byteOffset, byteLength } of inOrder) {
    const gap = byteOffset - end;
    if (gap < 0) throw new WeightsError(file, `overlaps ${previous} by ${-gap} bytes`, { tensor: name });
    if (gap > 0)
      throw new WeightsError(file, `leaves a gap of ${gap} bytes after ${previous}`, { tensor: name });
    end = byteOffset + byteLength;
    previous = `tensor ${quote(name)}`;
  }
  if (end !== data.end)
    throw new WeightsError(file, `${data.end - end} bytes that belong to no tensor follow ${previous}`);
  return inOrder;
}
