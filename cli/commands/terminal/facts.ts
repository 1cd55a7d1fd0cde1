// One thing as text: what is known of it, a line each, the names in a column of their own.
import type { Style } from '../../style.js';
import { toSafeLine } from '../../style.js';

/** A fact without a value is left out. */
export type Fact = readonly [name: string, value: string | null];

export function renderFacts(facts: readonly Fact[], { dim }: Style): string {
  const known = facts.filter(([, value]) => value !== null);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${dim(name.padEnd(width))}  ${toSafeLine(value!)}\n`).join('');
}
