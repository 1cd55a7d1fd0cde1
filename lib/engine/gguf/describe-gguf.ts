// What a GGUF file is, from its header.
import { stat } from 'node:fs/promises';
import { readArchitecture } from './architecture.js';
import { readFacts } from './facts.js';
import { readGgufHeader } from './read-header.js';

export interface DescribedGguf {
  architecture: string;
  /** Of its weights, the one with most bytes first. */
  formats: string[];
  bytes: number;
}

/** Throws a `WeightsError` if it is damaged, or of no supported architecture. */
export async function describeGguf(file: string): Promise<DescribedGguf> {
  const header = await readGgufHeader(file);
  const { name } = readArchitecture(header, readFacts(header));
  const bytesOf = new Map<string, number>();
  for (const { format, byteLength } of header.tensors.values())
    bytesOf.set(format.name, (bytesOf.get(format.name) ?? 0) + byteLength);
  const formats = [...bytesOf].sort(([, a], [, b]) => b - a).map(([format]) => format);
  return { architecture: name, formats, bytes: (await stat(file)).size };
}
