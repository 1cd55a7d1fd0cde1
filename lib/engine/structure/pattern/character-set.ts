// Sets of characters, as sorted ranges of code points.
export type CharacterSet = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;

const all: CharacterSet = [[0, LAST]];

const of = (codePoint: number): CharacterSet => [[codePoint, codePoint]];

function union(sets: readonly CharacterSet[]): CharacterSet {
  const ranges = sets.flat().toSorted((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [first, last] of ranges) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

function complement(set: CharacterSet): CharacterSet {
  const ranges: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) ranges.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) ranges.push([next, LAST]);
  return ranges;
}

function has(set: CharacterSet, codePoint: number): boolean {
  return set.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** The only character of a set, if it has exactly one. */
function only([range, ...others]: CharacterSet): number | null {
  return range && others.length === 0 && range[0] === range[1] ? range[0] : null;
}

/** Adds the other case of ASCII letters. */
function withCases(set: CharacterSet): CharacterSet {
  const shifted = (from: number, to: number, by: number): CharacterSet =>
    set.flatMap(([first, last]) => {
      const [low, high] = [Math.max(first, from), Math.min(last, to)];
      return low <= high ? [[low + by, high + by] as const] : [];
    });
  return union([set, shifted(0x41, 0x5a, 32), shifted(0x61, 0x7a, -32)]);
}

const properties = new Map<string, CharacterSet>();

/** The characters with a Unicode property, such as `L` or `Script=Greek`; null if there is no such property. */
function ofProperty(name: string): CharacterSet | null {
  const known = properties.get(name);
  if (known) return known;
  let test: RegExp;
  try {
    test = new RegExp(`^\\p{${name}}$`, 'u');
  } catch {
    return null;
  }
  const ranges: [number, number][] = [];
  for (let codePoint = 0; codePoint <= LAST; codePoint++) {
    if (!test.test(String.fromCodePoint(codePoint))) continue;
    const before = ranges.at(-1);
    if (before?.[1] === codePoint - 1) before[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  properties.set(name, ranges);
  return ranges;
}

const DIGITS: CharacterSet = [[0x30, 0x39]];
const WORD: CharacterSet = union([DIGITS, [[0x41, 0x5a]], of(0x5f), [[0x61, 0x7a]]]);
const SPACES: CharacterSet = [
  [9, 13],
  [32, 32],
];
const WIDE_SPACES = union([
  SPACES,
  [[0x1c, 0x1f]],
  of(0x85),
  of(0xa0),
  of(0x1680),
  [[0x2000, 0x200a]],
  [[0x2028, 0x2029]],
  of(0x202f),
  of(0x205f),
  of(0x3000),
  of(0xfeff),
]);

interface TwoMeanings {
  /** Characters on which ECMAScript and Python agree. */
  readonly narrow: CharacterSet;
  /** Characters that either language includes. */
  readonly wide: CharacterSet;
}

/** The sets for `\d`, `\w` and `\s`. Unicode sets are computed on first use. */
const classes: Readonly<Record<string, TwoMeanings>> = {
  d: {
    narrow: DIGITS,
    get wide() {
      return ofProperty('Nd')!;
    },
  },
  w: {
    narrow: WORD,
    get wide() {
      return union([WORD, ...['L', 'N', 'M', 'Pc'].map(name => ofProperty(name)!), [[0x200c, 0x200d]]]);
    },
  },
  s: { narrow: SPACES, wide: WIDE_SPACES },
};

export const CharacterSets = {
  all,
  dot: {
    narrow: complement(union([of(10), of(13), of(0x85), [[0x2028, 0x2029]]])),
    wide: complement(of(10)),
  } satisfies TwoMeanings,
  word: WORD,
  of,
  union,
  complement,
  has,
  only,
  withCases,
  ofProperty,
  classes,
};
