// Reads 16-bit floats out of bytes.
import { widen } from '../weights/index.js';

let table: Float32Array | undefined;

function valuesOfHalves(): Float32Array {
  if (table) return table;
  table = new Float32Array(2 ** 16);
  widen(
    'F16',
    Uint16Array.from(table, (_, bits) => bits),
    table,
  );
  return table;
}

/** Reads the f16 that starts at a byte. */
export function halfReader(bytes: Uint8Array): (at: number) => number {
  const values = valuesOfHalves();
  return at => values[bytes[at]! | (bytes[at + 1]! << 8)]!;
}
