// A text as the set of its shingles: overlapping pieces of a few characters, as hashes. How much of their shingles two
// texts share says how alike they are.

const LENGTH = 5;
/** In UTF-16 units. */
const MOST_TEXT = 20_000;
/** Shorter texts are alike by chance. */
const FEWEST = 20;

/** A set of shingles that says nothing, because a large part of the rows has them: a shared instruction, say. */
export type Boilerplate = ReadonlySet<number>;

const NO_BOILERPLATE: Boilerplate = new Set();

/** Null for a text with too few to compare. */
export function shinglesOf(text: string, boilerplate: Boilerplate): Set<number> | null {
  const plain = text.slice(0, MOST_TEXT).toLowerCase().replace(/\s+/g, ' ').trim();
  const found = new Set<number>();
  for (let at = 0; at + LENGTH <= plain.length; at++) {
    let hash = 0x811c9dc5;
    for (let i = at; i < at + LENGTH; i++) hash = Math.imul(hash ^ plain.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97) >>> 0;
    if (!boilerplate.has(hash)) found.add(hash);
  }
  return found.size < FEWEST ? null : found;
}

/** The share of rows from which on a shingle says nothing, and how many rows it takes to know. */
const COMMON_SHARE = 0.2;
const FEWEST_ROWS = 20;

export function findBoilerplate(texts: readonly string[]): Boilerplate {
  if (texts.length < FEWEST_ROWS) return NO_BOILERPLATE;
  const counts = new Map<number, number>();
  for (const text of texts)
    for (const shingle of shinglesOf(text, NO_BOILERPLATE) ?? [])
      counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count >= COMMON_SHARE * texts.length);
  return new Set(common.map(([shingle]) => shingle));
}

/** How much of all their shingles both have, from 0 to 1. */
export function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared / (a.size + b.size - shared);
}
