// A file reader for which the disk is full.
import type { FileReader } from '../../lib/engine/index.js';

/** Work of this kind fails while `isFull`. */
export function failFiles(failing: string, isFull: () => boolean): (files: FileReader) => FileReader {
  return files => ({
    ...files,
    async run(kind, input, asked) {
      if (kind === failing && isFull())
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return files.run(kind, input, asked);
    },
  });
}
