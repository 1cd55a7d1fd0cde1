// JSON strings that must match patterns. Only allows what can still be completed to a match. Characters are written
// literally, or with their short escape where JSON requires one.
import { type Automaton, automatonOf, DEAD, PatternError, type Patterns } from '../pattern/index.js';
import { setBit, type TrieNode } from '../token-table.js';
import { type Matcher, NOTHING_MORE, stringRest } from './matcher.js';

export interface StringLimits {
  readonly patterns: Patterns;
  /** In characters. */
  readonly min?: number;
  readonly max?: number;
}

/** The most pairs of length and state to explore. */
const MOST_LENGTHS = 2_000_000;

/** The contents of a matching string and its closing quote; null if nothing matches. Throws a `PatternError`. */
export function patternRest({
  patterns,
  min = 0,
  max = Number.POSITIVE_INFINITY,
}: StringLimits): Matcher | null {
  const automaton = automatonOf(patterns);
  const distance = findEnds(automaton, min, max);
  const id = `${min}:${max}:${JSON.stringify(patterns)}`;
  const canEnd = distance(automaton.start, 0) !== NONE;
  return canEnd ? restOf({ automaton, distance, min, max, id }, automaton.start, 0) : null;
}

/** How many characters a match still needs from a state, after a number of characters; `NONE` if there is none. */
type Distance = (state: number, count: number) => number;

const NONE = 0xffff;

function findEnds({ size, isAccepting, targets }: Automaton, min: number, max: number): Distance {
  const longest = max === Number.POSITIVE_INFINITY ? min : max;
  if ((longest + 1) * size > MOST_LENGTHS)
    throw new PatternError('a pattern beside so large a length cannot be enforced');
  let later = Uint16Array.from({ length: size }, (_, state) => (isAccepting(state) ? 0 : NONE));
  // Without a maximum, the count no longer matters after `min` characters.
  if (max === Number.POSITIVE_INFINITY) spread(later, targets);
  const byCount = [later];
  for (let count = longest - 1; count >= 0; count--) {
    const after = later;
    later = Uint16Array.from({ length: size }, (_, state) => {
      if (count >= min && isAccepting(state)) return 0;
      let least = NONE;
      for (const to of targets(state)) least = Math.min(least, after[to]! + 1);
      return least;
    });
    byCount.push(later);
  }
  byCount.reverse();
  return (state, count) => (state === DEAD ? NONE : byCount[Math.min(count, longest)]![state]!);
}

/** Fills in the distances to the states that have 0. */
function spread(distances: Uint16Array, targets: Automaton['targets']): void {
  const sources = Array.from(distances, (): number[] => []);
  for (const from of distances.keys()) for (const to of targets(from)) sources[to]!.push(from);
  const open = Array.from(distances.keys()).filter(state => distances[state] === 0);
  for (const state of open)
    for (const source of sources[state]!)
      if (distances[source] === NONE) {
        distances[source] = distances[state]! + 1;
        open.push(source);
      }
}

