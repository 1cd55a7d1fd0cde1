// A tar archive as a Blob: its files are read when it is sent, and again when it is sent again.
import { BLOCK, padding, toHeader } from './write-tar.js';

export function toTarBlob(files: readonly { name: string; content: Blob }[]): Blob {
  const parts = files.flatMap(({ name, content }) => [
    toHeader(name, content.size),
    content,
    new Uint8Array(padding(content.size)),
  ]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}
