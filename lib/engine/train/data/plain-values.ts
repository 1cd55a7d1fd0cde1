// Converts Parquet values to their JSON equivalents, so that rows are the same in every format.

/**
 * Integers become numbers, or strings if a number would be inexact; dates become strings; bytes become arrays. Null fields
 * are dropped: Parquet cannot distinguish them from missing ones, but chat templates do.
 * @internal
 */
export function toPlain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return toNumber(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array, toPlain);
  if (Array.isArray(value)) return value.map(toPlain);
  return typeof value === 'object' ? toPlainObject(value) : value;
}

/** For a row or a struct. */
export function toPlainObject(value: object): Record<string, unknown> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, toPlain(field)]));
}

function toNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
