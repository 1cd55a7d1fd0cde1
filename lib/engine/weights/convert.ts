// Converts arrays: f16 and bf16 to and from f32, and matrices to their transpose. Files are little-endian, and so is
// every supported machine.

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

const infinity = 0x7f800000;
const smallestNormalF16 = 0x38800000; // 2^-14
const smallestNonZeroF16 = 0x33000000; // 2^-25, which itself rounds to zero
const overflowF16 = 0x477ff000; // 65520, halfway between the largest f16 and the next power of two

/** The bits of an f32 with the same value as these bits of an f16. @internal */
export function widenF16(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return (sign | infinity | (fraction << 13)) >>> 0;
  if (exponent > 0) return (sign | ((exponent + 112) << 23) | (fraction << 13)) >>> 0;
  if (fraction === 0) return sign >>> 0;
  const shift = Math.clz32(fraction) - 21; // moves the leading one to bit 10
  return (sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13)) >>> 0;
}

/** The bits of the f16 nearest to these bits of an f32, ties to even. @internal */
export function narrowToF16(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  if (magnitude > infinity) return sign | 0x7e00 | ((magnitude >>> 13) & 0x3ff);
  if (magnitude >= overflowF16) return sign | 0x7c00;
  if (magnitude >= smallestNormalF16) return sign | roundOff(magnitude - (112 << 23), 13);
  if (magnitude < smallestNonZeroF16) return sign;
  return sign | roundOff((magnitude & 0x7fffff) | 0x800000, 126 - (magnitude >>> 23));
}

/** The bits of the bf16 nearest to these bits of an f32, ties to even. @internal */
export function narrowToBf16(bits: number): number {
  const magnitude = bits & 0x7fffffff;
  if (magnitude > infinity) return (bits >>> 16) | 0x40; // a NaN stays one, even if its last bits were all it had
  return ((bits >>> 16) & 0x8000) | roundOff(magnitude, 16);
}

/** Drops the last bits of the number, rounding to nearest, ties to even. */
function roundOff(value: number, bits: number): number {
  return (value + (1 << (bits - 1)) - 1 + ((value >>> bits) & 1)) >>> bits;
}