interface Limited {
  readonly automaton: Automaton;
  readonly distance: Distance;
  readonly min: number;
  readonly max: number;
  readonly id: string;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

function restOf(limited: Limited, state: number, count: number): Matcher {
  const { automaton, distance, min, max, id } = limited;
  // It caps an unlimited count itself.
  if (automaton.isEverything(state)) return stringRest({ min, max }, count);
  const counted = countNext(limited, count);
  const isGood = (to: number) => count < max && distance(to, counted) !== NONE;
  const take = (codePoint: number) => {
    const to = automaton.next(state, codePoint);
    return isGood(to) ? restOf(limited, to, counted) : null;
  };
  const key = `p${state}:${count}:${id}`;
  return {
    key,
    isWhole: false,
    isEndless: max === Number.POSITIVE_INFINITY,
    step(byte) {
      if (byte === QUOTE) return count >= min && automaton.isAccepting(state) ? NOTHING_MORE : null;
      if (byte === BACKSLASH) return escapeOf(key, take);
      if (byte < 0x20) return null;
      if (byte < 0x80) return take(byte);
      const whole = parseLeadByte(byte);
      return (
        whole &&
        partOf({ key, take, find: (first, last) => automaton.find(state, first, last, isGood) }, whole)
      );
    },
    closing: () => Buffer.from(closingOf(limited, state, count)),
    mark: (tree, bits, leave) => markTokens(limited, { state, count }, tree, bits, leave),
  };
}

/** Characters on a shortest way to a match, as JSON, and the quote. */
function closingOf(limited: Limited, from: number, fromCount: number): string {
  const { automaton, distance } = limited;
  let [state, count, text] = [from, fromCount, ''];
  for (let left = distance(state, count); left > 0; left--) {
    const counted = countNext(limited, count);
    const next = automaton.example(state, to => distance(to, counted) === left - 1)!;
    text += String.fromCodePoint(next);
    state = automaton.next(state, next);
    count = counted;
  }
  return JSON.stringify(text).slice(1);
}

/** After one more character. Without a maximum, counts beyond the minimum do not matter. */
function countNext({ min, max }: Limited, count: number): number {
  return max === Number.POSITIVE_INFINITY ? Math.min(count + 1, min) : count + 1;
}

/** The same as steps, without an object for each: most characters are one byte. */
function markTokens(
  limited: Limited,
  from: { state: number; count: number },
  tree: TrieNode,
  bits: Uint32Array,
  leave: (tree: TrieNode) => void,
): void {
  const { automaton, distance, min, max } = limited;

  function visit(node: TrieNode, state: number, count: number): void {
    const counted = countNext(limited, count);
    for (const [byte, child] of node.children) {
      if (byte === QUOTE) {
        if (count >= min && automaton.isAccepting(state)) leave(child);
      } else if (byte >= 0x20 && byte < 0x80 && byte !== BACKSLASH) {
        const to = automaton.next(state, byte);
        if (count >= max || distance(to, counted) === NONE) continue;
        for (const id of child.ids) setBit(bits, id);
        visit(child, to, counted);
      } else follow(child, restOf(limited, state, count).step(byte));
    }
  }

  function follow(node: TrieNode, matcher: Matcher | null): void {
    if (!matcher) return;
    if (matcher === NOTHING_MORE) {
      leave(node);
      return;
    }
    for (const id of node.ids) setBit(bits, id);
    for (const [byte, child] of node.children) follow(child, matcher.step(byte));
  }

  visit(tree, from.state, from.count);
}

const ESCAPES: readonly (readonly [written: number, meant: number])[] = [
  ['"', 0x22],
  ['\\', 0x5c],
  ['b', 8],
  ['t', 9],
  ['n', 10],
  ['f', 12],
  ['r', 13],
].map(([written, meant]) => [(written as string).charCodeAt(0), meant as number]);

type Take = (codePoint: number) => Matcher | null;

function escapeOf(key: string, take: Take): Matcher | null {
  const after = new Map(
    ESCAPES.flatMap(([written, meant]) => {
      const next = take(meant);
      return next ? [[written, next] as const] : [];
    }),
  );
  if (after.size === 0) return null;
  return {
    key: `e${key}`,
    isWhole: false,
    isEndless: true,
    step: byte => after.get(byte) ?? null,
    closing() {
      const [[written, next]] = after as unknown as [[number, Matcher]];
      return Buffer.concat([Uint8Array.of(written), next.closing()]);
    },
  };
}

interface Part {
  /** A partially read character: the bits so far, and how many bytes are missing. */
  bits: number;
  missing: number;
  /** The range of characters that start with these bytes. */
  lowest: number;
}

/** The leading byte of a multi-byte character. */
function parseLeadByte(byte: number): Part | null {
  if (byte < 0xc2 || byte > 0xf4) return null;
  if (byte < 0xe0) return { bits: byte & 0x1f, missing: 1, lowest: 0x80 };
  if (byte < 0xf0) return { bits: byte & 0x0f, missing: 2, lowest: 0x800 };
  return { bits: byte & 0x07, missing: 3, lowest: 0x10000 };
}

interface From {
  key: string;
  take: Take;
  /** A character of this range that may be taken. */
  find(first: number, last: number): number | null;
}

function partOf(from: From, { bits, missing, lowest }: Part): Matcher | null {
  const first = Math.max(bits << (6 * missing), lowest);
  const last = Math.min(((bits + 1) << (6 * missing)) - 1, 0x10ffff);
  if (first > last || from.find(first, last) === null) return null;
  return {
    key: `u${bits}:${missing}${from.key}`,
    isWhole: false,
    isEndless: true,
    step(byte) {
      if ((byte & 0xc0) !== 0x80) return null;
      const more = (bits << 6) | (byte & 0x3f);
      if (missing > 1) return partOf(from, { bits: more, missing: missing - 1, lowest });
      return more >= lowest ? from.take(more) : null;
    },
    closing() {
      const found = from.find(first, last)!;
      const bytes = Buffer.from(String.fromCodePoint(found));
      return Buffer.concat([bytes.subarray(-missing), from.take(found)!.closing()]);
    },
  };
}
