// Parses the index of a sharded model, which maps tensors to files. Pure.
import { posix } from 'node:path';
import { isObject, parseJsonObject } from './json.js';
import { quote, WeightsError } from './weights-error.js';

/** The file of each tensor, relative to the index, in the order of the index. */
export function parseShardIndex(bytes: Uint8Array, file: string): Map<string, string> {
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
function staysInFolder(shard: unknown): shard is string {
  if (typeof shard !== 'string' || /^$|[\\:\0]|^\//.test(shard)) return false;
  const path = posix.normalize(shard);
  return path !== '.' && path !== '..' && !path.startsWith('../');
}
