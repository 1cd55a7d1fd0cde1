// Temporary folders, and handmade safetensors files, so that anything can be wrong with them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder as makeFolder } from '../../support/temporary-folder.js';

export const golden = fileURLToPath(new URL('../../golden/engine/', import.meta.url));
export const architectures = ['llama', 'llama-untied', 'qwen2', 'qwen3'];

export const temporaryFolder = () => makeFolder('svc-weights');

/** A safetensors file with this header, as a string or an object, and this many bytes of data: 1, 2, 3, … */
export function toSafetensors(header: unknown, dataBytes: number): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Uint8Array.from({ length: dataBytes }, (_, i) => i + 1)]);
}

/** Writes files to a new folder, and returns its path. */
export function folderWith(files: Record<string, Uint8Array | string | object>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content));
  }
  return folder;
}
