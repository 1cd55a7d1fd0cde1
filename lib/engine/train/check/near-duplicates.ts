// Finds texts that are nearly the same among many, by MinHash: rows that agree in a band of their signatures are compared.
// Memory is bounded: a number for each row and band, up to a fixed number of rows.

const BANDS = 8;
const ROWS_PER_BAND = 4;
const HASHES = BANDS * ROWS_PER_BAND;
/** Of texts as alike as this, at most one pair in 300 agrees in no band. */
const ALIKE = 0.85;

const multipliers = Uint32Array.from({ length: HASHES }, (_, i) => Math.imul(i + 1, 0x9e3779b1) | 1);
const masks = Uint32Array.from({ length: HASHES }, (_, i) => Math.imul(i + 1, 0x85ebca6b));

/** Beyond these, rows are only compared exactly. */
const MOST_ROWS = 100_000;

interface NearDuplicates {
  /** An earlier row that this one nearly repeats, or -1. */
  add(row: number, text: string): number;
}

/** `textOf` reads the text of an earlier row again. */
export function createNearDuplicates(
  boilerplate: Boilerplate,
  textOf: (row: number) => string | null,
): NearDuplicates {
  const bands = Array.from({ length: BANDS }, () => new Map<number, number>());
  let rows = 0;

  function isAlike(shingles: ReadonlySet<number>, row: number): boolean {
    const text = textOf(row);
    const others = text === null ? null : shinglesOf(text, boilerplate);
    return others !== null && similarity(shingles, others) >= ALIKE;
  }

  return {
    add(row, text) {
      if (rows >= MOST_ROWS) return -1;
      const shingles = shinglesOf(text, boilerplate);
      if (!shingles) return -1;
      rows++;
      const keys = bandKeys(signatureOf(shingles));
      const candidates = new Set(bands.flatMap((band, index) => band.get(keys[index]!) ?? []));
      for (const candidate of candidates) if (isAlike(shingles, candidate)) return candidate;
      for (const [index, band] of bands.entries()) if (!band.has(keys[index]!)) band.set(keys[index]!, row);
      return -1;
    },
  };
}

function signatureOf(shingles: Iterable<number>): Uint32Array {
  const least = new Uint32Array(HASHES).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let i = 0; i < HASHES; i++) {
      const mixed = Math.imul(shingle ^ masks[i]!, multipliers[i]!);
      const hash = (mixed ^ (mixed >>> 16)) >>> 0;
      if (hash < least[i]!) least[i] = hash;
    }
  }
  return least;
}

function bandKeys(signature: Uint32Array): number[] {
  return Array.from({ length: BANDS }, (_, band) => {
    let key = 0x811c9dc5;
    for (let i = 0; i < ROWS_PER_BAND; i++)
      key = Math.imul(key ^ signature[band * ROWS_PER_BAND + i]!, 0x01000193);
    return key >>> 0;
  });
}

const LENGTH = 5;
/** In UTF-16 units. */
const MOST_TEXT = 20_000;
/** Shorter texts are alike by chance. */
const FEWEST = 20;

/** Shingles to ignore because many rows have them, such as those of a shared instruction. */
export type Boilerplate = ReadonlySet<number>;

const NO_BOILERPLATE: Boilerplate = new Set();

/**
 * A text as the set of its shingles: overlapping pieces of a few characters, as hashes. How much of their shingles two
 * texts share says how alike they are. Null for a text with too few to compare.
 */
function shinglesOf(text: string, boilerplate: Boilerplate): Set<number> | null {
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

/** The share of rows above which a shingle says nothing, and how many rows it takes to know. */
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
function similarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared / (a.size + b.size - shared);
}
