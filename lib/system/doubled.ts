// How long to wait between retries.

interface Waits {
  firstMs: number;
  longestMs: number;
}

/** The wait after this many earlier waits: twice the one before. */
export function doubled(earlier: number, { firstMs, longestMs }: Waits): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(earlier, 30));
}
