// The lengths of rows in tokens as a histogram with round bounds.

export interface Lengths {
  shortest: number;
  median: number;
  longest: number;
  /** Rows with at least `from` and less than `to` tokens; all rows are in one. The last one may be wide. */
  bins: { from: number; to: number; rows: number }[];
}

const MOST_BINS = 24;
/** A few rows beyond twice the length of nearly all others share the last bin. */
const NEARLY_ALL = 0.98;

/** Null if there are none. */
export function describeLengths(lengths: Uint32Array): Lengths | null {
  if (lengths.length === 0) return null;
  const sorted = lengths.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!;
  const [shortest, longest] = [sorted[0]!, sorted.at(-1)!];
  const usual = Math.min(longest, 2 * at(NEARLY_ALL));
  const width = roundUp((usual + 1) / MOST_BINS);
  const evenBins = Math.floor(usual / width) + 1;
  const count = longest >= evenBins * width ? evenBins + 1 : evenBins;
  const bins = Array.from({ length: count }, (_, index) => ({
    from: index * width,
    to: index < evenBins ? (index + 1) * width : longest + 1,
    rows: 0,
  }));
  for (const length of sorted) bins[Math.min(count - 1, Math.floor(length / width))]!.rows++;
  return { shortest, median: at(0.5), longest, bins };
}

/** To 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * [1, 2, 5, 10].find(step => step * power >= value)!;
}
