/** In which formats bytes of weights are stored, the one with most bytes first. */
export function listFormats(stored: Iterable<readonly [format: string, bytes: number]>): string[] {
  const bytesOf = new Map<string, number>();
  for (const [format, bytes] of stored) bytesOf.set(format, (bytesOf.get(format) ?? 0) + bytes);
  return [...bytesOf].sort(([, a], [, b]) => b - a).map(([format]) => format);
}
