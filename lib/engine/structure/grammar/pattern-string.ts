// JSON strings that must match patterns. Only allows what can still be completed to a match.
import { type Automaton, automatonOf, DEAD, PatternError, type Patterns } from '../pattern/index.js';
import { hasTokens, markNode, type TokenTrie } from '../token-trie.js';
import {
  type Characters,
  escaped,
  LAST_CHARACTER,
  type Matcher,
  NOTHING_MORE,
  stringRest,
} from './matcher.js';

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
  const ends = findEnds(automaton, min, max);
  const id = `${min}:${max}:${JSON.stringify(patterns)}`;
  const canEnd = isLeft(ends.byCount[0]!, automaton.start);
  return canEnd ? restOf({ automaton, ...ends, min, max, id }, automaton.start, 0) : null;
}

interface Ends {
  /** How many characters a match still needs from each state, by the number of characters so far; `NONE` if there is none. */
  readonly byCount: readonly Uint16Array[];
  /** How many numbers of characters above the minimum are left out: they are all like the minimum. */
  readonly skipped: number;
}

const NONE = 0xffff;

/** Without a maximum, the last ones hold from there on. */
function distancesAt({ byCount, skipped, min }: Limited, count: number): Uint16Array {
  const at = count <= min ? count : Math.max(min, count - skipped);
  return byCount[Math.min(at, byCount.length - 1)]!;
}

function isLeft(distances: Uint16Array, state: number): boolean {
  return state !== DEAD && distances[state] !== NONE;
}

function findEnds({ size, isAccepting, targets }: Automaton, min: number, max: number): Ends {
  const longest = max === Number.POSITIVE_INFINITY ? min : max;
  let later = Uint16Array.from({ length: size }, (_, state) => (isAccepting(state) ? 0 : NONE));
  // Without a maximum, the count no longer matters after `min` characters.
  if (max === Number.POSITIVE_INFINITY) spread(later, targets);
  const byCount = [later];
  let skipped = 0;
  for (let count = longest - 1; count >= 0; count--) {
    const after = later;
    // Far from the maximum, it no longer matters: a length of millions takes no more time and memory.
    if (count >= min && byCount.length > 1 && isSame(later, byCount.at(-2)!)) {
      skipped = count + 1 - min;
      count = min;
      continue;
    }
    if ((byCount.length + 1) * size > MOST_LENGTHS)
      throw new PatternError('a pattern beside so large a length cannot be enforced');
    later = Uint16Array.from({ length: size }, (_, state) => {
      if (count >= min && isAccepting(state)) return 0;
      let least = NONE;
      for (const to of targets(state)) least = Math.min(least, after[to]! + 1);
      return least;
    });
    byCount.push(later);
  }
  return { byCount: byCount.reverse(), skipped };
}

