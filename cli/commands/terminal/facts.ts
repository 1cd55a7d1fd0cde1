// One item as text: one fact per line, with the names in their own column.
import type { Style } from '../../style.js';
import { toSafeLine } from '../../style.js';

/** A fact without a value is omitted. */
export type Fact = readonly [name: string, value: string | null];

export function renderFacts(facts: readonly Fact[], { dim }: Style): string {
  const known = facts.filter(([, value]) => value !== null);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${dim(name.padEnd(width))}  ${toSafeLine(value!)}\n`).join('');
}
