// Partitions characters into classes that an expression does not distinguish.
import { type CharacterSet, CharacterSets } from './character-set.js';

/** Characters that JSON strings contain, as they are or escaped: all but halves of characters. */
const WRITABLE: CharacterSet = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

export interface Classes {
  readonly count: number;
  /** The start of each range of characters, and its class. */
  readonly firsts: readonly number[];
  readonly classOf: readonly number[];
  /** A representative of each class. */
  readonly examples: readonly number[];
  readonly isWritable: readonly boolean[];
}

/** Characters in the same sets are equivalent. */
export function createClasses(all: readonly CharacterSet[]): Classes {
  const sets = [...new Map([...all, WRITABLE].map(set => [set.join(';'), set])).values()];
  const firsts = [...new Set([0, ...sets.flat().flatMap(([first, last]) => [first, last + 1])])]
    .filter(first => first <= 0x10ffff)
    .sort((a, b) => a - b);
  const known = new Map<string, number>();
  const examples: number[] = [];
  const classOf = firsts.map(first => {
    const key = sets.map(set => (CharacterSets.has(set, first) ? 1 : 0)).join('');
    const found = known.get(key) ?? known.size;
    if (found === known.size) examples.push(first);
    known.set(key, found);
    return found;
  });
  const isWritable = examples.map(example => CharacterSets.has(WRITABLE, example));
  return { count: known.size, firsts, classOf, examples, isWritable };
}
