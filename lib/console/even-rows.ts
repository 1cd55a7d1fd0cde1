// A row scale with ticks evenly spaced and exactly at the values of their rows. To get there the range grows by a few
// rows; ticks are never rounded.

/** A possible distance between two ticks. */
export interface TickStep {
  readonly size: number;
  /** How much less readable it is than counting in tens. */
  readonly cost: number;
}

interface EvenRows<Step extends TickStep> {
  readonly step: Step;
  /** 0 at the bottom; inside the rows for every value between `min` and `max`. */
  rowOf(value: number): number;
  /** The same before rounding. */
  placeOf(value: number): number;
  /** Whole multiples of the step. */
  readonly ticks: readonly { readonly row: number; readonly multiple: number }[];
}

/** Each row is a multiple of `step.size / rowsPerTick`; the bottom row is `first` times that. */
interface Fit<Step> {
  readonly step: Step;
  readonly rowsPerTick: number;
  readonly first: number;
  readonly cost: number;
}

const MOST_ROWS_PER_TICK = 8;
/** Beyond this, neighboring rows are no longer distinct numbers. */
const MOST_MULTIPLES = 1e12;

/** Costs relative to an unusual step: all rows empty; labels on adjacent rows; labels far apart; too few labels. */
const COST = { empty: 12, crowded: 0.9, sparse: 0.2, few: 1.5 };
/** With this few rows, each may have a label. */
const FEW_ROWS = 5;
const MOST_WANTED = 4;
const MOST_EMPTY = 1 / 3;

/** The fit for the best step; null if none fits, as when the range is too narrow for its numbers. */
export function fitEvenRows<Step extends TickStep>(
  min: number,
  max: number,
  rows: number,
  steps: readonly Step[],
): EvenRows<Step> | null {
  const fits = steps.flatMap(step =>
    Array.from({ length: MOST_ROWS_PER_TICK }, (_, index) => toFit(min, max, rows, step, index + 1)),
  );
  const best = fits.reduce((a, b) => (a && (!b || a.cost <= b.cost) ? a : b), null);
  if (!best) return null;
  const { step, rowsPerTick, first } = best;
  return {
    step,
    rowOf: value => toMultiple(value, step, rowsPerTick) - first,
    placeOf: value => (value / step.size) * rowsPerTick - first,
    ticks: Array.from({ length: rows }, (_, row) => ({ row, multiple: (first + row) / rowsPerTick })).filter(
      ({ multiple }) => Number.isInteger(multiple),
    ),
  };
}

function toFit<Step extends TickStep>(
  min: number,
  max: number,
  rows: number,
  step: Step,
  rowsPerTick: number,
): Fit<Step> | null {
  const first = toMultiple(min, step, rowsPerTick);
  const last = toMultiple(max, step, rowsPerTick);
  const empty = 1 - (last - first) / (rows - 1);
  if (!(empty >= 0 && empty <= MOST_EMPTY) || !(Math.max(Math.abs(first), Math.abs(last)) <= MOST_MULTIPLES))
    return null;
  const ticks = Math.floor((first + rows - 1) / rowsPerTick) - Math.ceil(first / rowsPerTick) + 1;
  if (ticks < 1) return null;
  const wanted = Math.min(MOST_WANTED, Math.ceil(rows / 2));
  const cost =
    step.cost +
    COST.empty * empty +
    (rowsPerTick === 1 && rows > FEW_ROWS ? COST.crowded : COST.sparse * Math.max(0, rowsPerTick - 2)) +
    COST.few * Math.max(0, wanted - ticks);
  return { step, rowsPerTick, first, cost };
}

function toMultiple(value: number, { size }: TickStep, rowsPerTick: number): number {
  return Math.round((value / size) * rowsPerTick);
}
