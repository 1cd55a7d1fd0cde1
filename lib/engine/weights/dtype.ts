// The element types of safetensors and their sizes, in the order of its own library, which writes the last one first.

const ranked = [
  ['BOOL', 8],
  ['F4', 4],
  ['F6_E2M3', 6],
  ['F6_E3M2', 6],
  ['U8', 8],
  ['I8', 8],
  ['F8_E5M2', 8],
  ['F8_E4M3', 8],
  ['F8_E8M0', 8],
  ['F8_E4M3FNUZ', 8],
  ['F8_E5M2FNUZ', 8],
  ['I16', 16],
  ['U16', 16],
  ['F16', 16],
  ['BF16', 16],
  ['I32', 32],
  ['U32', 32],
  ['F32', 32],
  ['C64', 64],
  ['F64', 64],
  ['I64', 64],
  ['U64', 64],
] as const;

/** An element type of safetensors. */
export type SafetensorsDtype = (typeof ranked)[number][0];

/** The element types that can be read as numbers and written. */
export type FloatDtype = 'F32' | 'F16' | 'BF16';

const ranks = new Map<unknown, number>(ranked.map(([dtype], rank) => [dtype, rank]));

export function isDtype(value: unknown): value is SafetensorsDtype {
  return ranks.has(value);
}

export function isFloatDtype(value: unknown): value is FloatDtype {
  return value === 'F32' || value === 'F16' || value === 'BF16';
}

export function rankOf(dtype: SafetensorsDtype): number {
  return ranks.get(dtype)!;
}

/** The size of a tensor in bits, or undefined if it is not a safe integer. */
export function countBits(dtype: SafetensorsDtype, shape: readonly number[]): number | undefined {
  const bits = shape.reduce<number>((product, size) => product * size, ranked[rankOf(dtype)]![1]);
  return Number.isSafeInteger(bits) ? bits : undefined;
}

/** Whether this is a valid shape of a tensor. */
export function isShape(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(size => Number.isSafeInteger(size) && size >= 0);
}
