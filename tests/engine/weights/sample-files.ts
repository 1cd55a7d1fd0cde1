// Temporary folders, and handmade safetensors files, so that anything can be wrong with them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { WeightsError } from '../../../lib/engine/weights/index.js';
import type { WeightFiles } from '../../../lib/engine/weights/weight-files.js';
import { GOLDEN_MODELS } from '../../support/golden-models.js';
import { temporaryFolder as makeFolder } from '../../support/temporary-folder.js';

export const golden = fileURLToPath(new URL('../../golden/engine/', import.meta.url));

/** Where PEFT's adapters before and after training are. */
export const adapterPaths = GOLDEN_MODELS.flatMap(name => [`${name}/adapter_init`, `${name}/adapter_final`]);

/** It has to be a WeightsError. */
export async function expectComplaint(attempt: Promise<unknown>, ...complaints: string[]): Promise<void> {
  await expect(attempt).rejects.toThrow(WeightsError);
  for (const complaint of complaints) await expect(attempt).rejects.toThrow(complaint);
}

export const temporaryFolder = () => makeFolder('svc-weights');

/** How a header describes a tensor, rightly or not. */
export const headerOf = <Shape, Offset>(dtype: string, shape: Shape, ...data_offsets: Offset[]) => {
  return { dtype, shape, data_offsets };
};

/** A safetensors file with this header, as a string or an object, and this many bytes of data: 1, 2, 3, … */
export function toSafetensors(header: unknown, dataBytes: number): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Uint8Array.from({ length: dataBytes }, (_, i) => i + 1)]);
}

/** The bytes of a tensor in its file. */
export function bytesOf(weights: WeightFiles, name: string): Buffer {
  const { file, byteOffset, byteLength } = weights.describe(name);
  return readFileSync(file).subarray(byteOffset, byteOffset + byteLength);
}

export function folderWith(files: Record<string, Uint8Array | string | object>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content));
  }
  return folder;
}
