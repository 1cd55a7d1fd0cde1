// Reads files by position, in pieces, so that their size does not matter. All failures are WeightsErrors.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { WeightsError } from './weights-error.js';

const pieceBytes = 16 * 1024 * 1024;

/** Opens the file for `use`, then closes it. Rejects pipes and devices, because opening those may never return. */
export async function withFile<T>(
  file: string,
  use: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw new WeightsError(file, 'is not a file');
    handle = await open(file, 'r');
    return await use(handle, stats.size);
  } catch (error) {
    throw toWeightsError(file, error);
  } finally {
    await handle?.close();
  }
}

export function readWhole(file: string, maxBytes: number): Promise<Uint8Array> {
  return withFile(file, async (handle, size) => {
    if (size > maxBytes)
      throw new WeightsError(file, `has ${size} bytes, more than the limit of ${maxBytes}`);
    return readPiece(handle, file, 0, size);
  });
}

/** Reads `length` bytes from `position` on, in pieces. Each piece is newly allocated. */
export async function* readPieces(handle: FileHandle, file: string, position: number, length: number) {
  for (let done = 0; done < length; done += pieceBytes)
    yield await readPiece(handle, file, position + done, Math.min(pieceBytes, length - done));
}

/** Fills `memory` with bytes from `position` on. */
export async function readInto(handle: FileHandle, file: string, position: number, memory: ArrayBuffer) {
  for (let done = 0; done < memory.byteLength; done += pieceBytes) {
    const piece = new Uint8Array(memory, done, Math.min(pieceBytes, memory.byteLength - done));
    await fill(handle, file, position + done, piece);
  }
}

export async function readPiece(handle: FileHandle, file: string, position: number, length: number) {
  const piece = new Uint8Array(length);
  await fill(handle, file, position, piece);
  return piece;
}

async function fill(handle: FileHandle, file: string, position: number, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesRead } = await handle.read(piece, done, piece.length - done, position + done);
    if (bytesRead === 0)
      throw new WeightsError(file, `ends at byte ${position + done}: it was truncated while open`);
    done += bytesRead;
  }
}

function toWeightsError(file: string, error: unknown): unknown {
  if (error instanceof RangeError)
    return new WeightsError(file, 'is too large for one array or for the memory', { cause: error });
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) return error;
  const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${(error as Error).message}`;
  return new WeightsError(file, problem, { cause: error });
}
