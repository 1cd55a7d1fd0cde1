// Reads byte ranges for hyparquet, which abandons pending reads if metadata is damaged. An abandoned promise that rejects
// would end the process, so each has a handler, and none settles after `giveUp`.
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { AsyncBuffer } from 'hyparquet';

interface ParquetBytes extends AsyncBuffer {
  giveUp(): void;
}

export async function toParquetBytes(handle: FileHandle): Promise<ParquetBytes> {
  const { size } = await handle.stat();
  let isGivenUp = false;

  async function read(start: number, end: number): Promise<ArrayBuffer> {
    await setImmediate();
    if (isGivenUp) return new Promise<never>(() => {});
    if (!(start >= 0 && start <= end && end <= size)) throw new Error('it points past the end of the file');
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    if (bytesRead !== bytes.length) throw new Error('the file was truncated while it was read');
    return bytes.buffer;
  }

  return {
    byteLength: size,
    slice(start, end = size) {
      const reading = read(start, end);
      reading.catch(() => {});
      return reading;
    },
    giveUp() {
      isGivenUp = true;
    },
  };
}
