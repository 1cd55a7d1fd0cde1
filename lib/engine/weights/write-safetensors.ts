// Safetensors to disk.
import { encodeSafetensors, type TensorToWrite } from './encode-safetensors.js';
import { replaceFile } from './replace-file.js';

/**
 * Writes a safetensors file as a whole or not at all: under a temporary name in the same folder, synced, renamed.
 * The same tensors give the same bytes, in whatever order they come. Take `values()` of a map.
 */
export async function writeSafetensors(
  path: string,
  tensors: Iterable<TensorToWrite>,
  metadata?: Record<string, string>,
): Promise<void> {
  await replaceFile(path, encodeSafetensors(path, tensors, metadata));
}
