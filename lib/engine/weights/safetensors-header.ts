// Parses the header of a safetensors file: eight bytes of length, then JSON. Pure: takes bytes and a size, not a file.
import { isObject, parseJsonObject } from './json.js';
import { checkLayout, parseTensorInfo, type TensorInfo } from './tensor-info.js';
import { WeightsError } from './weights-error.js';

/** The content of a safetensors file: tensors in the order of their data, and free-form metadata. */
export interface SafetensorsHeader {
  tensors: Map<string, TensorInfo>;
  metadata: Record<string, string>;
}

export const lengthBytes = 8;
export const metadataName = '__metadata__';
const longestHeader = 100_000_000;

/**
 * Parses the header from the first bytes of a file, which must include the whole header, and checks it against the
 * file's size. All returned tensors lie within the file; anything else is a `WeightsError`.
 */
export function parseSafetensorsHeader(bytes: Uint8Array, fileSize: number, file: string): SafetensorsHeader {
  const data = { start: lengthBytes + readHeaderLength(bytes, fileSize, file), end: fileSize };
  if (bytes.length < data.start)
    throw new WeightsError(file, `its header has ${data.start} bytes, but fewer were read`);
  if (bytes[lengthBytes] !== 0x7b)
    throw new WeightsError(file, 'its header does not start with {, so it is not a safetensors file');
  const described = parseJsonObject(bytes.subarray(lengthBytes, data.start), file, 'header');
  const metadata = parseMetadata(described[metadataName] ?? {}, file);
  const tensors = Object.entries(described)
    .filter(([name]) => name !== metadataName)
    .map(([name, tensor]) => parseTensorInfo(name, tensor, data, file));
  return {
    tensors: new Map(checkLayout(tensors, data, file).map(tensor => [tensor.name, tensor])),
    metadata,
  };
}

/** Reads the length of the header's JSON from the first eight bytes, and checks that it fits in the file. */
export function readHeaderLength(bytes: Uint8Array, fileSize: number, file: string): number {
  if (fileSize < lengthBytes || bytes.length < lengthBytes)
    throw new WeightsError(file, `is truncated: ${fileSize} bytes are too few for a safetensors file`);
  const length = new DataView(bytes.buffer, bytes.byteOffset, lengthBytes).getBigUint64(0, true);
  if (length > longestHeader)
    throw new WeightsError(
      file,
      `claims a header of ${length} bytes, more than the limit of ${longestHeader}`,
    );
  if (length > fileSize - lengthBytes)
    throw new WeightsError(
      file,
      `is truncated: its header has ${length} bytes, but the file has ${fileSize}`,
    );
  return Number(length);
}

function parseMetadata(metadata: unknown, file: string): Record<string, string> {
  if (isObject(metadata) && Object.values(metadata).every(text => typeof text === 'string'))
    return metadata as Record<string, string>;
  throw new WeightsError(file, `${metadataName} in its header is not an object of strings`);
}
