// Finds texts that are nearly the same among many, by MinHash: rows that agree in a band of their signatures are compared.
// Memory is bounded: a number for each row and band, up to a fixed number of rows.
import { type Boilerplate, shinglesOf, similarity } from './shingles.js';

const BANDS = 8;
const ROWS_PER_BAND = 4;
const HASHES = BANDS * ROWS_PER_BAND;
/** Of texts as alike as this, at most one pair in 300 agrees in no band. */
const ALIKE = 0.85;

const multipliers = Uint32Array.from({ length: HASHES }, (_, i) => Math.imul(i + 1, 0x9e3779b1) | 1);
const masks = Uint32Array.from({ length: HASHES }, (_, i) => Math.imul(i + 1, 0x85ebca6b));

interface NearDuplicates {
  /** An earlier row that this one nearly repeats, or -1. */
  add(row: number, text: string): number;
}

/** `textOf` reads the text of an earlier row again. */
export function createNearDuplicates(
  boilerplate: Boilerplate,
  mostRows: number,
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
      if (rows >= mostRows) return -1;
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
