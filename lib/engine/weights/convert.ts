// Converts arrays: f16 and bf16 to and from f32, and matrices to their transpose. Files are little-endian, and so is
// every supported machine.
import { narrowToBf16, narrowToF16, widenF16 } from './half-float.js';

/** Writes these 16-bit floats as f32 into `target`. */
export function widen(dtype: 'F16' | 'BF16', source: Uint16Array, target: Float32Array): void {
  const bits = toBits(target);
  if (dtype === 'BF16') {
    for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16;
    return;
  }
  const table = widenedF16();
  for (let i = 0; i < source.length; i++) bits[i] = table[source[i]!]!;
}

/** Rounds these f32 to 16-bit floats, ties to even. */
export function narrow(dtype: 'F16' | 'BF16', source: Float32Array): Uint16Array {
  const toHalf = dtype === 'BF16' ? narrowToBf16 : narrowToF16;
  const bits = toBits(source);
  const halves = new Uint16Array(source.length);
  for (let i = 0; i < bits.length; i++) halves[i] = toHalf(bits[i]!);
  return halves;
}

function toBits(floats: Float32Array): Uint32Array {
  return new Uint32Array(floats.buffer, floats.byteOffset, floats.length);
}

let table: Uint32Array | undefined;

function widenedF16(): Uint32Array {
  table ??= Uint32Array.from({ length: 0x10000 }, (_, half) => widenF16(half));
  return table;
}

/** [rows, columns] -> [columns, rows]. PEFT stores B as [out, rank], but the graphs take [rank, out]. */
export function transpose(values: Float32Array, rows: number, columns: number): Float32Array {
  const transposed = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      transposed[column * rows + row] = values[row * columns + column]!;
  }
  return transposed;
}
