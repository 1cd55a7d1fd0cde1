// Receives an adapter that was trained elsewhere: a tar archive of its two files.
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ApiError } from '../../contract/index.js';
import {
  ADAPTER_FILES,
  type AskedWork,
  type CheckedAdapter,
  type FileReader,
  WeightsError,
} from '../../engine/index.js';
import { readTar, TarError } from '../../tar/index.js';
import { writeUpload } from '../datasets/receive-upload.js';

/** Writes the two files into a new folder. Throws `adapter_invalid` for any other archive. */
export async function receiveAdapter(body: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  const missing = new Set<string>(ADAPTER_FILES);
  await mkdir(folder);
  try {
    for await (const { path, content } of readTar(body)) {
      if (!missing.delete(path)) throw notAdapter(`It has \`${path}\`.`);
      await writeUpload(join(folder, path), content);
    }
  } catch (error) {
    throw error instanceof TarError ? notAdapter(error.message) : error;
  }
  const [first] = missing;
  if (first !== undefined) throw notAdapter(`It has no \`${first}\`.`);
}

/** Reads it completely. Throws `adapter_invalid` if the model cannot use it; the message names file and field. */
export async function checkAdapter(
  files: FileReader,
  input: { folder: string; modelFolder: string },
  asked: AskedWork,
): Promise<CheckedAdapter> {
  try {
    return await files.run('checkAdapter', input, asked);
  } catch (error) {
    if (!(error instanceof WeightsError)) throw error;
    const { file, problem, tensor } = error;
    const named = new WeightsError(basename(file), problem, tensor === undefined ? {} : { tensor });
    throw invalid(`${named.message}.`);
  }
}

function notAdapter(reason: string): ApiError {
  const names = ADAPTER_FILES.map(name => `\`${name}\``).join(' and ');
  return invalid(`The body must be a tar archive of ${names}, and nothing else. ${reason}`);
}

function invalid(message: string): ApiError {
  return new ApiError('adapter_invalid', message);
}
