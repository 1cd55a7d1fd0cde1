// The figures of a statistics card, computed from the events another way: by their definitions, with a table for t.
import type { JobEvent } from '../../lib/contract/index.js';

/** Two-sided, 95%, by degrees of freedom, from the printed tables. */
const T: Record<number, number> = {
  2: 4.302653,
  3: 3.182446,
  4: 2.776445,
  5: 2.570582,
  6: 2.446912,
  7: 2.364624,
};

export function valuesOf(events: readonly JobEvent[], field: 'loss' | 'evalLoss'): number[] {
  return events.flatMap(event => {
    const value = event.type === 'training.log' ? event[field] : undefined;
    return typeof value === 'number' ? [value] : [];
  });
}

/** In the order of the card, to four significant digits. */
export function expectedFigures(values: readonly number[]): string[] {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  const t = n > 31 ? 1.96 : T[n - 1];
  if (t === undefined) throw new Error(`The table has no line for ${n} values.`);
  const halfWidth = (t * Math.sqrt(variance)) / Math.sqrt(n);
  const ascending = [...values].sort((a, b) => a - b);
  const percentile = (share: number) => {
    const at = share * (n - 1);
    const below = ascending[Math.floor(at)]!;
    return below + (ascending[Math.ceil(at)]! - below) * (at % 1);
  };
  const figures = [Math.sqrt(variance), variance, percentile(0.9), percentile(0.95)];
  return [`${digits(mean)} ± ${digits(halfWidth)}`, ...figures.map(digits), String(n)];
}

function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}
