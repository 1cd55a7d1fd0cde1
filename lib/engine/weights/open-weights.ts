// Finds and opens weights on disk: one safetensors file, or shards with an index. Reads only the headers.
import { access } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { isObject, parseJsonObject } from './json.js';
import { readPiece, readWhole, withFile } from './read-file.js';
import {
  lengthBytes,
  parseSafetensorsHeader,
  readHeaderLength,
  type TensorInfo,
} from './safetensors-header.js';
import { createWeightFiles, type WeightFiles, type WeightTensor } from './weight-files.js';
import { quote, WeightsError } from './weights-error.js';

const singleName = 'model.safetensors';
const indexName = 'model.safetensors.index.json';
const longestIndex = 100_000_000;

/** Opens the weights of a model in Hugging Face layout: `model.safetensors`, or an index and its shards. */
export async function openWeights(folder: string): Promise<WeightFiles> {
  const single = join(folder, singleName);
  if (await exists(single)) return openWeightsFile(single);
  const index = join(folder, indexName);
  if (await exists(index)) return openShards(resolve(folder), resolve(index));
  throw new WeightsError(resolve(folder), `has neither ${singleName} nor ${indexName}`);
}

export async function openWeightsFile(path: string): Promise<WeightFiles> {
  const file = resolve(path);
  const tensors = await readHeader(file);
  return createWeightFiles(
    file,
    new Map([...tensors].map(([name, tensor]) => [toTextName(name), { ...tensor, file }])),
  );
}

async function openShards(folder: string, index: string): Promise<WeightFiles> {
  const shards = parseShardIndex(await readWhole(index, longestIndex), index);
  const headers = new Map<string, Map<string, TensorInfo>>();
  for (const shard of new Set(shards.values())) headers.set(shard, await readHeader(join(folder, shard)));

  const tensors = new Map<string, WeightTensor>();
  for (const [name, shard] of shards) {
    const tensor = headers.get(shard)!.get(name);
    const file = join(folder, shard);
    if (!tensor) throw new WeightsError(file, `is missing, although ${indexName} lists it`, { tensor: name });
    tensors.set(toTextName(name), { ...tensor, file });
  }
  return createWeightFiles(folder, tensors);
}

/** A model of texts inside one of images, too, has the names that it has on its own. So does an adapter for it. */
export const toTextName = (name: string) =>
  name.replace(/^(base_model\.model\.)?model\.language_model\./, '$1model.');

function readHeader(file: string): Promise<Map<string, TensorInfo>> {
  return withFile(file, async (handle, size) => {
    const start = await readPiece(handle, file, 0, Math.min(lengthBytes, size));
    const length = readHeaderLength(start, size, file);
    return parseSafetensorsHeader(await readPiece(handle, file, 0, lengthBytes + length), size, file);
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Parses an index: the file of each tensor, relative to the index and in its order. */
function parseShardIndex(bytes: Uint8Array, file: string): Map<string, string> {
  const { weight_map: files } = parseJsonObject(bytes, file, 'index');
  if (!isObject(files)) throw new WeightsError(file, 'has no weight_map');
  const shards = new Map<string, string>();
  for (const [tensor, shard] of Object.entries(files)) {
    if (!staysInFolder(shard))
      throw new WeightsError(file, `is listed in ${quote(shard)}, which is not a file in this folder`, {
        tensor,
      });
    shards.set(tensor, shard);
  }
  if (shards.size === 0) throw new WeightsError(file, 'lists no tensors');
  return shards;
}

/** Whether this path stays below the folder, on any operating system. */
export function staysInFolder(shard: unknown): shard is string {
  if (typeof shard !== 'string' || /^$|[\\:\0]|^\//.test(shard)) return false;
  const path = posix.normalize(shard);
  return path !== '.' && path !== '..' && !path.startsWith('../');
}

/** In which formats bytes of weights are stored, the one with most bytes first. */
export function listFormats(stored: Iterable<readonly [format: string, bytes: number]>): string[] {
  const bytesOf = new Map<string, number>();
  for (const [format, bytes] of stored) bytesOf.set(format, (bytesOf.get(format) ?? 0) + bytes);
  return [...bytesOf].sort(([, a], [, b]) => b - a).map(([format]) => format);
}
