// The metadata of the GGUF file that a model was read from, kept beside its weights: a file that is made of the model has
// the same, byte for byte. It is a GGUF file without tensors.
import { readPiece, withFile } from '../weights/index.js';
import { type GgufHeader, readGgufHeader } from './read-header.js';
import type { Metadata } from './write-header.js';

/** In the folder of a model. */
export const KEPT_METADATA = 'metadata.gguf';

const START_BYTES = 24;
const TENSOR_COUNT_AT = 8;

/** The content of the file. */
export async function encodeKeptMetadata({ file, entries }: GgufHeader): Promise<Uint8Array> {
  const end = Math.max(START_BYTES, ...[...entries.values()].map(({ at, length }) => at + length));
  return withFile(file, async handle => {
    const bytes = await readPiece(handle, file, 0, end);
    bytes.fill(0, TENSOR_COUNT_AT, TENSOR_COUNT_AT + 8);
    return bytes;
  });
}

export async function readKeptMetadata(path: string): Promise<Metadata> {
  const { entries } = await readGgufHeader(path);
  return withFile(path, async (handle, size) => {
    const bytes = await readPiece(handle, path, 0, size);
    const values = [...entries].map(([key, { at, length }]) => {
      const value = bytes.subarray(at, at + length);
      return [key, { type: 'encoded', value }] as const;
    });
    return Object.fromEntries(values);
  });
}
