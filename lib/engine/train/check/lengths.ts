// The lengths of rows in tokens as a histogram with round bounds.

export interface Lengths {
  shortest: number;
  median: number;
  longest: number;
  /** Rows with at least `from` and less than `to` tokens; all rows are in one. The last one may be wide. */
  bins: { from: number; to: number; rows: number }[];
}

const MOST_BINS = 20;
/** A few rows far beyond nearly all others share the last bin. */
const NEARLY_ALL = 0.98;

/** Null if there are none. */
export function describeLengths(lengths: Uint32Array): Lengths | null {
  if (lengths.length === 0) return null;
  const sorted = lengths.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const [shortest, longest] = [sorted[0]!, sorted.at(-1)!];
  const end = Math.min(longest, Math.ceil(1.5 * at(NEARLY_ALL)));
  const width = roundUp((end - shortest + 1) / MOST_BINS);
  const first = Math.floor(shortest / width);
  const even = Math.floor(end / width) - first + 1;
  const hasMore = longest >= (first + even) * width;
  const bins = Array.from({ length: even + (hasMore ? 1 : 0) }, (_, index) => ({
    from: (first + index) * width,
    to: index < even ? (first + index + 1) * width : longest + 1,
    rows: 0,
  }));
  for (const length of sorted) bins[Math.min(bins.length - 1, Math.floor(length / width) - first)]!.rows++;
  return { shortest, median: at(0.5), longest, bins };
}

/** To 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * [1, 2, 5, 10].find(step => step * power >= value)!;
}
