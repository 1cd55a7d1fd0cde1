// The metadata of the GGUF file that a model was read from, which a file that is made of the model has, too.
import { readPiece, withFile } from '../weights/index.js';
import { type GgufHeader, readGgufHeader } from './read-header.js';
import type { Metadata, MetadataValue } from './write-header.js';

/** In the folder of a model, as a GGUF file without tensors. */
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

/** Byte for byte, without the layers after these, which only predict further tokens. */
export async function readKeptMetadata(path: string, layers: number): Promise<Metadata> {
  const { entries, metadata } = await readGgufHeader(path);
  const prefix = `${metadata.get('general.architecture')}.`;
  const blocks = metadata.get(`${prefix}block_count`);
  const cut = (key: string, value: Uint8Array): MetadataValue => {
    if (key === `${prefix}block_count`) return { type: 'uint32', value: layers };
    const known = metadata.get(key);
    const isOfLayers = key.startsWith(prefix) && Array.isArray(known) && known.length === blocks;
    // How positions are divided up has a length of its own.
    const isCut = isOfLayers && typeof known[0] !== 'string' && !key.startsWith(`${prefix}rope.`);
    return { type: 'encoded', value: isCut ? cutArray(value, known.length, layers) : value };
  };
  return withFile(path, async (handle, size) => {
    const bytes = await readPiece(handle, path, 0, size);
    const kept = [...entries].filter(([key]) => key !== `${prefix}nextn_predict_layers`);
    return Object.fromEntries(
      kept.map(([key, { at, length }]) => [key, cut(key, bytes.subarray(at, at + length))]),
    );
  });
}

/** Before an array's items are its type, that of its items, and their count. */
const COUNT_AT = 8;
const ITEMS_AT = 16;

/** The first of the items, which are numbers. */
function cutArray(array: Uint8Array, from: number, to: number): Uint8Array {
  const itemBytes = (array.length - ITEMS_AT) / from;
  const cut = Buffer.from(array.subarray(0, ITEMS_AT + to * itemBytes));
  cut.writeBigUInt64LE(BigInt(to), COUNT_AT);
  return cut;
}
