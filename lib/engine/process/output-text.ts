// What a served model answers, as JSON for pipes and networks. Bytes, vectors and numbers that JSON lacks survive.
import type { AskKind, Asks } from './messages.js';

type Output = Asks[AskKind]['output'];

const INFINITE: Readonly<Record<string, number>> = { inf: Infinity, '-inf': -Infinity, nan: Number.NaN };

export function writeOutput(output: Output): string {
  return JSON.stringify(output, (_, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: nameOf(value) };
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
    if (value instanceof Float32Array)
      return { $floats: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
    return value;
  });
}

/** Trusts its writer, the engine. */
export function readOutput(text: string): Output {
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$number' in value) return INFINITE[value.$number as string];
    if ('$bytes' in value) return new Uint8Array(Buffer.from(value.$bytes as string, 'base64'));
    if ('$floats' in value) return toFloats(Buffer.from(value.$floats as string, 'base64'));
    return value;
  }) as Output;
}

function nameOf(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

function toFloats(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