function isSame(a: Uint16Array, b: Uint16Array): boolean {
  return a.every((distance, state) => distance === b[state]);
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

interface Limited extends Ends {
  readonly automaton: Automaton;
  readonly min: number;
  readonly max: number;
  readonly id: string;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c] as const;

function restOf(limited: Limited, state: number, count: number): Matcher {
  const { automaton, min, max, id } = limited;
  // It caps an unlimited count itself.
  if (automaton.isEverything(state)) return stringRest({ min, max }, count);
  const counted = countNext(limited, count);
  const take = (codePoint: number) => {
    const to = automaton.next(state, codePoint);
    return count < max && isLeft(distancesAt(limited, counted), to) ? restOf(limited, to, counted) : null;
  };
  const find = (first: number, last: number) => findBetween(limited, state, count, first, last);
  const key = `p${state}:${count}:${id}`;
  const isEndless = max === Number.POSITIVE_INFINITY;
  const hasNext = () =>
    count < max && automaton.targets(state).some(to => isLeft(distancesAt(limited, counted), to));
  return {
    key,
    isWhole: false,
    isEndless,
    step(byte) {
      if (byte === QUOTE) return count >= min && automaton.isAccepting(state) ? NOTHING_MORE : null;
      if (byte === BACKSLASH) return hasNext() ? escaped({ key, isEndless, take, find }) : null;
      if (byte < 0x20) return null;
      if (byte < 0x80) return take(byte);
      const part = readLeadByte(byte);
      return part && partOf({ key, isEndless, take, find }, part);
    },
    closing: () => Buffer.from(closingOf(limited, state, count)),
    mark: (trie, bits, leave) => markAfter({ ...limited, trie, bits, leave }, 0, state, count),
  };
}

/** Characters on a shortest way to a match, as JSON, and the quote. */
function closingOf(limited: Limited, from: number, fromCount: number): string {
  const { automaton } = limited;
  let [state, count, text] = [from, fromCount, ''];
  for (let left = distancesAt(limited, count)[state]!; left > 0; left--) {
    const counted = countNext(limited, count);
    const next = automaton.example(state, to => distancesAt(limited, counted)[to] === left - 1)!;
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

interface Marking extends Limited {
  readonly trie: TokenTrie;
  readonly bits: Uint32Array;
  leave(node: number): void;
}

// The same as steps, without an object for each. No closures either: compiled code would be thrown away for each mask.

function markAfter(marking: Marking, node: number, state: number, count: number): void {
  const { automaton, min, max, trie, bits, leave } = marking;
  const { bytes, ends } = trie;
  // Half of the nodes are leaves.
  if (ends[node] === node + 1) return;
  const { ascii } = automaton;
  const counted = countNext(marking, count);
  const left = distancesAt(marking, counted);
  for (let child = node + 1; child < ends[node]!; child = ends[child]!) {
    const byte = bytes[child]!;
    if (byte === QUOTE) {
      if (count >= min && automaton.isAccepting(state)) leave(child);
    } else if (byte === BACKSLASH) markSteps(marking, child, restOf(marking, state, count).step(byte));
    else if (byte >= 0x80) markPart(marking, child, state, count, readLeadByte(byte));
    else if (byte >= 0x20 && count < max) {
      const to = ascii[128 * state + byte]!;
      if (!isLeft(left, to)) continue;
      markNode(trie, child, bits);
      markAfter(marking, child, to, counted);
    }
  }
}

function markPart(marking: Marking, node: number, state: number, count: number, part: Part | null): void {
  if (!part || count >= marking.max) return;
  const { automaton, trie, bits } = marking;
  const { bytes, ends } = trie;
  const left = distancesAt(marking, countNext(marking, count));
  if (hasTokens(trie, node)) {
    if (findBetween(marking, state, count, ...rangeOf(part)) === null) return;
    markNode(trie, node, bits);
  }
  for (let child = node + 1; child < ends[node]!; child = ends[child]!) {
    const next = readByte(part, bytes[child]!);
    if (typeof next !== 'number') markPart(marking, child, state, count, next);
    else {
      const to = automaton.next(state, next);
      if (!isLeft(left, to)) continue;
      markNode(trie, child, bits);
      markAfter(marking, child, to, countNext(marking, count));
    }
  }
}

function markSteps(marking: Marking, node: number, matcher: Matcher | null): void {
  if (!matcher) return;
  const { trie, bits, leave } = marking;
  if (matcher === NOTHING_MORE) {
    leave(node);
    return;
  }
  markNode(trie, node, bits);
  for (let child = node + 1; child < trie.ends[node]!; child = trie.ends[child]!)
    markSteps(marking, child, matcher.step(trie.bytes[child]!));
}

/** A partially read character. */
interface Part {
  bits: number;
  /** How many bytes are missing. */
  missing: number;
  /** The lowest character of as many bytes. */
  lowest: number;
}

/** The leading byte of a multi-byte character. */
function readLeadByte(byte: number): Part | null {
  if (byte < 0xc2 || byte > 0xf4) return null;
  if (byte < 0xe0) return { bits: byte & 0x1f, missing: 1, lowest: 0x80 };
  if (byte < 0xf0) return { bits: byte & 0x0f, missing: 2, lowest: 0x800 };
  return { bits: byte & 0x07, missing: 3, lowest: 0x10000 };
}

/** Another byte: the character, if it is whole, or more of it. */
function readByte({ bits, missing, lowest }: Part, byte: number): number | Part | null {
  if ((byte & 0xc0) !== 0x80) return null;
  const more = (bits << 6) | (byte & 0x3f);
  if (missing > 1) return { bits: more, missing: missing - 1, lowest };
  return more >= lowest && more <= LAST_CHARACTER ? more : null;
}

/** A character in this range that may come next. */
function findBetween(
  limited: Limited,
  state: number,
  count: number,
  first: number,
  last: number,
): number | null {
  if (first > last || count >= limited.max) return null;
  const left = distancesAt(limited, countNext(limited, count));
  return limited.automaton.find(state, first, last, to => isLeft(left, to));
}

/** The first and the last character that start with these bytes. */
function rangeOf({ bits, missing, lowest }: Part): [number, number] {
  return [
    Math.max(bits << (6 * missing), lowest),
    Math.min(((bits + 1) << (6 * missing)) - 1, LAST_CHARACTER),
  ];
}

function partOf(from: Characters, part: Part): Matcher | null {
  const found = from.find(...rangeOf(part));
  if (found === null) return null;
  return {
    key: `u${part.bits}:${part.missing}${from.key}`,
    isWhole: false,
    isEndless: from.isEndless,
    step(byte) {
      const next = readByte(part, byte);
      return typeof next === 'number' ? from.take(next) : next && partOf(from, next);
    },
    closing() {
      const bytes = Buffer.from(String.fromCodePoint(found));
      return Buffer.concat([bytes.subarray(-part.missing), from.take(found)!.closing()]);
    },
  };
}
