// The values of Parquet as JSON would have them, so that rows are the same whatever file they are from.

/**
 * Whole numbers become numbers, or text where a number is not exact; dates become text; bytes become lists. A field
 * that is null is left out: Parquet cannot tell it from one that was never there, and chat templates do.
 */
export function toPlain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return toNumber(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array, toPlain);
  if (Array.isArray(value)) return value.map(toPlain);
  return typeof value === 'object' ? toPlainObject(value) : value;
}

/** The same for a row or a struct. */
export function toPlainObject(value: object): Record<string, unknown> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, toPlain(field)]));
}

function toNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
